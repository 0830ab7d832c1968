import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

/** Lets a waiting user in and tells them, once their address is confirmed. False when they were in already or are gone. */
export async function approveUser(ctx: Ctx, userId: Id): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ email: string; confirmed_at: Date | null }>`
      update users set approved = true where id = ${userId} and not approved
      returning email, confirmed_at`.execute(tx.db)
    const user = rows[0]
    if (!user) return false
    await tx.emit({ type: 'user.approved', userId })
    if (user.confirmed_at)
      await tx.emit({ type: 'mail.wanted', mail: { kind: 'approved', userId, to: user.email } })
    return true
  })
}

/** The users who wait for approval and have confirmed their address, longest first. */
export async function listWaiting(
  ctx: Ctx,
): Promise<{ userId: Id; username: string; reason: string | null }[]> {
  const { rows } = await sql<{ userId: Id; username: string; reason: string | null }>`
    select u.id as "userId", a.username, u.sign_up_reason as reason
    from users u join accounts a on a.id = u.account_id
    where not u.approved and u.confirmed_at is not null order by u.id`.execute(ctx.db)
  return rows
}
