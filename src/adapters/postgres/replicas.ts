// Reads that a replica answers as the database itself could have (docs/adr/0027): whatever was committed before a statement
// was asked is in its answer.
import type pg from 'pg'
import type { Log } from '#ports/log.ts'
import type { ReplicaState, ReplicaUse } from '#ports/metrics.ts'
import { createReadStatements } from './read-statements.ts'
import { ReaderLost, type ReadersOptions } from './readers.ts'
import { openPrimary } from './primary-position.ts'
import { nameOf, openReplica, type Replica } from './replica.ts'

export interface ReplicasOptions extends ReadersOptions {
  urls: readonly string[]
  /** The address of the database itself. */
  of: string
}

export interface Replicas {
  /** As of `Readers`: null, or a rejection by `ReaderLost`, where it has to be asked elsewhere. */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> | null
  use(): ReplicaUse[]
  close(): Promise<void>
}

/** Milliseconds from one look at all replicas to the next. */
const interval = 1_000

/** SQLSTATEs, among others, of what only the database itself can do: tables without a log, functions that write. */
const notThere = new Set(['0A000', '25006', '55000'])

/** A statement that was prepared before a migration has one of these codes, too. */
function isNotThere(error: unknown): boolean {
  const { code = '', routine } = (error ?? {}) as { code?: string; routine?: string }
  return notThere.has(code) && routine !== 'RevalidateCachedQuery'
}

const explanations: Record<Exclude<ReplicaState, 'current'>, string> = {
  away: 'a read replica is away',
  behind: 'a read replica is behind',
  promoted: 'a read replica is none: it takes writes',
  foreign: 'a read replica is one of another database',
  'other-timeline': 'a read replica does not follow the database since a promotion, or does not know it yet',
}

interface Counted {
  replica: Replica
  /** What was answered by it, and what had to be asked elsewhere. */
  answered: number
  passedOn: number
  /** What the log says of it. */
  logged: ReplicaState | null
}

/** Looks at the replicas from now on. */
export function openReplicas({ urls, of, connection, ...options }: ReplicasOptions): Replicas {
  const statements = createReadStatements()
  const primary = openPrimary({ ...connection, connectionString: of })
  const all: Counted[] = urls.map((connectionString) => ({
    replica: openReplica({
      name: nameOf(connectionString),
      connection: { ...connection, connectionString },
      reads: options,
    }),
    answered: 0,
    passedOn: 0,
    logged: null,
  }))
  const pick = createPicker(all)
  const watch = watchAll(all, async (one) => {
    await one.replica.look(primary)
    tell(options.log, one)
  })

  async function ask(one: Counted, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const { replica } = one
    const begun = performance.now()
    try {
      const position = await primary.position()
      if (!position || !(await replica.reaches(position))) throw new ReaderLost('the replica is behind')
      const answer = replica.query(text, values, position)
      if (!answer) throw new ReaderLost('the replica is busy')
      const result = await answer
      one.answered++
      return result
    } catch (error) {
      one.passedOn++
      // Nobody waits for that long a second time.
      if (performance.now() - begun >= options.maxDuration) throw error
      if (isNotThere(error instanceof ReaderLost ? error.cause : error)) statements.markWriting(text)
      throw error instanceof ReaderLost ? error : new ReaderLost('the replica failed', { cause: error })
    }
  }

  return {
    query(text, values) {
      if (!statements.onlyReads(text)) return null
      const one = pick()
      return one && ask(one, text, values)
    },
    use: () =>
      all.map(({ replica, answered, passedOn }) => {
        const { bytes, seconds } = replica.lag()
        return { name: replica.name, state: replica.state(), bytes, seconds, answered, passedOn }
      }),
    async close() {
      await watch.close()
      await Promise.all([primary.close(), ...all.map(({ replica }) => replica.close())])
    },
  }
}

/** Returns what finds the one with least to do of those that are of use, by turns where they are alike. */
function createPicker(all: readonly Counted[]): () => Counted | null {
  let turn = 0
  return () => {
    turn = (turn + 1) % all.length
    let best: Counted | null = null
    for (const one of [...all.slice(turn), ...all.slice(0, turn)]) {
      if (one.replica.state() !== 'current') continue
      if (best === null || one.replica.waiting() < best.replica.waiting()) best = one
    }
    return best
  }
}

/** Calls `look` for each now and then until it is closed. */
function watchAll(
  all: readonly Counted[],
  look: (one: Counted) => Promise<void>,
): { close(): Promise<void> } {
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    await Promise.all(all.map(look))
    if (!isClosed) timer = setTimeout(() => (underWay = run()), interval).unref()
  }
  let underWay = run()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await underWay
    },
  }
}

/** One line for each change. */
function tell(log: Log, one: Counted): void {
  const { replica, logged } = one
  const state = replica.state()
  if (state === logged) return
  one.logged = state
  const { bytes, seconds } = replica.lag()
  const fields = { replica: replica.name, bytes, seconds: Math.round(seconds) }
  if (state === 'current') log.info(fields, 'a read replica is used')
  else log.warn(fields, `${explanations[state]}: the database itself is asked`)
}
