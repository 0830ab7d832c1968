// What came from other servers. Their rows are known by when they came to be here, their posts by when they were written.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day, OrNulls } from '#db/schema/types.ts'
import { firstIdOf, plusDays } from './days.ts'
import { saveCounts } from './save-counts.ts'
import type { IdCursor } from '#lib/id.ts'

/** Languages are among the names. */
export const languagePrefix = 'language:'

/** The numbers of one day, by server. Posts of this server are counted under its own domain. */
export async function countHosts(reader: Reader, day: Day): Promise<void> {
  const [from, until] = [firstIdOf(day), firstIdOf(plusDays(day, 1))]
  const own = reader.config.localDomain
  const within = (alias: string) =>
    sql`${sql.ref(`${alias}.id`)} >= ${from} and ${sql.ref(`${alias}.id`)} < ${until}`
  const counted = sql`
    with posts as materialized (
      select coalesce(a.domain, ${own}) as host, coalesce(s.language, 'und') as language,
        s.reblog_of_id is not null as boost, count(*) as count
      from statuses s join accounts a on a.id = s.account_id
      where ${within('s')} and s.deleted_at is null group by 1, 2, 3)
    select host, 'statuses' as name, sum(count)::bigint as count from posts group by 1
    union all
    select host, ${languagePrefix}::text || language, sum(count)::bigint from posts where not boost group by 1, 2
    union all
    select a.domain, 'accounts', count(*) from accounts a
    where ${within('a')} and a.domain is not null and a.deleted_at is null group by 1
    union all
    select a.domain, 'media_attachments', sum(m.original_bytes + m.preview_bytes)::bigint
    from media_attachments m join accounts a on a.id = m.account_id
    where ${within('m')} and a.domain is not null group by 1
    union all
    select a.domain, 'reports', count(*) from reports r join accounts a on a.id = r.target_account_id
    where ${within('r')} and a.domain is not null group by 1
    union all
    select a.domain, 'follows', count(*) from follows f join accounts a on a.id = f.target_account_id
    where ${within('f')} and a.domain is not null group by 1
    union all
    select a.domain, 'followers', count(*) from follows f join accounts a on a.id = f.account_id
    where ${within('f')} and a.domain is not null group by 1`
  const table = { name: 'host_daily_counts', key: 'host' } as const
  await saveCounts(reader, table, day, { counted, owned: sql<boolean>`true` })
}

/** Accounts whose posts are counted by one statement. */
const batch = 5_000
/** Accounts of a server that are kept by name. */
const topKept = 100

/**
 * Everything of other servers from before a day. Reads whole tables, some of them in parts, so once a day is enough:
 * what came since is in the numbers of the days.
 */
export async function countHostTotals(reader: Reader, day: Day): Promise<void> {
  const before = firstIdOf(day)
  const statuses = await countStatuses(reader, before)
  await sql`
    with accounts_of as (
      select domain as host, count(*) as accounts from accounts
      where domain is not null and deleted_at is null and id < ${before} group by 1),
    media_of as (
      select a.domain as host, sum(m.original_bytes + m.preview_bytes)::bigint as media_attachments
      from media_attachments m join accounts a on a.id = m.account_id
      where m.id < ${before} and m.cached_at is not null and a.domain is not null group by 1),
    reports_of as (
      select a.domain as host, count(*) as reports from reports r join accounts a on a.id = r.target_account_id
      where r.id < ${before} and a.domain is not null group by 1),
    followed as materialized (
      select a.domain as host, a.username, count(*) as followers, row_number() over (
        partition by a.domain order by count(*) desc, a.id) as rank
      from follows f join accounts a on a.id = f.target_account_id
      where f.id < ${before} and a.domain is not null group by a.id),
    followed_of as (
      select host, sum(followers)::bigint as follows,
        jsonb_agg(jsonb_build_object('username', username, 'followers', followers) order by rank)
          filter (where rank <= ${topKept}) as top_accounts
      from followed group by 1),
    followers_of as (
      select a.domain as host, count(*) as followers from follows f join accounts a on a.id = f.account_id
      where f.id < ${before} and a.domain is not null group by 1),
    statuses_of as (
      select * from unnest(${[...statuses.keys()]}::text[], ${[...statuses.values()]}::bigint[]) s (host, statuses)),
    totals as (
      select host, coalesce(accounts, 0) as accounts, coalesce(statuses, 0) as statuses,
        coalesce(media_attachments, 0) as media_attachments, coalesce(reports, 0) as reports,
        coalesce(follows, 0) as follows, coalesce(followers, 0) as followers, coalesce(top_accounts, '[]') as top_accounts
      from accounts_of full join statuses_of using (host) full join media_of using (host)
        full join reports_of using (host) full join followed_of using (host) full join followers_of using (host)),
    gone as (delete from host_totals k where not exists (select 1 from totals t where t.host = k.host))
    insert into host_totals (host, accounts, statuses, media_attachments, reports, follows, followers, top_accounts, day)
    select *, ${day}::date from totals order by host
    on conflict (host) do update set accounts = excluded.accounts, statuses = excluded.statuses,
      media_attachments = excluded.media_attachments, reports = excluded.reports, follows = excluded.follows,
      followers = excluded.followers, top_accounts = excluded.top_accounts, day = excluded.day`.execute(
    reader.db,
  )
}

/** Posts by server, account after account: no statement takes long, however many there are. */
async function countStatuses(reader: Reader, before: IdCursor): Promise<Map<string, number>> {
  const totals = new Map<string, number>()
  for (let after = '0'; ;) {
    const { rows } = await sql<OrNulls<{ host: string; count: number }> & { last: IdCursor | null }>`
      with batch as materialized (
        select id, domain from accounts where id > ${after} and id < ${before} order by id limit ${batch}),
      counted as (
        select a.domain as host, count(*)::float8 as count
        from batch a join statuses s on s.account_id = a.id and s.deleted_at is null and s.id < ${before}
        where a.domain is not null group by 1)
      select c.host, c.count, l.last from (select max(id) as last from batch) l left join counted c on true`.execute(
      reader.db,
    )
    const last = rows[0]?.last
    if (!last) return totals
    for (const { host, count } of rows) if (host !== null) totals.set(host, (totals.get(host) ?? 0) + count)
    after = last
  }
}
