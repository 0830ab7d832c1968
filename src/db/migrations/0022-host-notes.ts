import { sql, type Kysely } from 'kysely'

/** What staff tell each other about another server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table host_notes (
      id bigint primary key,
      account_id bigint references accounts (id) on delete set null,
      domain text not null,
      text text not null,
      created_at timestamptz not null default now())`.execute(db)
  await sql`create index host_notes_domain on host_notes (domain, id)`.execute(db)
  await sql`create index host_notes_account on host_notes (account_id)`.execute(db)
}
