// One read replica: how far it is, whether it is of use, and the statements it is asked.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { askAnew } from '#lib/concurrency/ask-anew.ts'
import type { ReplicaState } from '#ports/metrics.ts'
import { createReaders, type ReadersOptions } from './readers.ts'
import { openLine, type Line } from './question-line.ts'
import type { Primary } from './primary-position.ts'
import { parseLsn, type Position } from './log-position.ts'

/** The log that it has been through so far, where it is a replica still. */
interface Progress {
  standby: boolean
  lsn: string | null
}

/** Sent before statements, on their connection: they see no less than it says. */
const progressQuestion = `select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as lsn`

const isAsNew = ({ standby, lsn }: Progress, position: Position): boolean =>
  standby && lsn !== null && parseLsn(lsn) >= position.lsn

/**
 * The control file learns of a new history some time after it began: so long a replica that follows it is not used, and
 * one that does not follow it never.
 */
const identityQuestion = `
  select pg_is_in_recovery() as standby,
    (select system_identifier::text from pg_control_system()) as system,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as timeline`

interface Identity {
  standby: boolean
  system: string
  timeline: number
}

export interface Replica {
  /** Host and port. */
  readonly name: string
  state(): ReplicaState
  /** How many statements it has not answered yet. */
  waiting(): number
  /** How far it is behind, as it was last found: bytes of log, and seconds since it was not. */
  lag(): { bytes: number; seconds: number }
  /** Whether it has been through the log up to there, or is within some milliseconds. */
  reaches(position: Position): Promise<boolean>
  /** The answer to a statement that only reads, no older than `position`; null or rejected as by `Readers`. */
  query(text: string, values: readonly unknown[], position: Position): Promise<pg.QueryResult> | null
  /** Finds out what it is good for. Never rejects. */
  look(primary: Primary): Promise<void>
  close(): Promise<void>
}

/** How long a statement waits for a replica that is behind, in milliseconds: no longer than asking elsewhere is worth. */
const patience = 50

export interface ReplicaOptions {
  name: string
  connection: pg.PoolConfig
  /** How statements are asked; unless told none are, and it is only looked at. */
  reads?: Omit<ReadersOptions, 'connection' | 'first'>
}

/** Nothing is asked of it before somebody has looked. */
export function openReplica({ name, connection, reads }: ReplicaOptions): Replica {
  let state: ReplicaState = 'away'
  let timeline = 0
  const first = { name: 'progress', text: progressQuestion }
  const readers = reads ? createReaders({ ...reads, connection, first }) : null
  const line = openLine({
    connection,
    onChange() {
      // After a restart it may have less than before.
      state = 'away'
      progress.forget()
      readers?.cut()
    },
  })
  const progress = followProgress(line)

  async function inspect(primary: Primary): Promise<ReplicaState> {
    const [position, system, identity] = await Promise.all([
      primary.position(),
      primary.system(),
      line.ask<Identity>('identity', identityQuestion),
    ])
    if (!identity) return 'away'
    // Nothing is asked of a replica while the database itself is away.
    if (!position || system === null) return state
    if (!identity.standby) return 'promoted'
    if (identity.system !== system) return 'foreign'
    timeline = identity.timeline
    if (timeline !== position.timeline) return 'other-timeline'
    return (await progress.reaches(position)) ? 'current' : 'behind'
  }

  return {
    name,
    state: () => state,
    waiting: () => readers?.waiting() ?? 0,
    lag: () => progress.lag(state === 'current'),
    async reaches(position) {
      if (state !== 'current' || position.timeline !== timeline) return false
      if (await progress.reaches(position)) return true
      // Until somebody looks again: others need not wait for it too.
      if (state === 'current') state = 'behind'
      return false
    },
    query: (text, values, position) =>
      readers?.query(text, values, (row) => isAsNew(row as Progress, position)) ?? null,
    async look(primary) {
      const found = await inspect(primary)
      // Whoever does not answer is not waited for.
      if (found === 'away') readers?.cut()
      state = found
    },
    async close() {
      await Promise.all([line.close(), readers?.close()])
    },
  }
}

/** How far it is, as far as anybody has asked. */
function followProgress(line: Line) {
  let replayed = 0
  let behind = 0
  let currentAt = performance.now()
  const ask = askAnew(async () => {
    const row = await line.ask<Progress>('progress', progressQuestion)
    if (!row?.standby || row.lsn === null) return null
    return (replayed = parseLsn(row.lsn))
  })
  return {
    forget: () => void (replayed = 0),
    lag: (isCurrent: boolean) => ({
      bytes: behind,
      seconds: isCurrent ? 0 : (performance.now() - currentAt) / 1_000,
    }),
    async reaches({ lsn }: Position): Promise<boolean> {
      for (const deadline = performance.now() + patience; ; await sleep(1)) {
        const found = replayed >= lsn ? replayed : await ask()
        if (found === null) return false
        behind = Math.max(0, lsn - found)
        if (behind === 0) {
          currentAt = performance.now()
          return true
        }
        if (performance.now() > deadline) return false
      }
    },
  }
}

/** Where a replica is, without what signs in there. */
export function nameOf(connectionString: string): string {
  const url = URL.parse(connectionString)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  return `${host}:${url?.searchParams.get('port') ?? (url?.port || '5432')}`
}
