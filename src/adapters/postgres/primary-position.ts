// How far the database itself has come. Whatever was committed, and could be seen there, before it was asked is not beyond that.
import type pg from 'pg'
import { askAnew } from '#lib/concurrency/ask-anew.ts'
import { openLine } from './question-line.ts'
import { parseLsn, type Position } from './log-position.ts'

/**
 * A commit is seen by others once its record is on the disk; where commits do not wait for that, once it is written down
 * at all.
 */
const question = `
  with log as (
    select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as place)
  select place::text as lsn, ('x' || substr(pg_walfile_name(place), 1, 8))::bit(32)::int as timeline from log`

const whoIsIt = 'select system_identifier::text as system from pg_control_system()'

export interface Primary {
  /** A place in the log behind all that was committed when this was called; null where the database does not answer. */
  position(): Promise<Position | null>
  /** What the database and its replicas have in common; null where it does not answer. */
  system(): Promise<string | null>
  close(): Promise<void>
}

/** Asks over a connection of its own, one question at a time for all who want to know. */
export function openPrimary(connection: pg.PoolConfig): Primary {
  const line = openLine({ connection })
  return {
    position: askAnew(async () => {
      const row = await line.ask<{ lsn: string; timeline: number }>('position', question)
      return row && { lsn: parseLsn(row.lsn), timeline: row.timeline }
    }),
    system: async () => (await line.ask<{ system: string }>('system', whoIsIt))?.system ?? null,
    close: () => line.close(),
  }
}
