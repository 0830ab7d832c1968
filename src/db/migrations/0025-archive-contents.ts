import { sql, type Kysely } from 'kysely'

/** What is in an archive that somebody brought along, told before it is imported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_imports add column contents jsonb`.execute(db)
}
