import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { assertOutranks, type ActingStaff } from '../staff.ts'
import type { AccountId, UserId } from '#lib/id.ts'

export interface WaitingUser {
  accountId: AccountId
  username: string
  email: string
  confirmed_at: Date | null
}

/** Somebody who waits for approval, locked; null when they were let in already or are gone. */
export async function lockWaiting(tx: Tx, userId: UserId): Promise<WaitingUser | null> {
  const { rows } = await sql<WaitingUser>`
    select a.id as "accountId", a.username, u.email, u.confirmed_at
    from users u join accounts a on a.id = u.account_id
    where u.id = ${userId} and not u.approved and a.deleted_at is null for update of u`.execute(tx.db)
  return rows[0] ?? null
}

/**
 * Lets a waiting user in and tells them, once their address is confirmed. False when they were in already or are gone.
 * Throws `forbidden` to staff who may not.
 */
export async function approveUser(ctx: Ctx, staff: ActingStaff, userId: UserId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const user = await lockWaiting(tx, userId)
    if (!user) return false
    await assertOutranks(tx, staff, user.accountId)
    await sql`update users set approved = true where id = ${userId}`.execute(tx.db)
    await recordAction(tx, staff, {
      action: 'approve',
      targetType: 'user',
      targetId: userId,
      label: user.username,
    })
    await tx.emit({ type: 'user.approved', userId })
    if (user.confirmed_at)
      await tx.emit({ type: 'mail.requested', mail: { kind: 'approved', userId, to: user.email } })
    return true
  })
}

/** The users who wait for approval and have confirmed their address, longest first. */
export async function listWaiting(
  ctx: Ctx,
): Promise<{ userId: UserId; username: string; reason: string | null }[]> {
  const { rows } = await sql<{ userId: UserId; username: string; reason: string | null }>`
    select u.id as "userId", a.username, u.sign_up_reason as reason
    from users u join accounts a on a.id = u.account_id
    where not u.approved and u.confirmed_at is not null order by u.id`.execute(ctx.db)
  return rows
}
