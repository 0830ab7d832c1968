import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import { findableAccount } from './eligible.ts'

/** Whose taste counts: people seen within this time, in milliseconds. */
const activeWithin = 30 * 86_400_000
/** Favourites and boosts of this time count, in milliseconds. */
const fansWithin = 7 * 86_400_000
/** Accounts kept of each kind. */
const kept = 500

/**
 * Finds out anew whom the active people of this server follow most, and whose posts they like most. Idempotent. Who is
 * followed is counted before their accounts are looked at, of which a few suffice.
 */
export async function refreshPopular(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const since = timeToId(now - fansWithin)
  await sql`
    with active as (
      select account_id from users where last_active_at > ${new Date(now - activeWithin)} and not disabled),
    counted as (
      select f.target_account_id as id, count(*)::int as followers
      from active u join follows f on f.account_id = u.account_id group by 1 order by 2 desc, 1 offset 0),
    followed as (
      select c.id, c.followers from counted c
      cross join lateral (select 1 from accounts a where a.id = c.id and ${findableAccount('a')} limit 1) a
      order by 2 desc, 1 limit ${kept}),
    liked as (
      select m.account_id as fan_id, m.status_id from active u cross join lateral (
        select l.account_id, l.status_id from favourites l where l.account_id = u.account_id and l.id >= ${since}::bigint
        union all
        select b.account_id, b.reblog_of_id from statuses b
        where b.account_id = u.account_id and b.id >= ${since}::bigint and b.deleted_at is null
          and b.reblog_of_id is not null) m),
    fanned as (
      select s.account_id as id, count(distinct l.fan_id)::int as fans
      from liked l join statuses s on s.id = l.status_id join accounts a on a.id = s.account_id
      where s.account_id <> l.fan_id and s.visibility in ('public', 'unlisted') and s.deleted_at is null
        and ${findableAccount('a')}
      group by 1 order by 2 desc, 1 limit ${kept}),
    popular as (
      select id, coalesce(f.followers, 0) as followers, coalesce(n.fans, 0) as fans
      from followed f full join fanned n using (id)),
    gone as (
      delete from popular_accounts k where not exists (select 1 from popular p where p.id = k.account_id))
    insert into popular_accounts (account_id, followers, fans, updated_at)
    select id, followers, fans, ${new Date(now)}::timestamptz from popular order by id
    on conflict (account_id) do update set followers = excluded.followers, fans = excluded.fans,
      updated_at = excluded.updated_at`.execute(ctx.db)
}
