import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Log } from '#ports/log.ts'
import { noTrace, type SpanStart, type Trace } from '#ports/trace.ts'

/** A statement that is not answered for this long, in milliseconds, never will be: its connection is cut. */
const longest = 60_000

/** Statements kept prepared per connection: past this many, further ones are parsed each time. */
const maxPrepared = 800

export interface QueryListener {
  (sql: string): void
}

export interface PoolOptions {
  url: string
  max: number
  log: Log
  onQuery?: QueryListener | undefined
  trace?: Trace | undefined
  /** Milliseconds for which a statement may remain unanswered; a minute unless told. */
  longest?: number | undefined
  /** Makes the connections; pg's own unless told. */
  Client?: typeof pg.Client | undefined
  /** Called before a connection is handed out; throws where that is forbidden. */
  guard?: () => void
}

/** A pg pool as Kysely wants it, which prepares each statement once per connection. */
export function createPool(options: PoolOptions): PostgresPool & { raw: pg.Pool } {
  const raw = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'stonechat',
    ...(options.Client && { Client: options.Client }),
    // Every query is prepared and reads by an index: planning it anew each time costs more than it can win, and a
    // plan that was made while a table was small must not scan it when it has grown (docs/adr/0004).
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  })
  const lost = (error: Error) => {
    // On the way out the database may close a connection before it has read our goodbye.
    if (!raw.ending) options.log.warn({ error: error.message }, 'a database connection was lost')
  }
  raw.on('error', lost)
  // While it is handed out a connection tells of its end itself; its query fails too.
  raw.on('connect', (client) => client.on('error', lost))
  const run = {
    wrapped: new WeakMap<pg.PoolClient, PostgresPoolClient>(),
    names: new Map<string, string>(),
    longest: options.longest ?? longest,
    onQuery: options.onQuery,
    trace: options.trace ?? noTrace,
  }
  return {
    raw,
    options: raw.options,
    async connect() {
      options.guard?.()
      return wrap(await raw.connect(), run)
    },
    end: () => raw.end(),
  }
}

interface Running {
  /** A connection may have been another pool's before. */
  wrapped: WeakMap<pg.PoolClient, PostgresPoolClient>
  names: Map<string, string>
  longest: number
  onQuery: QueryListener | undefined
  trace: Trace
}

function wrap(
  client: pg.PoolClient,
  { wrapped, names, longest, onQuery, trace }: Running,
): PostgresPoolClient {
  const known = wrapped.get(client)
  if (known) return known
  const made = {
    query(text: unknown, values?: readonly unknown[]) {
      if (typeof text !== 'string') return client.query(text as pg.QueryConfig)
      onQuery?.(text)
      const name = values && values.length > 0 ? statementName(names, text) : undefined
      const ask = () =>
        cutAfter(longest, client, client.query({ text, values: values as unknown[], ...(name && { name }) }))
      return trace.on ? trace.child(describeStatement(text), ask) : ask()
    },
    release: () => client.release(),
  } as unknown as PostgresPoolClient
  wrapped.set(client, made)
  return made
}

/**
 * A database that vanished without a word (a broken network, a stopped machine) would keep its callers for the
 * quarter of an hour that TCP tries. Whoever cuts the statement off has to cut the connection, which it blocks.
 */
async function cutAfter<T>(milliseconds: number, client: pg.PoolClient, asked: Promise<T>): Promise<T> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const timer = setTimeout(() => stream.destroy(), milliseconds)
  try {
    return await asked
  } finally {
    clearTimeout(timer)
  }
}

/** Values are not in the text: they are sent beside it. */
function describeStatement(text: string): SpanStart {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text, 'db.operation.name': verb }
  return { name: verb, kind: 'client', attributes }
}

function statementName(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= maxPrepared) return known
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}
