import { sql, type Kysely } from 'kysely'

/**
 * How many owners the entries of feeds have is not counted, but taken to be one for each twenty. They are counted while few
 * have a feed, and until the next count a page of one feed was looked for among the newest entries of all feeds, since the
 * planner took those of one owner for nearly all there are: 3,834 pages with 200 feeds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table home_entries alter column account_id set (n_distinct = -0.05)`.execute(db)
  await sql`alter table list_entries alter column list_id set (n_distinct = -0.05)`.execute(db)
  await sql`analyze home_entries, list_entries`.execute(db)
}
