import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Log } from '#ports/log.ts'
import { noTrace, type Trace } from '#ports/trace.ts'
import { createReadStatements } from './read-statements.ts'
import { ReaderLost, createReaders, type Readers } from './readers.ts'
import { openSocket } from './one-buffer.ts'
import { openReplicas, type Replicas } from './replicas.ts'
import { isUnsent, watchStale, type StaleConnections } from './stale-connections.ts'
import { sentWithCommit } from '#db/sent-with-commit.ts'
import { createAsk, cutAfter, describeStatement, streamOf, type Ask } from './statements.ts'
import { typeParsers } from './type-parsers.ts'

/** A statement that is not answered for this long, in milliseconds, never will be: its connection is cut. */
const maxDuration = 60_000

export interface QueryListener {
  (sql: string): void
}

export interface PoolOptions {
  url: string
  /** Connections of which each serves one caller at a time. */
  max: number
  /** Connections besides that only read and that callers share; none unless told. */
  readers?: number
  /** Read replicas by their addresses, and the way to what they are replicas of, past any pooler; none unless told. */
  replicas?: { urls: readonly string[]; of: string } | undefined
  /** It is a pooler's address, which takes no settings, and may give each transaction another connection. */
  isPooled?: boolean
  /** A command beside servers: those that listen are notified of what it changes (migration `shown-rows`). */
  isCommand?: boolean | undefined
  /** Whether statements are prepared once and then named; true unless told. A pooler may know no names. */
  prepares?: boolean
  log: Log
  onQuery?: QueryListener | undefined
  trace?: Trace | undefined
  /** Milliseconds for which a statement may remain unanswered; a minute unless told. */
  maxDuration?: number | undefined
  /** Milliseconds for which a caller waits for a connection; five seconds unless told. */
  connectTimeout?: number | undefined
  /** Makes the connections; pg's own unless told. */
  Client?: typeof pg.Client | undefined
  /** Called before a connection is handed out; throws where that is forbidden. */
  guard?: () => void
}

/** Asks one statement that belongs to no transaction. */
export type AskAlone = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/** As Kysely wants it for what belongs together. */
export interface Pool extends PostgresPool {
  raw: pg.Pool
  readers: Readers | null
  askAlone: AskAlone
  /** The same, of which what only reads is asked of a replica first; null where there is none. */
  askReplicated: AskAlone | null
  replicas: Replicas | null
}

/** Connections to each replica at most: lists are read there alone, so there may be more than readers of the database itself. */
const replicaReaders = 4

/** pg's own pool, which tells of what it loses. */
function openRaw({ max, log }: PoolOptions, connection: pg.PoolConfig): pg.Pool {
  const raw = new pg.Pool({ ...connection, max, idleTimeoutMillis: 60_000, pipeline: true } as pg.PoolConfig)
  const lost = (error: Error) => {
    // On the way out the database may close a connection before it has read our goodbye.
    if (!raw.ending) log.warn({ error: error.message }, 'a database connection was lost')
  }
  raw.on('error', lost)
  // While it is handed out a connection tells of its end itself; its query fails too.
  raw.on('connect', (client) => client.on('error', lost))
  return raw
}

/** A pg pool as Kysely wants it, which prepares each statement once per connection. */
export function createPool(options: PoolOptions): Pool {
  const connection = connectionOf(options)
  const raw = openRaw(options, connection)
  const longest = options.maxDuration ?? maxDuration
  const run = {
    pool: raw,
    stale: watchStale(raw, longest),
    ask: createAsk(options.prepares ?? true),
    maxDuration: longest,
    onQuery: options.onQuery,
    trace: options.trace ?? noTrace,
  }
  const max = options.readers ?? 0
  const { log } = options
  const statements = createReadStatements()
  const readers = max > 0 ? createReaders({ connection, max, log, statements, ...run }) : null
  const replicas = options.replicas
    ? openReplicas({
        ...options.replicas,
        connection: { ...connection, options: settings },
        max: replicaReaders,
        log,
        ...run,
      })
    : null
  const ownReaders = readers ? [readers] : []
  const askAloneOf =
    (sources: readonly Source[]): AskAlone =>
    (text, values) => {
      options.guard?.()
      return traced(
        run,
        text,
        async () =>
          (await readFrom(sources, text, values)) ??
          askOnOwn(run, { text, values }, statements.onlyReads(text)),
      )
    }
  return {
    options: raw.options,
    async connect() {
      options.guard?.()
      return createClient(run)
    },
    raw,
    readers,
    replicas,
    askAlone: askAloneOf(ownReaders),
    askReplicated: replicas && askAloneOf([replicas, ...ownReaders]),
    async end() {
      await Promise.all([raw.end(), readers?.close(), replicas?.close()])
    },
  }
}

// Every query is prepared and reads by an index: planning it anew each time costs more than it can win, and a plan that
// was made while a table was small must not scan it when it has grown (docs/adr/0004). What nobody waits for any more,
// as the connection was cut or the process has died, the database gives up within two seconds: else a job that takes too
// long would be at work as many times as it was tried.
const settings =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c client_connection_check_interval=2s'

