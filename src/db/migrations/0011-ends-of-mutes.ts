import { sql, type Kysely } from 'kysely'

/** Whoever reads a feed looks for mutes of its owner that are over: hardly ever are there any. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mutes_ends on mutes (account_id, expires_at) where expires_at is not null`.execute(
    db,
  )
}
