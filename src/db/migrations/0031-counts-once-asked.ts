import { sql, type Kysely } from 'kysely'

/**
 * How a post travelled is counted from when its author first asks (ADR 0026): most never do, and each favourite, boost and
 * reply paid for it. What has counters already keeps them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table status_stats alter column counts_kept set default false`.execute(db)
  await sql.raw(counting).execute(db)
}

/** As 0023 has it, but that most posts are told from `status_stats` alone. */
const counting = `
create or replace function count_reaction(target bigint, kind text, actor bigint, at timestamptz, change integer)
returns void language plpgsql as $$
declare
  wanted boolean;
  origin text;
  began timestamptz;
begin
  perform 1 from status_stats t where t.status_id = target and t.counts_kept;
  if not found then return; end if;
  select coalesce((u.settings ->> 'statistics')::boolean, true) into wanted
  from statuses s join users u on u.account_id = s.account_id
  where s.id = target and s.local and s.deleted_at is null;
  if not found then return; end if;
  select coalesce(a.domain, '') into origin from accounts a where a.id = actor;
  if origin is null or not wanted then
    perform forget_counts(target);
    return;
  end if;
  began := date_trunc('hour', at, 'UTC');
  insert into status_hourly_counts as c (status_id, hour, favourites, reblogs, replies, quotes)
  values (target, began, change * (kind = 'favourites')::int, change * (kind = 'reblogs')::int,
    change * (kind = 'replies')::int, change * (kind = 'quotes')::int)
  on conflict (status_id, hour) do update set favourites = c.favourites + excluded.favourites,
    reblogs = c.reblogs + excluded.reblogs, replies = c.replies + excluded.replies, quotes = c.quotes + excluded.quotes;
  insert into status_domain_counts as c (status_id, domain, favourites, reblogs, replies, quotes)
  values (target, origin, change * (kind = 'favourites')::int, change * (kind = 'reblogs')::int,
    change * (kind = 'replies')::int, change * (kind = 'quotes')::int)
  on conflict (status_id, domain) do update set favourites = c.favourites + excluded.favourites,
    reblogs = c.reblogs + excluded.reblogs, replies = c.replies + excluded.replies, quotes = c.quotes + excluded.quotes;
  if change < 0 then
    delete from status_hourly_counts
    where status_id = target and hour = began and greatest(favourites, reblogs, replies, quotes) <= 0;
    delete from status_domain_counts
    where status_id = target and domain = origin and greatest(favourites, reblogs, replies, quotes) <= 0;
  end if;
end $$;
`
