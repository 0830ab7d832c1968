// Counters of how posts travelled, made from what there is: of posts from before there were any, and where something
// ended of which too little is known to count it down. From then on the database keeps them.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/**
 * Counts what came of a status by hour and by server, unless that is kept already. Whoever changes it has to change
 * `status_stats` too: its row is locked by a statement of its own, so nothing is missed or counted twice.
 */
export async function keepReactionCounts(tx: Tx, statusId: StatusId): Promise<void> {
  const { rows } = await sql<{ counts_kept: boolean }>`
    select counts_kept from status_stats where status_id = ${statusId} for update`.execute(tx.db)
  if (rows[0]?.counts_kept !== false) return
  await deleteCounts(tx, [statusId])
  await sql`
    with reactions as (
      select 'favourites' as kind, f.created_at, f.account_id from favourites f where f.status_id = ${statusId}
      union all
      select 'reblogs', s.created_at, s.account_id from statuses s
      where s.reblog_of_id = ${statusId} and s.deleted_at is null
      union all
      select 'replies', s.created_at, s.account_id from statuses s
      where s.in_reply_to_id = ${statusId} and s.deleted_at is null and s.visibility in ('public', 'unlisted')
      union all
      select 'quotes', q.created_at, q.account_id from quotes q join statuses s on s.id = q.status_id
      where q.quoted_status_id = ${statusId} and q.state = 'accepted' and s.deleted_at is null),
    counted as (
      select date_trunc('hour', r.created_at, 'UTC') as hour, coalesce(a.domain, '') as domain,
        grouping(date_trunc('hour', r.created_at, 'UTC')) as by_domain,
        count(*) filter (where r.kind = 'favourites')::int as favourites,
        count(*) filter (where r.kind = 'reblogs')::int as reblogs,
        count(*) filter (where r.kind = 'replies')::int as replies,
        count(*) filter (where r.kind = 'quotes')::int as quotes
      from reactions r join accounts a on a.id = r.account_id
      group by grouping sets ((date_trunc('hour', r.created_at, 'UTC')), (coalesce(a.domain, '')))),
    hours as (
      insert into status_hourly_counts (status_id, hour, favourites, reblogs, replies, quotes)
      select ${statusId}, hour, favourites, reblogs, replies, quotes from counted where by_domain = 0),
    domains as (
      insert into status_domain_counts (status_id, domain, favourites, reblogs, replies, quotes)
      select ${statusId}, domain, favourites, reblogs, replies, quotes from counted where by_domain = 1)
    update status_stats set counts_kept = true where status_id = ${statusId}`.execute(tx.db)
}

/** Keeps no counters of the account's statuses any more. */
export async function dropReactionCounts(tx: Tx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ id: StatusId }>`
    select t.status_id as id from statuses s join status_stats t on t.status_id = s.id
    where s.account_id = ${accountId} and s.deleted_at is null and s.reblog_of_id is null and t.counts_kept
    order by t.status_id for no key update of t`.execute(tx.db)
  const ids = rows.map((row) => row.id)
  await deleteCounts(tx, ids)
  await sql`
    update status_stats set counts_kept = false where status_id = any(${ids}::bigint[])`.execute(tx.db)
}

async function deleteCounts(tx: Tx, ids: readonly StatusId[]): Promise<void> {
  await sql`delete from status_hourly_counts where status_id = any(${ids}::bigint[])`.execute(tx.db)
  await sql`delete from status_domain_counts where status_id = any(${ids}::bigint[])`.execute(tx.db)
}
