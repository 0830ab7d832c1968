// What the author of a status on another server does not want to have there is not shown there.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { unfavouriteStatus } from '../interactions/favourite.ts'
import { removeReblog } from './save-remote-reblog.ts'
import type { AccountId, FavouriteId, StatusId } from '#lib/id.ts'

/**
 * Takes a reply of somebody else out of the thread of the author whose status it answers. The reply itself stays its
 * author's. False when it answers nothing of theirs.
 */
export async function refuseReply(ctx: Ctx, authorId: AccountId, replyId: StatusId): Promise<boolean> {
  const { rows } = await sql`
    with refused as (
      update statuses s set in_reply_to_id = null, in_reply_to_account_id = null, version = s.version + 1
      from statuses p
      where s.id = ${replyId} and s.deleted_at is null and s.account_id <> ${authorId}
        and p.id = s.in_reply_to_id and p.account_id = ${authorId}
      returning p.id as parent_id, s.visibility),
    counted as (
      update status_stats set replies_count = greatest(0, replies_count - 1)
      where status_id in (select parent_id from refused where visibility in ('public', 'unlisted')))
    select 1 from refused`.execute(ctx.db)
  return rows.length > 0
}

/** Takes somebody's boost of an author's status back. False when it boosts nothing of theirs. */
export async function refuseReblog(ctx: Ctx, authorId: AccountId, reblogId: StatusId): Promise<boolean> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select b.account_id from statuses b join statuses o on o.id = b.reblog_of_id
    where b.id = ${reblogId} and o.account_id = ${authorId}`.execute(ctx.db)
  return rows[0] ? removeReblog(ctx, { accountId: rows[0].account_id }, { reblogId }) : false
}

/** Takes somebody's favourite of an author's status back. False when it is of nothing of theirs. */
export async function refuseFavourite(
  ctx: Ctx,
  authorId: AccountId,
  favouriteId: FavouriteId,
): Promise<boolean> {
  const { rows } = await sql<{ account_id: AccountId; status_id: StatusId }>`
    select f.account_id, f.status_id from favourites f join statuses s on s.id = f.status_id
    where f.id = ${favouriteId} and s.account_id = ${authorId}`.execute(ctx.db)
  if (!rows[0]) return false
  await unfavouriteStatus(ctx, { accountId: rows[0].account_id }, rows[0].status_id)
  return true
}