const connectionOf = (options: PoolOptions): pg.PoolConfig => ({
  connectionString: options.url,
  connectionTimeoutMillis: options.connectTimeout ?? 5_000,
  keepAlive: true,
  application_name: options.isCommand ? 'stonechat-command' : 'stonechat',
  stream: openSocket,
  types: typeParsers,
  ...(options.Client && { Client: options.Client }),
  ...(!options.isPooled && { options: settings }),
})

/** What may answer a statement that only reads. */
type Source = Pick<Readers, 'query'>

interface Running {
  pool: pg.Pool
  stale: StaleConnections
  ask: Ask
  maxDuration: number
  onQuery: QueryListener | undefined
  trace: Trace
}

/** Counts the statement, and does `work` in its span. */
function traced(
  { onQuery, trace }: Running,
  text: string,
  work: () => Promise<pg.QueryResult>,
): Promise<pg.QueryResult> {
  onQuery?.(text)
  return trace.on ? trace.child(describeStatement(text), work) : work()
}

const askOn = (run: Running, client: pg.PoolClient, text: string, values: readonly unknown[]) =>
  cutAfter(run.maxDuration, client, run.ask(client, text, values))

/** On a connection of its own; on another one where that was closed before, and nothing can have been done there. */
async function askOnOwn(
  run: Running,
  { text, values }: Statement,
  onlyReads: boolean,
): Promise<pg.QueryResult> {
  for (;;) {
    const client = await run.pool.connect()
    try {
      return await askOn(run, client, text, values)
    } catch (error) {
      const isUndone = onlyReads || isUnsent(error)
      if (!run.stale.isStale(client, error) || !isUndone) throw error
    } finally {
      run.stale.release(client)
    }
  }
}

interface Statement {
  text: string
  values: readonly unknown[]
}

/**
 * What of a transaction is not sent yet: its beginning, which goes along with its first statement, and a last statement
 * that goes along with its end (`sentWithCommit`): where that fails, so does the commit.
 */
function createUnsent() {
  let isInTransaction = false
  let isBeginning = false
  let last: Statement | null = null
  return {
    /** Whether this one is not to be sent now, or at all. */
    takes({ text, values }: Statement): boolean {
      if (text === 'begin') {
        isBeginning = isInTransaction = true
        return true
      }
      if (isInTransaction && last === null && text.endsWith(sentWithCommit)) {
        last = { text, values }
        return true
      }
      if (text !== 'commit' && text !== 'rollback') return false
      isInTransaction = false
      if (text === 'rollback') last = null
      if (!isBeginning || last !== null) return false
      isBeginning = false
      return true
    },
    /** What is to be sent before the next one. */
    release(): Statement[] {
      const all = [...(isBeginning ? [{ text: 'begin', values: [] }] : []), ...(last === null ? [] : [last])]
      isBeginning = false
      last = null
      return all
    },
  }
}

/** In one write. Fails as the first of them that does; those after it fail with it, or roll back. */
async function askTogether(
  run: Running,
  client: pg.PoolClient,
  all: readonly Statement[],
): Promise<pg.QueryResult> {
  const stream = streamOf(client)
  stream.cork()
  const asked = all.map(({ text, values }) => askOn(run, client, text, values))
  stream.uncork()
  const answers = await Promise.allSettled(asked)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return (answers.at(-1) as PromiseFulfilledResult<pg.QueryResult>).value
}

/** What was lost with its connection was not done: no commit was received. */
const isUndone = (all: readonly Statement[], error: unknown): boolean =>
  isUnsent(error) || (all[0]?.text === 'begin' && all.at(-1)?.text !== 'commit')

/** What Kysely holds as a connection: it takes one of the pool at the first statement, and has all further ones there. */
function createClient(run: Running): PostgresPoolClient {
  let held: Promise<pg.PoolClient> | null = null
  let sent = 0
  const unsent = createUnsent()

  async function ask(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (unsent.takes({ text, values })) return nothing()
    held ??= run.pool.connect()
    const all = [...unsent.release(), { text, values }]
    sent += all.length
    for (;;) {
      const client = await held
      try {
        return await (all.length === 1 ? askOn(run, client, text, values) : askTogether(run, client, all))
      } catch (error) {
        const isAlone = sent === all.length
        if (!isAlone || !run.stale.isStale(client, error) || !isUndone(all, error)) throw error
        run.stale.release(client)
        held = run.pool.connect()
      }
    }
  }

  return {
    query(text: unknown, values: readonly unknown[] = []) {
      if (typeof text !== 'string') throw new Error('there are no cursors on these connections')
      return traced(run, text, () => ask(text, values))
    },
    release(destroy?: boolean) {
      void held?.then((client) => run.stale.release(client, destroy)).catch(() => {})
      held = null
      sent = 0
    },
  } as unknown as PostgresPoolClient
}

/** Null where none of them has the answer. */
async function readFrom(
  sources: readonly Source[],
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult | null> {
  for (const source of sources) {
    try {
      const read = source.query(text, values)
      if (read) return await read
    } catch (error) {
      if (!(error instanceof ReaderLost)) throw error
    }
  }
  return null
}

/** The answer to a statement that is not sent, or not yet. */
const nothing = (): pg.QueryResult => ({
  command: '',
  rowCount: null,
  oid: 0,
  fields: [],
  rows: [],
})
