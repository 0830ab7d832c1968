// Work that makes very many events, such as the end of an account with a hundred thousand followers, lets those of people go first.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'

/** Events that may wait while more are made: what people do waits behind them for about a second. */
const few = 100
/** How often it is looked, in milliseconds. */
const interval = 50
/** After so many looks at which nobody works on events, as while the server is stopped, it is of no use to wait. */
const patience = 40
/** However much waits, the next batch is made after so many milliseconds: a server that is always busy gets on with it too. */
const usualLongest = 30_000

/**
 * To be called between two batches of such work, by a job, a command or a request: an effect that the line of events
 * itself runs would wait for itself.
 */
export type EventPace = () => Promise<void>

/** Makes the pace of one piece of work: it resolves as soon as few events wait, after `longest` milliseconds in any case. */
export function createEventPace(
  { db, clock }: { db: Db; clock: { now(): number } },
  longest = usualLongest,
): EventPace {
  let isAlone = false
  return async () => {
    const end = performance.now() + longest
    for (let looks = 0; !isAlone && performance.now() < end;) {
      const { waiting, isAtWork } = await look(db, clock.now())
      if (waiting < few) return
      looks = isAtWork ? 0 : looks + 1
      isAlone = looks > patience
      if (!isAlone) await sleep(interval)
    }
  }
}

/** Whoever works on events has taken the oldest. */
async function look(db: Db, now: number): Promise<{ waiting: number; isAtWork: boolean }> {
  const { rows } = await sql<{ waiting: number; is_at_work: boolean | null }>`
    select count(*)::int as waiting, bool_or(claimed_until > ${new Date(now)}) as is_at_work
    from (select claimed_until from outbox where failed_at is null order by id limit ${few}) o`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0, isAtWork: rows[0]?.is_at_work ?? false }
}
