import { sql, type Kysely } from 'kysely'

/** Whose replies the author of a status takes. Null: those of all who see it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table statuses add reply_automatic text[], add reply_manual text[]`.execute(db)
}
