// Feeds of lists that a change of relationships makes wrong are marked, and built again when they are next read.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * Makes the feeds of all lists of an account be built again when they are next read: whom it hears has changed. Also
 * those that are being built, which it waits for: their reading may have begun before the change.
 */
export async function markListFeedsStale(ctx: Ctx, accountId: AccountId): Promise<void> {
  await sql`update list_feeds set built_at = null where account_id = ${accountId}`.execute(ctx.db)
}

/** The same for those of its lists that have this member: until now it had only asked to follow them. */
export async function markListFeedsStaleWith(
  ctx: Ctx,
  accountId: AccountId,
  memberId: AccountId,
): Promise<void> {
  await sql`
    update list_feeds lf set built_at = null from list_accounts la
    where la.account_id = ${memberId} and la.owner_id = ${accountId} and lf.list_id = la.list_id`.execute(
    ctx.db,
  )
}
