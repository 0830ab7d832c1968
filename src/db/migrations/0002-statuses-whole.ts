import { sql, type Kysely } from 'kysely'

/** Everything a status can be and carry: media, polls, edits, quotes, cards, schedules, reactions; collections. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [scheduled, media, polls, edits, quotes, cards, extensions, discovery]) {
    await sql.raw(statements).execute(db)
  }
}

const scheduled = `
create table scheduled_statuses (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  application_id bigint references applications (id) on delete set null,
  scheduled_at timestamptz not null,
  params jsonb not null,
  -- Tries to publish it that did not come to an end.
  attempts integer not null default 0,
  -- Why it could not be published when its time came.
  failed_at timestamptz,
  error text,
  created_at timestamptz not null default now()
);
create index scheduled_statuses_list on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_due on scheduled_statuses (scheduled_at) where failed_at is null;
create index scheduled_statuses_application on scheduled_statuses (application_id) where application_id is not null;
`

const media = `
create table media_attachments (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  -- The status it belongs to, also when an edit has taken it out: earlier versions still show it.
  status_id bigint references statuses (id) on delete set null,
  scheduled_status_id bigint references scheduled_statuses (id) on delete set null,
  type text not null default 'unknown' check (type in ('image', 'gifv', 'video', 'audio', 'unknown')),
  state text not null default 'queued' check (state in ('queued', 'in_progress', 'complete', 'failed')),
  error text,
  description text not null default '',
  focus_x real,
  focus_y real,
  blurhash text,
  -- Facts of the original and the size of the preview, as lib/media.ts and views know them.
  facts jsonb not null default '{}',
  preview_width integer,
  preview_height integer,
  original_key text,
  preview_key text,
  original_bytes bigint not null default 0,
  preview_bytes bigint not null default 0,
  -- What was uploaded and has yet to be processed, and how often that was begun without coming to an end.
  upload_key text,
  attempts smallint not null default 0,
  -- Of another server's files. They are kept here for a while after somebody asked for them.
  remote_url text,
  remote_preview_url text,
  cached_at timestamptz,
  used_at timestamptz,
  -- When it last came to belong to nothing.
  free_since timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index media_attachments_status on media_attachments (status_id) where status_id is not null;
create index media_attachments_scheduled on media_attachments (scheduled_status_id) where scheduled_status_id is not null;
create index media_attachments_account on media_attachments (account_id, id desc);
create index media_attachments_unattached on media_attachments (free_since)
  where status_id is null and scheduled_status_id is null;
create index media_attachments_cached on media_attachments (used_at) where cached_at is not null;

-- In the order in which they are shown.
alter table statuses add column media_ids bigint[] not null default '{}';
create index statuses_account_media on statuses (account_id, id desc) where deleted_at is null and media_ids <> '{}';
create index statuses_public_media on statuses (id desc)
  where visibility = 'public' and reblog_of_id is null and deleted_at is null and media_ids <> '{}'
    and (not reply or in_reply_to_account_id = account_id);

-- Files to delete from the store: those that nothing names any more, and, until the row that names them is
-- committed, those that are being stored.
create table abandoned_files (
  key text primary key,
  delete_after timestamptz not null
);
create index abandoned_files_due on abandoned_files (delete_after);

-- However an attachment goes, with its account too, its files go after it.
create function abandon_media_files() returns trigger language plpgsql as $$
begin
  insert into abandoned_files (key, delete_after)
  select k.key, 'epoch' from gone g, unnest(array[g.original_key, g.preview_key, g.upload_key]) k (key)
  where k.key is not null
  on conflict (key) do update set delete_after = excluded.delete_after;
  return null;
end $$;
create trigger media_attachments_files after delete on media_attachments
  referencing old table as gone for each statement execute function abandon_media_files();
`

const polls = `
create table polls (
  id bigint primary key,
  status_id bigint not null unique references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  options text[] not null,
  -- Votes of each option, in their order.
  tallies integer[] not null,
  multiple boolean not null default false,
  hide_totals boolean not null default false,
  votes_count integer not null default 0 check (votes_count >= 0),
  -- Unknown of some polls of other servers.
  voters_count integer check (voters_count >= 0),
  expires_at timestamptz,
  -- When the people concerned were told of its end.
  closed_at timestamptz,
  fetched_at timestamptz,
  created_at timestamptz not null default now()
);
create index polls_account on polls (account_id);
create index polls_due on polls (expires_at) where closed_at is null;

create table poll_votes (
  poll_id bigint not null references polls (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  choice smallint not null,
  uri text unique,
  created_at timestamptz not null default now(),
  primary key (poll_id, account_id, choice)
);
create index poll_votes_account on poll_votes (account_id);

alter table statuses add column poll_id bigint;
`

const edits = `
-- One row a version, the first one too, from the first edit on.
create table status_edits (
  id bigint primary key,
  status_id bigint not null references statuses (id) on delete cascade,
  text text not null,
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  language text,
  -- [{"id", "description"}] in the order shown.
  media jsonb not null default '[]',
  poll_options text[],
  created_at timestamptz not null
);
create index status_edits_status on status_edits (status_id, id);
`

const quotes = `
create table quotes (
  status_id bigint primary key references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  quoted_status_id bigint references statuses (id) on delete set null,
  quoted_account_id bigint references accounts (id) on delete set null,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked', 'deleted')),
  -- Of other servers: the request, and the stamp that proves its acceptance.
  uri text unique,
  approval_uri text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index quotes_of on quotes (quoted_status_id, status_id desc) where state = 'accepted';
create index quotes_quoted on quotes (quoted_status_id) where quoted_status_id is not null;
create index quotes_account on quotes (account_id);
create index quotes_quoted_account on quotes (quoted_account_id) where quoted_account_id is not null;

-- Who may quote a status at once, and who after asking: 'public', 'followers', 'following'.
alter table statuses add column quote_automatic text[] not null default '{}';
alter table statuses add column quote_manual text[] not null default '{}';
`

const cards = `
create table preview_cards (
  id bigint primary key,
  -- As posts link to it. The page may want to be known under another address.
  url text not null,
  canonical_url text,
  -- SHA-256 of the address: addresses are too long for an index.
  url_hash bytea not null unique,
  type text not null default 'link' check (type in ('link', 'photo', 'video', 'rich')),
  title text not null default '',
  description text not null default '',
  language text,
  author_name text not null default '',
  author_url text not null default '',
  author_account_id bigint references accounts (id) on delete set null,
  provider_name text not null default '',
  provider_url text not null default '',
  html text not null default '',
  embed_url text not null default '',
  width integer not null default 0,
  height integer not null default 0,
  image_key text,
  image_bytes bigint not null default 0,
  image_description text not null default '',
  blurhash text,
  published_at timestamptz,
  trendable boolean,
  fetched_at timestamptz,
  created_at timestamptz not null default now()
);
create index preview_cards_author on preview_cards (author_account_id) where author_account_id is not null;
create index preview_cards_age on preview_cards (fetched_at);

alter table statuses add column card_id bigint references preview_cards (id) on delete set null;
create index statuses_card on statuses (card_id, id desc) where card_id is not null;
`

const extensions = `
alter table statuses add column content_type text not null default 'text/plain';
alter table statuses add column local_only boolean not null default false;

create table status_reactions (
  id bigint primary key,
  status_id bigint not null references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  -- A Unicode emoji, or the shortcode of a custom one.
  name text not null,
  custom_emoji_id bigint references custom_emojis (id) on delete cascade,
  uri text unique,
  created_at timestamptz not null default now(),
  unique nulls not distinct (status_id, account_id, name, custom_emoji_id)
);
create index status_reactions_account on status_reactions (account_id);
create index status_reactions_emoji on status_reactions (custom_emoji_id) where custom_emoji_id is not null;
alter table status_stats add column reactions_count integer not null default 0 check (reactions_count >= 0);
`

const discovery = `
-- This server's own, by name in any case.
create index custom_emojis_own on custom_emojis (lower(shortcode)) where domain is null;

create table featured_tags (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  statuses_count integer not null default 0 check (statuses_count >= 0),
  last_status_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index featured_tags_tag on featured_tags (tag_id);

create table collections (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  name text not null,
  description text not null default '',
  language text,
  tag_id bigint references tags (id) on delete set null,
  sensitive boolean not null default false,
  discoverable boolean not null default true,
  local boolean not null default true,
  uri text unique,
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index collections_account on collections (account_id, id desc);
create index collections_tag on collections (tag_id) where tag_id is not null;

create table collection_items (
  id bigint primary key,
  collection_id bigint not null references collections (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  position integer not null default 0,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  uri text unique,
  approval_uri text unique,
  created_at timestamptz not null default now(),
  unique (collection_id, account_id)
);
create index collection_items_account on collection_items (account_id, id desc);

-- This server's collections whose addresses a status names, in its order. Those that are deleted stay here.
alter table statuses add column collection_ids bigint[] not null default '{}';

create table annual_reports (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  year integer not null,
  schema_version integer not null,
  -- Null while it is being made.
  data jsonb,
  viewed_at timestamptz,
  -- When it was asked for.
  created_at timestamptz not null default now(),
  unique (account_id, year)
);

-- What a notification is about, other than a status.
alter table notifications drop constraint notifications_account_id_from_account_id_type_status_id_key;
alter table notifications add column collection_id bigint references collections (id) on delete cascade;
alter table notifications add column reaction_id bigint references status_reactions (id) on delete cascade;
alter table notifications add column annual_report_id bigint references annual_reports (id) on delete cascade;
alter table notifications add constraint notifications_once unique nulls not distinct
  (account_id, from_account_id, type, status_id, collection_id, reaction_id, annual_report_id);
create index notifications_collection on notifications (collection_id) where collection_id is not null;
create index notifications_reaction on notifications (reaction_id) where reaction_id is not null;
create index notifications_annual_report on notifications (annual_report_id) where annual_report_id is not null;
`
