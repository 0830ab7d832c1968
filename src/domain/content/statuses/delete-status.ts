import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { takeMediaFromStatuses } from '#domain/content/media/delete.ts'
import { fewer } from '#domain/content/tags/featured-tags.ts'
import { notFound } from '#lib/errors.ts'
import { findVisibleStatus } from './queries.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface Removal {
  /** Deletes what the status carries at once. Otherwise its author may use it again for a day. */
  dropMedia?: boolean | undefined
}

/** Deletes one's own status with all boosts of it. Throws `not_found` for those of others. */
export async function deleteStatus(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
  { dropMedia }: Removal = {},
): Promise<void> {
  const status = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!status || status.account_id !== viewer.accountId) throw notFound()
  await ctx.transaction((tx) => removeStatus(tx, id, { dropMedia }))
}

/** `removeStatuses` of one. */
export const removeStatus = (tx: Tx, id: StatusId, removal: Removal = {}) => removeStatuses(tx, [id], removal)

/**
 * Marks statuses and the boosts of them as deleted, with all counters. Rows stay until the purge, so that a late
 * effect finds that they are gone. Idempotent. Counters of one other status change by one row: a status may answer
 * and quote the same. Quotes are locked while they are counted, because their authors may revoke them meanwhile.
 * The statuses are locked by a statement of its own: one that waited for a boost would not see it. As many statements
 * for some hundred as for one.
 */
export async function removeStatuses(
  tx: Tx,
  ids: readonly StatusId[],
  { dropMedia = false }: Removal = {},
): Promise<void> {
  if (ids.length === 0) return
  await sql`select 1 from statuses where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    tx.db,
  )
  const { rows } = await sql<{ id: StatusId; account_id: AccountId; reblog_of_id: StatusId | null }>`
    with gone as (
      update statuses set deleted_at = ${new Date(tx.clock.now())}
      where (id = any(${ids}::bigint[]) or reblog_of_id = any(${ids}::bigint[])) and deleted_at is null
      returning id, account_id, visibility, in_reply_to_id, reblog_of_id),
    authors as (
      select account_id, count(*) filter (where visibility <> 'direct') as posts from gone group by account_id),
    author as (
      update account_stats t set statuses_count = greatest(0, statuses_count - authors.posts)
      from authors where t.account_id = authors.account_id),
    quoted as (
      select q.quoted_status_id as id from quotes q
      where q.status_id in (select id from gone) and q.state = 'accepted' for update),
    losses as (
      select l.id, sum(l.replies) as replies, sum(l.reblogs) as reblogs, sum(l.quotes) as quotes from (
        select in_reply_to_id as id, 1 as replies, 0 as reblogs, 0 as quotes from gone
        where visibility in ('public', 'unlisted')
        union all select reblog_of_id, 0, 1, 0 from gone where id = any(${ids}::bigint[])
        union all select id, 0, 0, 1 from quoted) l
      group by l.id),
    others as (
      update status_stats t set replies_count = greatest(0, t.replies_count - losses.replies),
        reblogs_count = greatest(0, t.reblogs_count - losses.reblogs),
        told_reblogs_count = case when t.told_reblogs_count > losses.reblogs
          then t.told_reblogs_count - losses.reblogs end,
        quotes_count = greatest(0, t.quotes_count - losses.quotes)
      from losses where t.status_id = losses.id),
    tagged as (
      select g.account_id, st.tag_id, count(*)::int as count
      from gone g join status_tags st on st.status_id = g.id
      where g.visibility in ('public', 'unlisted') group by g.account_id, st.tag_id),
    featured as (
      update featured_tags f set ${fewer('f', sql`tagged.count`)}
      from tagged where f.account_id = tagged.account_id and f.tag_id = tagged.tag_id),
    pins as (delete from status_pins where status_id in (select id from gone))
    select id, account_id, reblog_of_id from gone`.execute(tx.db)
  for (const row of rows) {
    await tx.emit({
      type: 'status.deleted',
      statusId: row.id,
      accountId: row.account_id,
      reblogOfId: row.reblog_of_id,
    })
  }
  const gone = rows.map((row) => row.id)
  await takeMediaFromStatuses(tx, gone, { drop: dropMedia })
}
