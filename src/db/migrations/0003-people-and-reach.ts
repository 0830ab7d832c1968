import { sql, type Kysely } from 'kysely'

/** Who hears of what: lists, filters, notification policies, conversations, announcements, search, discovery, moves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [
    lists,
    filters,
    notifications,
    conversations,
    announcements,
    search,
    discovery,
    portability,
  ]) {
    await sql.raw(statements).execute(db)
  }
}

const lists = `
create table lists (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  replies_policy text not null default 'list' check (replies_policy in ('followed', 'list', 'none')),
  exclusive boolean not null default false,
  created_at timestamptz not null default now()
);
create index lists_account on lists (account_id, id);

create table list_accounts (
  id bigint primary key,
  list_id bigint not null references lists (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  -- Whose list it is, as the list says: fan-out asks for each follower whether they have the author in a list.
  owner_id bigint not null,
  created_at timestamptz not null default now(),
  unique (list_id, account_id)
);
create index list_accounts_list on list_accounts (list_id, id desc);
create index list_accounts_account on list_accounts (account_id, owner_id);

-- As home_entries and home_feeds: they can be rebuilt, so they need no write-ahead log.
create unlogged table list_entries (
  list_id bigint not null,
  status_id bigint not null,
  reblog_of_id bigint,
  primary key (list_id, status_id)
);
create index list_entries_status on list_entries (status_id);
create unlogged table list_feeds (
  list_id bigint primary key,
  account_id bigint not null,
  built_at timestamptz
);
create index list_feeds_account on list_feeds (account_id);
`

const filters = `
create table filters (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  context text[] not null,
  action text not null default 'warn' check (action in ('warn', 'hide', 'blur')),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index filters_account on filters (account_id, id);

create table filter_keywords (
  id bigint primary key,
  filter_id bigint not null references filters (id) on delete cascade,
  keyword text not null,
  whole_word boolean not null default true,
  created_at timestamptz not null default now()
);
create index filter_keywords_filter on filter_keywords (filter_id, id);

create table filter_statuses (
  id bigint primary key,
  filter_id bigint not null references filters (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (filter_id, status_id)
);
create index filter_statuses_status on filter_statuses (status_id);

-- Raised with every change of a person's filters: what is kept of them compiled is found by it.
alter table users add column filters_version integer not null default 0;
`

const notifications = `
create table notification_policies (
  account_id bigint primary key references accounts (id) on delete cascade,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop'))
);

-- Whose notifications a person has let through whatever the policy says.
create table notification_permissions (
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, from_account_id)
);
create index notification_permissions_from on notification_permissions (from_account_id);

-- From whom notifications are set aside. How many and which are the rows of notifications that are filtered.
create table notification_requests (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, from_account_id)
);
create index notification_requests_list on notification_requests (account_id, id desc);
create index notification_requests_from on notification_requests (from_account_id);

-- Follows that ended because somebody blocked a server or suspended an account.
create table severance_events (
  id bigint primary key,
  type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
  target_name text not null,
  purged boolean not null default false,
  created_at timestamptz not null default now()
);
create table account_severances (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  event_id bigint not null references severance_events (id) on delete cascade,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamptz not null default now(),
  unique (account_id, event_id)
);
create index account_severances_event on account_severances (event_id);

create table account_warnings (
  id bigint primary key,
  account_id bigint references accounts (id) on delete set null,
  target_account_id bigint not null references accounts (id) on delete cascade,
  report_id bigint,
  action text not null check (action in (
    'none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')),
  text text not null default '',
  status_ids bigint[] not null default '{}',
  overruled_at timestamptz,
  created_at timestamptz not null default now()
);
create index account_warnings_target on account_warnings (target_account_id, id desc);
create index account_warnings_account on account_warnings (account_id) where account_id is not null;

create table reports (
  id bigint primary key,
  account_id bigint references accounts (id) on delete set null,
  target_account_id bigint not null references accounts (id) on delete cascade,
  category text not null default 'other' check (category in ('spam', 'legal', 'violation', 'other')),
  comment text not null default '',
  status_ids bigint[] not null default '{}',
  rule_ids bigint[] not null default '{}',
  collection_ids bigint[] not null default '{}',
  forwarded boolean not null default false,
  assigned_account_id bigint references accounts (id) on delete set null,
  action_taken_by_account_id bigint references accounts (id) on delete set null,
  action_taken_at timestamptz,
  uri text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index reports_open on reports (id desc) where action_taken_at is null;
create index reports_target on reports (target_account_id, id desc);
create index reports_account on reports (account_id) where account_id is not null;
create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null;
create index reports_taken on reports (action_taken_by_account_id) where action_taken_by_account_id is not null;
alter table account_warnings add foreign key (report_id) references reports (id) on delete set null;
create index account_warnings_report on account_warnings (report_id) where report_id is not null;

alter table notifications add column severance_id bigint references account_severances (id) on delete cascade;
alter table notifications add column warning_id bigint references account_warnings (id) on delete cascade;
alter table notifications add column report_id bigint references reports (id) on delete cascade;
create index notifications_severance on notifications (severance_id) where severance_id is not null;
create index notifications_warning on notifications (warning_id) where warning_id is not null;
create index notifications_report on notifications (report_id) where report_id is not null;
alter table notifications drop constraint notifications_once;
alter table notifications add constraint notifications_once unique nulls not distinct
  (account_id, from_account_id, type, status_id, collection_id, reaction_id, annual_report_id, severance_id, warning_id,
    report_id);
-- With those that are set aside; without them there is notifications_list.
create index notifications_all on notifications (account_id, id desc);
create index notifications_group on notifications (account_id, group_key, id desc) where group_key not like 'ungrouped-%';
-- What one account caused for another, in order.
drop index notifications_from;
create index notifications_from on notifications (from_account_id, account_id, id desc);
`

const conversations = `
-- A person's view of a thread of direct statuses, for each set of people in it.
create table account_conversations (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  conversation_id bigint not null references conversations (id) on delete cascade,
  -- The others, sorted; empty when one writes to oneself.
  participant_ids bigint[] not null default '{}',
  -- The newest of its statuses.
  last_status_id bigint not null,
  unread boolean not null default false,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  unique (account_id, conversation_id, participant_ids)
);
create index account_conversations_list on account_conversations (account_id, last_status_id desc);
create index account_conversations_conversation on account_conversations (conversation_id);

create table account_conversation_statuses (
  account_conversation_id bigint not null references account_conversations (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  primary key (account_conversation_id, status_id)
);
create index account_conversation_statuses_status on account_conversation_statuses (status_id);

-- However a status goes, with its author too, the one before it becomes the last; without any the conversation goes.
create function mend_conversations() returns trigger language plpgsql as $$
begin
  -- Most statuses are in none, and each of those that go calls this.
  if not exists (select 1 from gone) then return null; end if;
  perform 1 from account_conversations c
  where c.id in (select account_conversation_id from gone) order by c.account_id, c.id for update;
  update account_conversations c set last_status_id = kept.last_id, version = c.version + 1
  from (
    select w.id, (select max(m.status_id) from account_conversation_statuses m where m.account_conversation_id = w.id) as last_id
    from (select distinct account_conversation_id as id from gone) w) kept
  where c.id = kept.id and c.last_status_id <> kept.last_id;
  delete from account_conversations c
  where c.id in (select account_conversation_id from gone)
    and not exists (select 1 from account_conversation_statuses m where m.account_conversation_id = c.id);
  return null;
end $$;
create trigger account_conversation_statuses_gone after delete on account_conversation_statuses
  referencing old table as gone for each statement execute function mend_conversations();
`

const announcements = `
create table announcements (
  id bigint primary key,
  text text not null,
  content text not null default '',
  starts_at timestamptz,
  ends_at timestamptz,
  all_day boolean not null default false,
  scheduled_at timestamptz,
  published_at timestamptz,
  unpublished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not all_day or (starts_at is not null and ends_at is not null))
);
create index announcements_published on announcements (published_at) where published_at is not null and unpublished_at is null;
create index announcements_due on announcements (scheduled_at) where published_at is null and scheduled_at is not null;
create index announcements_ending on announcements (ends_at)
  where published_at is not null and unpublished_at is null and ends_at is not null;

create table announcement_dismissals (
  announcement_id bigint not null references announcements (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (announcement_id, account_id)
);
create index announcement_dismissals_account on announcement_dismissals (account_id);

create table announcement_reactions (
  id bigint primary key,
  announcement_id bigint not null references announcements (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  name text not null,
  custom_emoji_id bigint references custom_emojis (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (announcement_id, account_id, name)
);
create index announcement_reactions_account on announcement_reactions (account_id);
create index announcement_reactions_emoji on announcement_reactions (custom_emoji_id) where custom_emoji_id is not null;

-- Kept by the trigger: everybody asks for these at the start of their app.
create table announcement_reaction_counts (
  announcement_id bigint not null references announcements (id) on delete cascade,
  name text not null,
  custom_emoji_id bigint references custom_emojis (id) on delete cascade,
  count integer not null,
  -- Its first reaction, by which they are ordered.
  first_id bigint not null,
  primary key (announcement_id, name)
);
create index announcement_reaction_counts_emoji on announcement_reaction_counts (custom_emoji_id)
  where custom_emoji_id is not null;

create function count_announcement_reactions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into announcement_reaction_counts (announcement_id, name, custom_emoji_id, count, first_id)
    select announcement_id, name, custom_emoji_id, count(*), min(id) from changed group by 1, 2, 3 order by 1, 2
    on conflict (announcement_id, name) do update set count = announcement_reaction_counts.count + excluded.count;
  else
    update announcement_reaction_counts t set count = t.count - c.gone
    from (select announcement_id, name, count(*)::int as gone from changed group by 1, 2) c
    where t.announcement_id = c.announcement_id and t.name = c.name;
    delete from announcement_reaction_counts t using changed c
    where t.announcement_id = c.announcement_id and t.name = c.name and t.count <= 0;
  end if;
  return null;
end $$;
create trigger announcement_reactions_made after insert on announcement_reactions
  referencing new table as changed for each statement execute function count_announcement_reactions();
create trigger announcement_reactions_gone after delete on announcement_reactions
  referencing old table as changed for each statement execute function count_announcement_reactions();
`

const search = `
do $$ begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise exception 'Stonechat needs the PostgreSQL extension pg_trgm (%). Install the contrib package of PostgreSQL, and have a superuser run this in the database: create extension pg_trgm', sqlerrm;
end $$;

-- What can be found of a status: its words with their places, and marks of what it is, of its author and its time,
-- so that one index answers whatever is combined (src/domain/reading/search/marks.ts).
create table status_search (
  status_id bigint primary key references statuses (id) on delete cascade,
  account_id bigint not null,
  -- Of the status when it was read, and of the way in which documents are written.
  version integer not null,
  format smallint not null,
  -- Whether everybody may find it, when its author lets them; null for what is not public.
  open boolean,
  document tsvector not null
);
-- A short list of what is yet to be merged: each search reads it from end to end.
create index status_search_document on status_search using gin (document) with (gin_pending_list_limit = 256);
create index status_search_author on status_search (account_id, open);

-- What somebody boosted, by what it is: a part of what they search in.
create index statuses_boosts on statuses (account_id, reblog_of_id) where reblog_of_id is not null and deleted_at is null;

-- Words in lower case and without accents, each after a space.
create function search_name(name text) returns text language sql immutable parallel safe as $$
  select ' ' || regexp_replace(regexp_replace(normalize(lower(normalize(name, NFKD)), NFKD), '[\\u0300-\\u036f]+', '', 'g'),
    '[\\s!-/:-@\\[-^\\u0060{-~\\u2000-\\u2bff\\U0001f000-\\U0001faff]+', ' ', 'g')
$$;
alter table accounts add column search_names text
  generated always as (search_name(username || ' ' || display_name)) stored;
create index accounts_names on accounts using gin (search_names gin_trgm_ops);

-- Accounts with a name that is spelled much like this one, the most alike first. Where too many are, some of them.
create function similar_accounts(name text, most integer) returns setof bigint language sql stable
  set pg_trgm.strict_word_similarity_threshold = 0.3 as $$
  select l.id from (
    select a.id, a.search_names from accounts a where a.search_names %>> search_name(name) limit 1000) l
  order by l.search_names <->>> search_name(name), l.id limit most
$$;

create index collections_names on collections using gin (search_name(name) gin_trgm_ops) where discoverable;

-- Addresses of other servers' pages, which are too long for other kinds of index.
create index statuses_url on statuses using hash (url) where url is not null;
create index accounts_url on accounts using hash (url) where url is not null;
`

const discovery = `
create table suggestion_dismissals (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index suggestion_dismissals_target on suggestion_dismissals (target_account_id);

create table tag_trends (
  tag_id bigint primary key references tags (id) on delete cascade,
  score double precision not null,
  peak double precision not null,
  peak_at timestamptz not null,
  language text,
  updated_at timestamptz not null
);
create index tag_trends_rank on tag_trends (score desc);

create table link_trends (
  card_id bigint primary key references preview_cards (id) on delete cascade,
  score double precision not null,
  peak double precision not null,
  peak_at timestamptz not null,
  language text,
  updated_at timestamptz not null
);
create index link_trends_rank on link_trends (score desc);

create table status_trends (
  status_id bigint primary key references statuses (id) on delete cascade,
  account_id bigint not null unique references accounts (id) on delete cascade,
  score double precision not null,
  language text,
  updated_at timestamptz not null
);
create index status_trends_rank on status_trends (score desc);
-- What moderators decided. Null: not yet.
alter table statuses add column trendable boolean;
alter table accounts add column trendable boolean;
-- Pages are known by the address they want to be known under, if they have one.
create index preview_cards_address on preview_cards (md5(coalesce(canonical_url, url)));
create index statuses_with_card on statuses (id) where card_id is not null and deleted_at is null;

-- Whom the active people of this server follow, favourite and boost: how many of them do.
create table popular_accounts (
  account_id bigint primary key references accounts (id) on delete cascade,
  followers integer not null,
  fans integer not null,
  updated_at timestamptz not null
);

create index accounts_directory on accounts (id desc)
  where discoverable and silenced_at is null and suspended_at is null and deleted_at is null
    and moved_to_account_id is null;
create index accounts_directory_local on accounts (id desc)
  where domain is null and discoverable and silenced_at is null and suspended_at is null and deleted_at is null
    and moved_to_account_id is null;
create index account_stats_active on account_stats (last_status_at desc, account_id desc)
  where last_status_at is not null;
`

const portability = `
-- A deleted account finds those that have moved to it.
create index accounts_moved_to on accounts (moved_to_account_id) where moved_to_account_id is not null;

create table bulk_imports (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  type text not null check (type in (
    'following', 'muting', 'blocking', 'domain_blocking', 'lists', 'bookmarks', 'archive')),
  overwrite boolean not null default false,
  state text not null default 'unconfirmed' check (state in (
    'unconfirmed', 'scheduled', 'in_progress', 'finished', 'failed')),
  original_filename text not null default '',
  upload_key text,
  total_items integer not null default 0,
  processed_items integer not null default 0,
  imported_items integer not null default 0,
  -- What was left out on purpose, and how often.
  skipped jsonb not null default '{}',
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index bulk_imports_account on bulk_imports (account_id, id desc);

-- What is still to be done, and what could not be, line by line.
create table bulk_import_rows (
  id bigint primary key,
  bulk_import_id bigint not null references bulk_imports (id) on delete cascade,
  line integer not null,
  data jsonb not null,
  -- Tries that were begun and never came to an end.
  attempts smallint not null default 0,
  error text
);
create index bulk_import_rows_import on bulk_import_rows (bulk_import_id, id);
create index bulk_import_rows_acct on bulk_import_rows (bulk_import_id, (data ->> 'acct'));
create index bulk_import_rows_uri on bulk_import_rows (bulk_import_id, (data ->> 'uri'));

create table backups (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  state text not null default 'scheduled' check (state in ('scheduled', 'in_progress', 'finished', 'failed')),
  attempts smallint not null default 0,
  file_key text,
  bytes bigint not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index backups_account on backups (account_id, id desc);
create index backups_expiry on backups (expires_at) where file_key is not null;

-- What came out of an archive, by the SHA-256 of its old address: nothing comes twice, and threads find their parts.
create table imported_statuses (
  account_id bigint not null references accounts (id) on delete cascade,
  uri_hash bytea not null,
  status_id bigint not null references statuses (id) on delete cascade,
  primary key (account_id, uri_hash)
);
create index imported_statuses_status on imported_statuses (status_id);

-- However an archive's row goes, with its account too, its file goes after it.
create function abandon_archive() returns trigger language plpgsql as $$
declare abandoned text := to_jsonb(old) ->> tg_argv[0];
begin
  if abandoned is not null then
    insert into abandoned_files (key, delete_after) values (abandoned, 'epoch')
    on conflict (key) do update set delete_after = excluded.delete_after;
  end if;
  return null;
end $$;
create trigger backups_file after delete on backups for each row execute function abandon_archive('file_key');
create trigger bulk_imports_file after delete on bulk_imports for each row execute function abandon_archive('upload_key');
`
