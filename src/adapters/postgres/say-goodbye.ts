import type pg from 'pg'
import { cutAfter, streamOf } from './statements.ts'

/** Milliseconds for which the database may take to hear it. */
const patience = 2_000

/**
 * Ends a connection that nobody uses any more. One that went without a word would be waited for as long as TCP tries to
 * tell the other side, which is a quarter of an hour. Never rejects.
 */
export const sayGoodbye = (client: pg.Client): Promise<void> =>
  cutAfter(patience, client, client.end()).catch(() => {})

/** Ends one that was refused and not hung up on: nobody would answer a goodbye. */
export const hangUp = (client: pg.Client): void => void streamOf(client).destroy()
