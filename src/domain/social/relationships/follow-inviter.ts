import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { followAccount } from './follow.ts'
import type { AccountId, UserId } from '#lib/id.ts'

/**
 * Lets somebody who came by an invite follow its maker, where the invite says so: once they are confirmed and let in.
 * Does nothing for whom it cannot be, and when they follow already.
 */
export async function followInviter(ctx: Ctx, userId: UserId): Promise<void> {
  const { rows } = await sql<{ accountId: AccountId; inviterId: AccountId }>`
    select u.account_id as "accountId", i.account_id as "inviterId"
    from users u join invites i on i.id = u.invite_id
    where u.id = ${userId} and i.autofollow and u.confirmed_at is not null and u.approved and not u.disabled
      and not exists (
        select 1 from follows f where f.account_id = u.account_id and f.target_account_id = i.account_id offset 0)`.execute(
    ctx.db,
  )
  const pair = rows[0]
  if (!pair) return
  try {
    await followAccount(ctx, pair, pair.inviterId)
  } catch (error) {
    // They blocked each other, or the inviter is gone.
    if (!isAppError(error)) throw error
  }
}
