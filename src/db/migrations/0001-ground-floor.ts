import { sql, type Kysely } from 'kysely'

/**
 * The ground floor: accounts and sign-in, relationships, statuses, feeds, notifications, instance.
 * Feeds are unlogged: they can be rebuilt from what is logged, so they need no write-ahead log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [instance, accounts, oauth, relationships, statuses, feeds, outbox]) {
    await sql.raw(statements).execute(db)
  }
}

const instance = `
create sequence process_node;

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table secrets (name text primary key, value text not null);

create table rules (
  id bigint primary key,
  text text not null,
  hint text not null default '',
  priority integer not null default 0,
  translations jsonb not null default '{}',
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);

create table terms_of_service (
  id bigint primary key,
  text text not null,
  effective_date date not null,
  published_at timestamptz,
  created_at timestamptz not null default now()
);

create table custom_emojis (
  id bigint primary key,
  shortcode text not null,
  domain text,
  image_key text,
  static_key text,
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  updated_at timestamptz not null default now(),
  unique nulls not distinct (shortcode, domain)
);

create table domain_blocks (
  id bigint primary key,
  domain text not null unique,
  severity text not null default 'silence' check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  obfuscate boolean not null default false,
  private_comment text,
  public_comment text,
  created_at timestamptz not null default now()
);
`

const accounts = `
create table roles (
  id bigint primary key,
  name text not null,
  color text not null default '',
  permissions bigint not null default 0,
  position integer not null default 0,
  highlighted boolean not null default false,
  created_at timestamptz not null default now()
);
insert into roles (id, name, permissions, position, highlighted) values
  (-99, '', 65536, -1, false),
  (1, 'Moderator', 1308, 10, true),
  (2, 'Admin', 983036, 100, true),
  (3, 'Owner', 1, 1000, true);

create table accounts (
  id bigint primary key,
  username text not null,
  domain text,
  display_name text not null default '',
  note text not null default '',
  note_html text not null default '',
  fields jsonb not null default '[]',
  actor_type text not null default 'Person',
  locked boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  attribution_domains text[] not null default '{}',
  avatar_key text,
  avatar_static_key text,
  avatar_description text not null default '',
  header_key text,
  header_static_key text,
  header_description text not null default '',
  memorial boolean not null default false,
  moved_to_account_id bigint references accounts (id) on delete set null,
  silenced_at timestamptz,
  suspended_at timestamptz,
  sensitized_at timestamptz,
  deleted_at timestamptz,
  uri text unique,
  url text,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index accounts_acct on accounts (lower(username), coalesce(domain, ''));
create index accounts_username_prefix on accounts (lower(username) text_pattern_ops);
create index accounts_display_name_prefix on accounts (lower(display_name) text_pattern_ops);
create index accounts_domain on accounts (domain) where domain is not null;

create table account_stats (
  account_id bigint primary key references accounts (id) on delete cascade,
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  statuses_count integer not null default 0 check (statuses_count >= 0),
  last_status_at timestamptz
) with (fillfactor = 60);

create table users (
  id bigint primary key,
  account_id bigint not null unique references accounts (id) on delete cascade,
  email text not null,
  email_canonical text not null,
  unconfirmed_email text,
  password_hash text not null,
  confirmed_at timestamptz,
  approved boolean not null default true,
  disabled boolean not null default false,
  role_id bigint references roles (id) on delete set null,
  locale text not null default 'en',
  time_zone text,
  settings jsonb not null default '{}',
  chosen_languages text[],
  sign_up_ip text,
  sign_up_reason text,
  created_by_application_id bigint,
  last_active_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create index users_unconfirmed_email on users (lower(unconfirmed_email)) where unconfirmed_email is not null;
create index users_email_canonical on users (email_canonical);
create index users_active on users (last_active_at);
create index users_role on users (role_id) where role_id is not null;

create table user_activity (
  user_id bigint not null references users (id) on delete cascade,
  day date not null,
  primary key (user_id, day)
);
create index user_activity_day on user_activity (day);

create table activity_weeks (
  week date primary key,
  statuses integer not null default 0,
  registrations integer not null default 0
);

create table user_tokens (
  id bigint primary key,
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('confirmation', 'reset')),
  email text,
  redirect_uri text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index user_tokens_user on user_tokens (user_id, purpose);

create table sessions (
  id bigint primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users (id) on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
`

const oauth = `
create table applications (
  id bigint primary key,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_id text not null unique,
  client_secret_hash bytea not null,
  created_at timestamptz not null default now()
);
alter table users add foreign key (created_by_application_id) references applications (id) on delete set null;
create index users_application on users (created_by_application_id) where created_by_application_id is not null;

create table oauth_grants (
  id bigint primary key,
  code_hash bytea not null unique,
  application_id bigint not null references applications (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  used_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index oauth_grants_application on oauth_grants (application_id);
create index oauth_grants_user on oauth_grants (user_id);

create table oauth_tokens (
  id bigint primary key,
  token_hash bytea not null unique,
  refresh_hash bytea unique,
  application_id bigint references applications (id) on delete cascade,
  user_id bigint references users (id) on delete cascade,
  grant_id bigint references oauth_grants (id) on delete set null,
  session_id bigint references sessions (id) on delete cascade,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index oauth_tokens_user on oauth_tokens (user_id);
create index oauth_tokens_application on oauth_tokens (application_id);
create index oauth_tokens_grant on oauth_tokens (grant_id) where grant_id is not null;
create index oauth_tokens_session on oauth_tokens (session_id) where session_id is not null;
`

const relationships = `
create table follows (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text unique,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index follows_following on follows (account_id, id desc);
create index follows_followers on follows (target_account_id, id desc);
create index follows_notify on follows (target_account_id) where notify;

create table follow_requests (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text unique,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index follow_requests_waiting on follow_requests (target_account_id, id desc);

create table blocks (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  uri text unique,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index blocks_list on blocks (account_id, id desc);
create index blocks_target on blocks (target_account_id, account_id);

create table mutes (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  hide_notifications boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index mutes_list on mutes (account_id, id desc);
create index mutes_target on mutes (target_account_id);
create index mutes_expiry on mutes (expires_at) where expires_at is not null;

create table account_domain_blocks (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  domain text not null,
  created_at timestamptz not null default now(),
  unique (account_id, domain)
);
create index account_domain_blocks_list on account_domain_blocks (account_id, id desc);

create table account_notes (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  comment text not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index account_notes_target on account_notes (target_account_id);

create table endorsements (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index endorsements_list on endorsements (account_id, id desc);
create index endorsements_target on endorsements (target_account_id);
`

const statuses = `
create table tags (
  id bigint primary key,
  name text not null unique,
  display_name text not null,
  usable boolean not null default true,
  listable boolean not null default true,
  trendable boolean,
  reviewed_at timestamptz,
  last_status_at timestamptz,
  created_at timestamptz not null default now()
);

create index tags_prefix on tags (name text_pattern_ops);

create table tag_follows (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index tag_follows_list on tag_follows (account_id, id desc);
create index tag_follows_tag on tag_follows (tag_id);

create table conversations (
  id bigint primary key,
  uri text unique,
  created_at timestamptz not null default now()
);

create table statuses (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  text text not null default '',
  content text not null default '',
  spoiler_text text not null default '',
  visibility text not null check (visibility in ('public', 'unlisted', 'private', 'direct', 'limited')),
  sensitive boolean not null default false,
  language text,
  local boolean not null default true,
  reply boolean not null default false,
  in_reply_to_id bigint references statuses (id) on delete set null,
  in_reply_to_account_id bigint references accounts (id) on delete set null,
  reblog_of_id bigint references statuses (id) on delete cascade,
  conversation_id bigint references conversations (id) on delete set null,
  application_id bigint references applications (id) on delete set null,
  uri text unique,
  url text,
  version integer not null default 0,
  edited_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create index statuses_account on statuses (account_id, id desc) where deleted_at is null;
create unique index statuses_reblog on statuses (reblog_of_id, account_id) where reblog_of_id is not null and deleted_at is null;
create index statuses_reblogs on statuses (reblog_of_id, id desc) where reblog_of_id is not null;
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
create index statuses_reply_account on statuses (in_reply_to_account_id) where in_reply_to_account_id is not null;
create index statuses_conversation on statuses (conversation_id, id);
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;
create index statuses_application on statuses (application_id) where application_id is not null;
create index statuses_public on statuses (id desc)
  where visibility = 'public' and reblog_of_id is null and deleted_at is null
    and (not reply or in_reply_to_account_id = account_id);
create index statuses_public_local on statuses (id desc)
  where local and visibility = 'public' and reblog_of_id is null and deleted_at is null
    and (not reply or in_reply_to_account_id = account_id);
create index statuses_local on statuses (id) include (reply)
  where local and deleted_at is null and reblog_of_id is null;

create table status_stats (
  status_id bigint primary key references statuses (id) on delete cascade,
  replies_count integer not null default 0 check (replies_count >= 0),
  reblogs_count integer not null default 0 check (reblogs_count >= 0),
  favourites_count integer not null default 0 check (favourites_count >= 0),
  quotes_count integer not null default 0 check (quotes_count >= 0)
) with (fillfactor = 60);

create table mentions (
  status_id bigint not null references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  silent boolean not null default false,
  primary key (status_id, account_id)
);
create index mentions_account on mentions (account_id, status_id desc);

create table status_tags (
  tag_id bigint not null references tags (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  primary key (tag_id, status_id)
);
create index status_tags_status on status_tags (status_id);

create table favourites (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);
create index favourites_list on favourites (account_id, id desc);
create index favourites_status on favourites (status_id, id desc);

create table bookmarks (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);
create index bookmarks_list on bookmarks (account_id, id desc);
create index bookmarks_status on bookmarks (status_id);

create table status_pins (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null unique references statuses (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index status_pins_list on status_pins (account_id, id desc);

create table conversation_mutes (
  account_id bigint not null references accounts (id) on delete cascade,
  conversation_id bigint not null references conversations (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, conversation_id)
);
create index conversation_mutes_conversation on conversation_mutes (conversation_id);

create table idempotency_keys (
  account_id bigint not null references accounts (id) on delete cascade,
  key text not null,
  status_id bigint not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
`

const feeds = `
create unlogged table home_entries (
  account_id bigint not null,
  status_id bigint not null,
  reblog_of_id bigint,
  primary key (account_id, status_id)
);
create index home_entries_status on home_entries (status_id);
create unlogged table home_feeds (
  account_id bigint primary key,
  built_at timestamptz
);

create table notifications (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  type text not null,
  status_id bigint references statuses (id) on delete cascade,
  group_key text not null,
  filtered boolean not null default false,
  created_at timestamptz not null default now(),
  unique nulls not distinct (account_id, from_account_id, type, status_id)
);
create index notifications_list on notifications (account_id, id desc) where not filtered;
create index notifications_from on notifications (from_account_id, account_id);
create index notifications_kind on notifications (account_id, type, id desc);
create index notifications_status on notifications (status_id, type, id desc) where status_id is not null;
-- The low bits of their ids: rows are made many at a time, by one statement.
create sequence notification_ids;

create table markers (
  account_id bigint not null references accounts (id) on delete cascade,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  version integer not null,
  updated_at timestamptz not null,
  primary key (account_id, timeline)
);
`

const outbox = `
create table outbox (
  id bigint generated always as identity primary key,
  event jsonb not null,
  attempts integer not null default 0,
  claimed_until timestamptz,
  error text,
  failed_at timestamptz,
  created_at timestamptz not null default now()
);
`
