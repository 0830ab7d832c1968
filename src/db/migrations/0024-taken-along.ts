import { sql, type Kysely } from 'kysely'

/** What people take along: the names of whom they lost when follows were severed, and how far the making of an archive is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(severedFollows).execute(db)
  await sql`
    alter table backups add column processed_items integer not null default 0,
      add column total_items integer not null default 0`.execute(db)
}

const severedFollows = `
create table severed_follows (
  severance_id bigint not null references account_severances (id) on delete cascade,
  -- Who had followed, or was followed.
  account_id bigint not null references accounts (id) on delete cascade,
  direction text not null check (direction in ('follower', 'following')),
  show_reblogs boolean not null,
  notify boolean not null,
  languages text[],
  primary key (severance_id, direction, account_id)
);
create index severed_follows_account on severed_follows (account_id);
`
