import type pg from 'pg'
import { streamOf } from './statements.ts'

/** Milliseconds for which the database may take to hear it. */
const patience = 2_000

/**
 * Ends a connection that nobody uses any more. One that went without a word would be waited for as long as TCP tries to
 * tell the other side, which is a quarter of an hour. Never rejects.
 */
export async function sayGoodbye(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => streamOf(client).destroy(), patience)
  await client.end().catch(() => {})
  clearTimeout(timer)
}
