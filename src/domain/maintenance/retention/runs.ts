// What is known of each kind of upkeep: whether it runs, how far it is, what it removed (table upkeep_runs).
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'

/** How long nobody else takes over a run whose worker says nothing, in milliseconds. */
const leaseTime = 60_000

export type Cursor = Readonly<Record<string, string>>

/** Proof of who works on a run: of no use once somebody else does, or once it is paused. */
export interface Lease {
  readonly name: string
  readonly until: Date
}

export interface RunRow {
  name: string
  state: 'idle' | 'running' | 'paused'
  /** Somebody works on it now. */
  leased: boolean
  examined: number
  removed: number
  /** How much there was to look at when it began, about. */
  expected: number | null
  /** Why it was interrupted. */
  error: string | null
  started_at: Date | null
  updated_at: Date | null
  finished_at: Date | null
}

/** All that ever ran, by name. */
export async function loadRuns(reader: Reader): Promise<Map<string, RunRow>> {
  const { rows } = await sql<RunRow>`
    select name, state, coalesce(leased_until > ${new Date(reader.clock.now())}, false) as leased, examined::float8,
      removed::float8, expected::float8, error, started_at, updated_at, finished_at
    from upkeep_runs`.execute(reader.db)
  return new Map(rows.map((row) => [row.name, row]))
}

export interface Taken {
  lease: Lease
  /** It goes on where it was left. */
  continued: boolean
  examined: number
  removed: number
  expected: number | null
}

/**
 * Takes a run, so that nobody else works on it. Null when somebody does, when it is paused, and when it does not run and
 * is not to be begun.
 */
export async function takeRun(
  reader: Reader,
  name: string,
  { begin }: { begin: boolean },
): Promise<Taken | null> {
  const now = reader.clock.now()
  const until = new Date(now + leaseTime)
  if (begin)
    await sql`insert into upkeep_runs (name) values (${name}) on conflict do nothing`.execute(reader.db)
  const { rows } = await sql<Omit<Taken, 'lease'>>`
    with free as (
      select name, state from upkeep_runs
      where name = ${name} and (leased_until is null or leased_until <= ${new Date(now)})
        and (state = 'running' or (state = 'idle' and ${begin}::boolean)) for update skip locked)
    update upkeep_runs r set state = 'running', leased_until = ${until}
    from free f where r.name = f.name
    returning f.state = 'running' as continued, r.examined::float8, r.removed::float8, r.expected::float8`.execute(
    reader.db,
  )
  return rows[0] ? { lease: { name, until }, ...rows[0] } : null
}

/** Begins a run anew from this cursor. */
export async function beginRun(
  reader: Reader,
  { name, until }: Lease,
  { cursor, expected }: { cursor: Cursor; expected: number | null },
): Promise<void> {
  const now = new Date(reader.clock.now())
  await sql`
    update upkeep_runs set cursor = ${JSON.stringify(cursor)}::jsonb, expected = ${expected}, examined = 0, removed = 0,
      error = null, started_at = ${now}, updated_at = ${now}, finished_at = null
    where name = ${name} and leased_until = ${until}`.execute(reader.db)
}

/** Where a run is, locked until the transaction ends. Null when the lease is of no use any more. */
export async function lockCursor(tx: Tx, { name, until }: Lease): Promise<Cursor | null> {
  const { rows } = await sql<{ cursor: Cursor }>`
    select cursor from upkeep_runs where name = ${name} and state = 'running' and leased_until = ${until}
    for update`.execute(tx.db)
  return rows[0]?.cursor ?? null
}

export interface Advance {
  cursor: Cursor
  examined: number
  removed: number
}

/** Writes down how far a run is, in the transaction of what it did. Returns the lease with which to go on. */
export async function advanceRun(
  tx: Tx,
  { name }: Lease,
  { cursor, examined, removed }: Advance,
): Promise<Lease> {
  const now = tx.clock.now()
  const until = new Date(now + leaseTime)
  await sql`
    update upkeep_runs set cursor = ${JSON.stringify(cursor)}::jsonb, examined = examined + ${examined},
      removed = removed + ${removed}, leased_until = ${until}, updated_at = ${new Date(now)}, error = null
    where name = ${name}`.execute(tx.db)
  return { name, until }
}

/** The run is over, unless somebody has paused it: then it stays so. `removed`: what it removed at its end. */
export async function finishRun(reader: Reader, { name }: Pick<Lease, 'name'>, removed = 0): Promise<void> {
  const now = new Date(reader.clock.now())
  await sql`
    update upkeep_runs set state = case when state = 'paused' then state else 'idle' end, leased_until = null,
      removed = removed + ${removed}, updated_at = ${now}, finished_at = ${now}
    where name = ${name}`.execute(reader.db)
}

/** Ends a run that the operator does not want (any more). */
export async function dropRun(reader: Reader, { name, until }: Lease): Promise<void> {
  await sql`
    update upkeep_runs set state = 'idle', leased_until = null
    where name = ${name} and state = 'running' and leased_until = ${until}`.execute(reader.db)
}

/** Has nobody else take a run over, whose worker proves itself by nothing else. */
export async function keepRun(reader: Reader, name: string): Promise<void> {
  await sql`
    update upkeep_runs set leased_until = ${new Date(reader.clock.now() + leaseTime)}
    where name = ${name} and state = 'running'`.execute(reader.db)
}

/** Lets a run go, which stays to be continued. `error`: why. `until`: only with this lease. */
export async function releaseRun(
  reader: Reader,
  { name, until }: { name: string; until?: Date },
  error: string | null,
): Promise<void> {
  await sql`
    update upkeep_runs set leased_until = null, error = coalesce(${error}::text, error)
    where name = ${name} and (${until ?? null}::timestamptz is null or leased_until = ${until ?? null})`.execute(
    reader.db,
  )
}
