import { sql, type Kysely } from 'kysely'

/**
 * How posts of this server travel, by hour and by server: counters that follow the rows of favourites, boosts, replies
 * and quotes, whichever statement changes them (ADR 0026). They are raised at the end of a transaction, when it holds
 * `status_stats` of all that it counts, so that nobody waits for another in the other order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  await sql.raw(counting).execute(db)
  await sql.raw(triggers).execute(db)
}

const tables = `
create table status_hourly_counts (
  status_id bigint not null references statuses (id) on delete cascade,
  hour timestamptz not null,
  favourites integer not null default 0,
  reblogs integer not null default 0,
  replies integer not null default 0,
  quotes integer not null default 0,
  primary key (status_id, hour)
) with (fillfactor = 80);
create table status_domain_counts (
  status_id bigint not null references statuses (id) on delete cascade,
  -- Empty: this server.
  domain text not null,
  favourites integer not null default 0,
  reblogs integer not null default 0,
  replies integer not null default 0,
  quotes integer not null default 0,
  primary key (status_id, domain)
) with (fillfactor = 80);

-- Whether the counters are whole. Those of a status that had some before are made when somebody asks for them.
alter table status_stats add column counts_kept boolean not null default false;
alter table status_stats alter column counts_kept set default true;
`

const counting = `
create function forget_counts(target bigint) returns void language sql as $$
  update status_stats set counts_kept = false where status_id = target and counts_kept;
$$;

-- Posts of people here alone, who want such numbers.
create function count_reaction(target bigint, kind text, actor bigint, at timestamptz, change integer)
returns void language plpgsql as $$
declare
  wanted boolean;
  origin text;
  began timestamptz := date_trunc('hour', at, 'UTC');
begin
  select coalesce((u.settings ->> 'statistics')::boolean, true) into wanted
  from status_stats t join statuses s on s.id = t.status_id join users u on u.account_id = s.account_id
  where t.status_id = target and t.counts_kept and s.local and s.deleted_at is null;
  if not found then return; end if;
  select coalesce(a.domain, '') into origin from accounts a where a.id = actor;
  if origin is null or not wanted then
    perform forget_counts(target);
    return;
  end if;
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

create function count_favourite() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_reaction(new.status_id, 'favourites', new.account_id, new.created_at, 1);
  else
    perform count_reaction(old.status_id, 'favourites', old.account_id, old.created_at, -1);
  end if;
  return null;
end $$;

-- A boost of what it boosts, a reply of what it answers, as far as those count that everybody may see.
create function count_status(it statuses, change integer) returns void language plpgsql as $$
begin
  if it.deleted_at is not null then return; end if;
  if it.reblog_of_id is not null then
    perform count_reaction(it.reblog_of_id, 'reblogs', it.account_id, it.created_at, change);
  elsif it.in_reply_to_id is not null and it.visibility in ('public', 'unlisted') then
    perform count_reaction(it.in_reply_to_id, 'replies', it.account_id, it.created_at, change);
  end if;
end $$;

create function count_changed_status() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_status(old, -1); end if;
  if tg_op <> 'DELETE' then perform count_status(new, 1); end if;
  if tg_op = 'UPDATE' and new.deleted_at is not null then
    perform forget_counts(q.quoted_status_id) from quotes q where q.status_id = new.id and q.state = 'accepted';
    delete from status_hourly_counts where status_id = new.id;
    delete from status_domain_counts where status_id = new.id;
  end if;
  return null;
end $$;

-- What ends quotes is rare, and knows too little of them: what is left is counted anew when somebody asks.
create function count_quote() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'accepted' then perform forget_counts(old.quoted_status_id); end if;
  if tg_op <> 'DELETE' and new.state = 'accepted' then
    perform count_reaction(new.quoted_status_id, 'quotes', new.account_id, new.created_at, 1);
  end if;
  return null;
end $$;
`

const triggers = `
create constraint trigger favourites_counted after insert or delete on favourites
  deferrable initially deferred for each row execute function count_favourite();
create constraint trigger statuses_counted after insert on statuses
  deferrable initially deferred for each row
  when (new.reblog_of_id is not null or new.in_reply_to_id is not null)
  execute function count_changed_status();
create constraint trigger statuses_counted_anew after update of deleted_at, in_reply_to_id, visibility on statuses
  deferrable initially deferred for each row
  when ((old.deleted_at, old.in_reply_to_id, old.visibility)
    is distinct from (new.deleted_at, new.in_reply_to_id, new.visibility))
  execute function count_changed_status();
create constraint trigger statuses_discounted after delete on statuses
  deferrable initially deferred for each row
  when (old.deleted_at is null and (old.reblog_of_id is not null or old.in_reply_to_id is not null))
  execute function count_changed_status();
create constraint trigger quotes_counted after insert or delete on quotes
  deferrable initially deferred for each row execute function count_quote();
create constraint trigger quotes_counted_anew after update of state, quoted_status_id on quotes
  deferrable initially deferred for each row
  when ((old.state, old.quoted_status_id) is distinct from (new.state, new.quoted_status_id))
  execute function count_quote();
`
