import { sql, type Kysely } from 'kysely'

/** That the push service ended the subscription of a token, and nobody else did: its app may go on with another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table oauth_tokens add column push_lost_at timestamptz`.execute(db)
}
