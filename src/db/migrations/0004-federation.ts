import { sql, type Kysely } from 'kysely'

/** Other servers: their actors, keys and documents, what comes in and what goes out, and how they are moderated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [actors, documents, hosts, traffic, moderation, moves]) {
    await sql.raw(statements).execute(db)
  }
}

const actors = `
alter table accounts
  add column uri_host text,
  add column inbox_url text,
  add column shared_inbox_url text,
  add column outbox_url text,
  add column followers_url text,
  add column following_url text,
  add column featured_url text,
  add column featured_tags_url text,
  add column avatar_remote_url text,
  add column header_remote_url text,
  add column also_known_as text[] not null default '{}',
  -- When its document was last read, and when that was last tried.
  add column fetched_at timestamptz,
  add column tried_at timestamptz,
  -- Its own server says that it is suspended there.
  add column suspended_by_origin boolean not null default false;
create index accounts_uri_host on accounts (uri_host) where uri_host is not null;
create index accounts_fetched_at on accounts (fetched_at) where domain is not null and deleted_at is null;
create index accounts_followers_url on accounts (followers_url) where followers_url is not null;

-- One pair of keys for each local account, made when first needed. No account: the instance actor.
create table signing_keys (
  id bigint primary key,
  account_id bigint unique nulls not distinct references accounts (id) on delete cascade,
  rsa_private_pem text not null,
  rsa_public_pem text not null,
  ed25519_private_pem text not null,
  ed25519_public_pem text not null,
  created_at timestamptz not null default now()
);

-- Public keys of actors elsewhere, by the id under which they sign.
create table remote_keys (
  key_id text primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  pem text not null,
  fetched_at timestamptz not null
);
create index remote_keys_account on remote_keys (account_id);

alter table custom_emojis
  add column uri text,
  add column remote_image_url text,
  add column remote_updated_at timestamptz;
`

const documents = `
alter table statuses
  -- Where the server that has it lists the replies.
  add column replies_url text,
  add column replies_fetched_at timestamptz,
  add column fetched_at timestamptz;
-- The activity that made it, by which other servers take it back.
alter table favourites add column uri text;
create index favourites_uri on favourites (uri) where uri is not null;
alter table status_stats
  -- What its own server counts. Nobody can check it.
  add column told_favourites_count integer,
  add column told_reblogs_count integer;

-- What was deleted never comes back, in whatever order its activities arrive. SHA-256 of the id.
create table tombstones (
  uri_hash bytea primary key,
  -- Null: for ever. What we never had is remembered for a time only.
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index tombstones_expiry on tombstones (expires_at) where expires_at is not null;
`

const hosts = `
-- Every server that was heard of, with its port where it is not the default one.
create table hosts (
  host text primary key,
  software text,
  software_version text,
  info_fetched_at timestamptz,
  -- The kind of HTTP signature it last accepted.
  signature_scheme text check (signature_scheme in ('cavage', 'rfc9421')),
  -- Failures in a row; nothing is sent before this time.
  failures integer not null default 0,
  closed_until timestamptz,
  -- Days with failures since it last answered: after seven nothing is sent until it is heard of again.
  failed_days integer not null default 0,
  last_failed_day date,
  -- When something is to be sent there next, and until when one process alone does that.
  deliver_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null default now()
);
create index hosts_deliver on hosts (deliver_at) where deliver_at is not null;
`

const traffic = `
-- What other servers sent, as they sent it, until it is dealt with.
create table incoming_activities (
  id bigint primary key,
  -- Who signed the request.
  signer_id bigint not null references accounts (id) on delete cascade,
  -- The signer's, as it was then: none takes all the room.
  host text not null,
  -- Of the activity's id and the signer, so that copies that wait are one.
  digest bytea not null unique,
  body text not null,
  -- Whose personal inbox it came to.
  recipient_id bigint references accounts (id) on delete set null,
  -- When its request was signed.
  signed_at timestamptz,
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- How often it was taken up and not finished: 0 for one that nobody has taken yet.
  suspected integer not null default 0,
  -- Set aside, because it ended the process each time.
  failed_at timestamptz,
  created_at timestamptz not null default now()
);
create index incoming_activities_due on incoming_activities (due_at, id) where failed_at is null;
create index incoming_activities_host on incoming_activities (host);
create index incoming_activities_signer on incoming_activities (signer_id);
create index incoming_activities_recipient on incoming_activities (recipient_id);

-- An activity is built once and sent to many.
create table outgoing_activities (
  id bigint primary key,
  -- Whose key signs it. Null: the instance actor.
  account_id bigint references accounts (id) on delete cascade,
  -- Of the activity's id, so that what an effect sends twice waits once.
  digest bytea not null unique,
  body text not null,
  -- Whether the header of FEP-8fcf goes along.
  synchronise boolean not null default false,
  created_at timestamptz not null default now()
);
create index outgoing_activities_account on outgoing_activities (account_id);

-- One inbox that is still to get one activity.
create table deliveries (
  id bigint primary key,
  activity_id bigint not null references outgoing_activities (id) on delete cascade,
  host text not null,
  inbox_url text not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (activity_id, inbox_url)
);
create index deliveries_host on deliveries (host, due_at, id);

create table relays (
  id bigint primary key,
  inbox_url text not null unique,
  -- Null: a relay whose actor is not known, followed by the public collection.
  actor_uri text,
  follow_uri text,
  state text not null default 'idle' check (state in ('idle', 'pending', 'accepted', 'rejected')),
  created_at timestamptz not null default now()
);
`

const moderation = `
create table domain_allows (
  id bigint primary key,
  domain text not null unique,
  created_at timestamptz not null default now()
);
alter table reports add column forwarded_to text[] not null default '{}';
`

const moves = `
-- Earlier accounts that a person says are theirs, so that those can move here.
create table account_aliases (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  acct text not null,
  uri text not null,
  created_at timestamptz not null default now(),
  unique (account_id, uri)
);

create table account_migrations (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  acct text not null,
  target_account_id bigint references accounts (id) on delete set null,
  followers_count integer not null default 0,
  created_at timestamptz not null default now()
);
create index account_migrations_account on account_migrations (account_id, id desc);
create index account_migrations_target on account_migrations (target_account_id);
`
