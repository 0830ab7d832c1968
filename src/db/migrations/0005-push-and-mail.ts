import { sql, type Kysely } from 'kysely'

/** Who is told by push, and what mails need to know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [push, mail]) await sql.raw(statements).execute(db)
}

const push = `
-- One for each token at most: it ends with it.
create table web_push_subscriptions (
  id bigint primary key,
  token_id bigint not null unique references oauth_tokens (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  endpoint text not null,
  key_p256dh text not null,
  key_auth text not null,
  -- The token itself, which messages carry so that apps know whose they are: sealed with a key that is not in here.
  token_sealed text not null,
  -- As RFC 8291 has it, or as it was before.
  standard boolean not null default true,
  policy text not null default 'all' check (policy in ('all', 'followed', 'follower', 'none')),
  alerts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index web_push_subscriptions_account on web_push_subscriptions (account_id);
`

const mail = `
-- From where people signed in, to tell them of a new place.
create table sign_ins (
  id bigint primary key,
  user_id bigint not null references users (id) on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null default now()
);
create index sign_ins_user on sign_ins (user_id, id desc);
-- Where somebody is signed in now is no new place.
insert into sign_ins (id, user_id, ip, user_agent, created_at)
select id, user_id, ip, user_agent, created_at from sessions;
alter table users
  -- When they were last told by mail what they missed.
  add column digest_sent_at timestamptz;
`
