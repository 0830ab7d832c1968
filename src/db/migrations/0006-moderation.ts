import { sql, type Kysely } from 'kysely'

/** What people who run the server need to keep it safe and small. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [staff, strikes, gates, hosts, trends, upkeep, spam, secondFactors]) {
    await sql.raw(statements).execute(db)
  }
}

const staff = `
alter table roles
  add column require_2fa boolean not null default false,
  -- How many collections its people may have.
  add column collection_limit integer not null default 10,
  add column updated_at timestamptz not null default now();

-- What staff did. Rows are never changed.
create table audit_log (
  id bigint primary key,
  -- Null: whoever has the command line, or a rule of the server's own (see actor).
  account_id bigint references accounts (id) on delete set null,
  actor text not null default 'staff' check (actor in ('staff', 'operator', 'server')),
  action text not null,
  target_type text not null,
  target_id bigint,
  -- What it was called then.
  target_label text not null default '',
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_account on audit_log (account_id, id desc);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_type on audit_log (target_type, id desc);
create index audit_log_target on audit_log (target_id, id desc) where target_id is not null;

create table webhooks (
  id bigint primary key,
  url text not null unique,
  events text[] not null default '{}',
  -- Signs what is sent.
  secret text not null,
  enabled boolean not null default true,
  -- How the last try ended.
  last_status integer,
  last_error text,
  last_tried_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Pictures that staff chose for the server.
create table site_uploads (
  name text primary key,
  file_key text not null,
  bytes bigint not null default 0,
  width integer,
  height integer,
  blurhash text,
  -- Other sizes: name to key.
  versions jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

create index custom_emojis_domain on custom_emojis (domain, id);

alter table terms_of_service
  add column changelog text not null default '',
  add column notified_at timestamptz,
  -- The last user who was mailed of them.
  add column notified_up_to bigint not null default 0,
  add column updated_at timestamptz not null default now();
alter table rules add column updated_at timestamptz not null default now();
`

const strikes = `
create table warning_presets (
  id bigint primary key,
  title text not null default '',
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table appeals (
  id bigint primary key,
  warning_id bigint not null unique references account_warnings (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  text text not null,
  approved_at timestamptz,
  rejected_at timestamptz,
  decided_by_account_id bigint references accounts (id) on delete set null,
  created_at timestamptz not null default now()
);
create index appeals_waiting on appeals (id desc) where approved_at is null and rejected_at is null;
create index appeals_approved on appeals (id desc) where approved_at is not null;
create index appeals_rejected on appeals (id desc) where rejected_at is not null;
create index appeals_account on appeals (account_id);
create index appeals_decided_by on appeals (decided_by_account_id) where decided_by_account_id is not null;

-- Limits that end by themselves.
create table account_limit_ends (
  account_id bigint not null references accounts (id) on delete cascade,
  limit_kind text not null check (limit_kind in ('sensitive', 'disable', 'silence', 'suspend')),
  ends_at timestamptz not null,
  primary key (account_id, limit_kind)
);
create index account_limit_ends_due on account_limit_ends (ends_at);

-- Suspended accounts of this server whose data goes at this time.
alter table accounts add column deletion_due_at timestamptz;
create index accounts_deletion_due on accounts (deletion_due_at) where deletion_due_at is not null;
create index accounts_suspended on accounts (id desc) where suspended_at is not null and deleted_at is null;
create index accounts_silenced on accounts (id desc) where silenced_at is not null;
create index accounts_sensitized on accounts (id desc) where sensitized_at is not null;
create index accounts_local on accounts (id desc) where domain is null and deleted_at is null;
-- Names of servers from their end: a block holds for what is below a domain, and looks for it there.
create index accounts_domain_turned on accounts ((reverse(regexp_replace(domain, ':[0-9]+$', '')) collate "C"))
  where domain is not null;
create index accounts_uri_host_turned on accounts ((reverse(regexp_replace(uri_host, ':[0-9]+$', '')) collate "C"))
  where uri_host <> domain;
create index severance_events_target on severance_events (target_name);

create index reports_resolved on reports (id desc) where action_taken_at is not null;

-- What staff tell each other about a report or an account.
create table moderation_notes (
  id bigint primary key,
  account_id bigint references accounts (id) on delete set null,
  report_id bigint references reports (id) on delete cascade,
  target_account_id bigint references accounts (id) on delete cascade,
  text text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(report_id, target_account_id) = 1)
);
create index moderation_notes_account on moderation_notes (account_id);
create index moderation_notes_report on moderation_notes (report_id, id) where report_id is not null;
create index moderation_notes_target on moderation_notes (target_account_id, id) where target_account_id is not null;
`

const gates = `
create table email_domain_blocks (
  id bigint primary key,
  domain text not null unique,
  allow_with_approval boolean not null default false,
  -- The block whose mail servers led to this one.
  parent_id bigint references email_domain_blocks (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index email_domain_blocks_parent on email_domain_blocks (parent_id) where parent_id is not null;

-- Sign-ups that a block met, day by day.
create table email_domain_block_days (
  block_id bigint not null references email_domain_blocks (id) on delete cascade,
  day date not null,
  uses integer not null default 0,
  -- From how many different addresses they came.
  accounts integer not null default 0,
  primary key (block_id, day)
);

create table ip_blocks (
  id bigint primary key,
  ip cidr not null unique,
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null default '',
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table canonical_email_blocks (
  id bigint primary key,
  -- SHA-256 in hex of the canonical address.
  canonical_email_hash text not null unique,
  -- Because of whom, if somebody here had it.
  reference_account_id bigint references accounts (id) on delete set null,
  created_at timestamptz not null default now()
);
create index canonical_email_blocks_reference on canonical_email_blocks (reference_account_id)
  where reference_account_id is not null;

create table username_blocks (
  id bigint primary key,
  username text not null,
  -- Look-alikes of letters turned into them.
  normalized_username text not null unique,
  -- The whole name, or any part of it.
  exact boolean not null default true,
  allow_with_approval boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table invites (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  code text not null unique,
  max_uses integer,
  uses integer not null default 0,
  expires_at timestamptz,
  -- Whoever comes by it follows its maker.
  autofollow boolean not null default false,
  comment text not null default '',
  created_at timestamptz not null default now()
);
create index invites_account on invites (account_id, id desc);

alter table users add column invite_id bigint references invites (id) on delete set null;
create index users_invite on users (invite_id) where invite_id is not null;
create index users_sign_up_ip on users (sign_up_ip) where sign_up_ip is not null;
create index users_created on users (created_at);
create index users_pending on users (id desc) where not approved;
create index users_disabled on users (id desc) where disabled;
create index users_unconfirmed on users (created_at) where confirmed_at is null;
create index users_email_names on users (lower(email) text_pattern_ops);
create index sessions_ip on sessions (ip) where ip is not null;
create index sign_ins_ip on sign_ins (ip) where ip is not null;
`

const hosts = `
-- Lists of servers that others publish.
create table block_list_subscriptions (
  id bigint primary key,
  title text not null default '',
  url text not null unique,
  -- What its entries do at most.
  most_severity text not null default 'suspend' check (most_severity in ('noop', 'silence', 'suspend')),
  -- Whether what it lists is applied, or only shown.
  applied boolean not null default false,
  -- Whether blocks that it no longer lists are lifted.
  retract boolean not null default true,
  fetched_at timestamptz,
  tried_at timestamptz,
  etag text,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table block_list_entries (
  subscription_id bigint not null references block_list_subscriptions (id) on delete cascade,
  domain text not null,
  severity text not null,
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  obfuscate boolean not null default false,
  public_comment text not null default '',
  primary key (subscription_id, domain)
);
create index block_list_entries_domain on block_list_entries (domain);

-- Servers that no list may block.
create table block_list_exclusions (
  domain text primary key,
  comment text not null default '',
  created_at timestamptz not null default now()
);

alter table domain_blocks
  -- The list that made it, and alone may change and lift it. Staff who change it make it theirs.
  add column subscription_id bigint references block_list_subscriptions (id) on delete set null;
create index domain_blocks_subscription on domain_blocks (subscription_id) where subscription_id is not null;
`

const trends = `
create table preview_card_providers (
  id bigint primary key,
  domain text not null unique,
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

alter table preview_cards add column provider_id bigint references preview_card_providers (id) on delete set null;
create index preview_cards_provider on preview_cards (provider_id) where provider_id is not null;

-- Accounts that are suggested to nobody.
create table suppressed_recommendations (
  account_id bigint primary key references accounts (id) on delete cascade,
  created_at timestamptz not null default now()
);

-- What the dashboard shows. Days are those of UTC. A job counts today and the days before it again and again, so that
-- these rows may be late, never wrong for long.
create table daily_counts (
  day date not null,
  name text not null,
  count bigint not null default 0,
  primary key (name, day)
);
-- How many people were here on a day, by how many days ago they had been here last: 0 for never. Those who were here on
-- any day of a span are those whose last time lies before the span, so nobody is counted twice.
create table activity_gaps (
  day date not null,
  gap integer not null,
  users integer not null,
  primary key (day, gap)
);
-- Of those who signed up on a day, how many were here on a later one, and how many of them for the first time in its month.
create table retention_counts (
  cohort date not null,
  day date not null,
  users integer not null,
  first_in_month integer not null,
  primary key (cohort, day)
);
create index retention_counts_day on retention_counts (day);
create table host_daily_counts (
  host text not null,
  -- accounts, statuses, media_attachments (bytes), reports, follows, followers, or language: and a language.
  name text not null,
  day date not null,
  count bigint not null default 0,
  primary key (host, name, day)
);
create index host_daily_counts_day on host_daily_counts (day, name) include (host, count);
-- All that there was of other servers before a day.
create table host_totals (
  host text primary key,
  accounts bigint not null default 0,
  statuses bigint not null default 0,
  media_attachments bigint not null default 0,
  reports bigint not null default 0,
  follows bigint not null default 0,
  followers bigint not null default 0,
  -- Whom most people here follow: [{ username, followers }].
  top_accounts jsonb not null default '[]',
  day date not null
);
create table tag_daily_counts (
  tag_id bigint not null references tags (id) on delete cascade,
  -- uses, accounts or servers.
  name text not null,
  day date not null,
  count bigint not null default 0,
  primary key (tag_id, name, day)
);
create index tag_daily_counts_day on tag_daily_counts (day);
create index reports_taken_at on reports (action_taken_at) where action_taken_at is not null;
`

const upkeep = `
-- Long work that goes on where it was left, and can be looked at.
create table upkeep_runs (
  name text primary key,
  state text not null default 'idle' check (state in ('idle', 'running', 'paused')),
  -- Where it is.
  cursor jsonb not null default '{}',
  examined bigint not null default 0,
  removed bigint not null default 0,
  -- How much there was to look at when it began, about.
  expected bigint,
  error text,
  started_at timestamptz,
  updated_at timestamptz,
  finished_at timestamptz,
  -- Who works on it, until when.
  leased_until timestamptz
);

-- When people's own posts go by themselves.
create table status_deletion_policies (
  account_id bigint primary key references accounts (id) on delete cascade,
  enabled boolean not null default true,
  -- Seconds.
  min_status_age integer not null default 1209600,
  keep_direct boolean not null default true,
  keep_pinned boolean not null default true,
  keep_polls boolean not null default false,
  keep_media boolean not null default false,
  keep_self_favourite boolean not null default true,
  keep_self_bookmark boolean not null default true,
  min_favourites integer,
  min_reblogs integer,
  -- All older ones were looked at.
  examined_up_to bigint,
  examined_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index status_deletion_policies_due on status_deletion_policies (examined_at nulls first) where enabled;

-- What goes by its age.
create index users_addresses on users (created_at) where sign_up_ip is not null;
create index user_tokens_expiry on user_tokens (expires_at);
create index sessions_addresses on sessions (created_at) where ip is not null;
create index sessions_expiry on sessions (expires_at);
create index oauth_grants_expiry on oauth_grants (expires_at);
create index oauth_tokens_revoked on oauth_tokens (revoked_at) where revoked_at is not null;
create index oauth_tokens_expiry on oauth_tokens (expires_at) where expires_at is not null and refresh_hash is null;
-- What a scheduled status answers or quotes stays.
create index scheduled_statuses_parent on scheduled_statuses ((params ->> 'inReplyToId'))
  where params ->> 'inReplyToId' is not null;
create index scheduled_statuses_quoted on scheduled_statuses ((params ->> 'quotedStatusId'))
  where params ->> 'quotedStatusId' is not null;
`

const spam = `
create table spam_rules (
  id bigint primary key,
  name text not null,
  enabled boolean not null default true,
  -- All must hold.
  conditions jsonb not null,
  action text not null check (action in ('report', 'limit', 'hold', 'reject')),
  hits bigint not null default 0,
  last_hit_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Posts that wait for staff: nobody sees them, and they are no statuses yet.
create table held_posts (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  rule_id bigint references spam_rules (id) on delete set null,
  -- Of a person of this server: what they sent. Of another: the object that came, and to whom.
  params jsonb not null,
  application_id bigint references applications (id) on delete set null,
  -- Where it is on another server; null: it was written here.
  uri text,
  -- For staff to read.
  content text not null default '',
  -- Staff let it through, and it is about to be stored.
  released_at timestamptz,
  created_at timestamptz not null default now()
);
create index held_posts_account on held_posts (account_id);
create index held_posts_rule on held_posts (rule_id, id desc) where rule_id is not null;
create index held_posts_application on held_posts (application_id) where application_id is not null;
create unique index held_posts_uri on held_posts (uri) where uri is not null;

-- Where rules matched, and what they did, so that it can be undone.
create table spam_hits (
  id bigint primary key,
  rule_id bigint references spam_rules (id) on delete set null,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint,
  report_id bigint references reports (id) on delete set null,
  -- The strike of the limit that it led to.
  warning_id bigint,
  held_post_id bigint,
  uri text,
  action text not null,
  -- False: a stricter rule matched too, and its action was taken.
  decisive boolean not null,
  -- The rule's counter has it.
  counted boolean not null default false,
  undone_at timestamptz,
  created_at timestamptz not null default now()
);
create index spam_hits_rule on spam_hits (rule_id, id desc) where rule_id is not null;
create index spam_hits_account on spam_hits (account_id, id desc);
create index spam_hits_report on spam_hits (report_id) where report_id is not null;

-- SHA-256 of what was uploaded.
alter table media_attachments add column content_hash bytea;
`

const secondFactors = `
alter table users
  -- Sealed with a key that is not in here.
  add column otp_secret_sealed text,
  add column otp_enabled_at timestamptz,
  -- The time step of the last code that was taken: none counts twice.
  add column otp_last_step bigint;

create table recovery_codes (
  id bigint primary key,
  user_id bigint not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index recovery_codes_user on recovery_codes (user_id);

create table passkeys (
  id bigint primary key,
  user_id bigint not null references users (id) on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  nickname text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- About when an app last came with it: at most a day old.
alter table oauth_tokens add column last_used_at timestamptz;
`
