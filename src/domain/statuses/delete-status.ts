import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { findVisibleStatus } from './queries.ts'

/** Deletes one's own status with all boosts of it. Throws `not_found` for those of others. */
export async function deleteStatus(ctx: Ctx, viewer: Viewer, id: Id): Promise<void> {
  const status = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!status || status.account_id !== viewer.accountId) throw notFound()
  await ctx.transaction((tx) => removeStatus(tx, id))
}

/**
 * Marks a status and the boosts of it as deleted, with all counters. Rows stay until the purge, so that a late
 * effect finds that they are gone. Again is fine.
 */
export async function removeStatus(tx: Tx, id: Id): Promise<void> {
  const { rows } = await sql<{ id: Id; account_id: Id; reblog_of_id: Id | null }>`
    with gone as (
      update statuses set deleted_at = ${new Date(tx.clock.now())}
      where (id = ${id} or reblog_of_id = ${id}) and deleted_at is null
      returning id, account_id, visibility, in_reply_to_id, reblog_of_id),
    authors as (
      select account_id, count(*) filter (where visibility <> 'direct') as posts from gone group by account_id),
    author as (
      update account_stats t set statuses_count = greatest(0, statuses_count - authors.posts)
      from authors where t.account_id = authors.account_id),
    parent as (
      update status_stats set replies_count = greatest(0, replies_count - 1)
      where status_id in (select in_reply_to_id from gone where visibility in ('public', 'unlisted'))),
    original as (
      update status_stats set reblogs_count = greatest(0, reblogs_count - 1)
      where status_id in (select reblog_of_id from gone where id = ${id})),
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
}
