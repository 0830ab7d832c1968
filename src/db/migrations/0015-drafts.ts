import { sql, type Kysely } from 'kysely'

/** Drafts: posts that are being written. What they hold of media is not swept, and what they answer and quote is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(drafts).execute(db)
}

const drafts = `
create table drafts (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  -- Rises with each change: who changes it says which one they have read.
  version integer not null default 1,
  content jsonb not null,
  -- What it answers and quotes.
  status_ids bigint[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index drafts_list on drafts (account_id, id desc);
create index drafts_statuses on drafts using gin (status_ids);

alter table media_attachments add draft_id bigint references drafts (id) on delete set null;
create index media_attachments_draft on media_attachments (draft_id) where draft_id is not null;
drop index media_attachments_unattached;
create index media_attachments_unattached on media_attachments (free_since)
  where status_id is null and scheduled_status_id is null and draft_id is null;

-- What else was made with the same key: the further posts of a thread, in their order.
alter table idempotency_keys add further_ids bigint[] not null default '{}';
`
