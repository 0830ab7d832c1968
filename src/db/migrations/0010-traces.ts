import { sql, type Kysely } from 'kysely'

/** Work that waits knows the trace that it belongs to (W3C `traceparent`); null where nothing is traced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['outbox', 'incoming_activities', 'outgoing_activities'])
    await sql`alter table ${sql.table(table)} add column traceparent text`.execute(db)
}
