import { sql, type Kysely } from 'kysely'

/** A rule of the notification policy: what becomes of what automated accounts do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notification_policies
      add column for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))`.execute(
    db,
  )
}
