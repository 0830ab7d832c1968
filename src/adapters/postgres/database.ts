import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, type CompiledQuery, type QueryResult, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Db, Schema } from '#db/schema/schema.ts'
import type { Log } from '#ports/log.ts'
import type { Trace } from '#ports/trace.ts'
import type { PoolUse } from '#ports/metrics.ts'
import { createPool, type AskAlone, type Pool, type QueryListener } from './pool.ts'

export interface Database {
  readonly db: Db
  /** The same, of which what only reads, outside of transactions, is asked of a replica where there is one. */
  readonly replicated: Db
  readonly pool: pg.Pool
  /** How many connections there are, readers and others. */
  use(): PoolUse
  /** Runs `fn` in a transaction, again when it met a deadlock; the root `db` throws meanwhile. */
  transaction<T>(fn: (db: Transaction<Schema>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

function useOf({ raw, readers, replicas }: Pool, maxReaders: number): PoolUse {
  const { open, idle } = readers?.use() ?? { open: 0, idle: 0 }
  return {
    open: raw.totalCount + open,
    idle: raw.idleCount + idle,
    waiting: raw.waitingCount,
    max: raw.options.max + maxReaders,
    replicas: replicas?.use() ?? [],
  }
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * A root handle. What belongs to no transaction is asked as it is: Kysely would open a connection for it first, which a
 * reader answers without, and remember each in a WeakMap. The pool is not closed with the handle.
 */
function openRoot(pool: Pool, ask: AskAlone): Kysely<Schema> {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { ...pool, end: async () => {} } }) })
  db.getExecutor().executeQuery = async <Row>({
    sql,
    parameters,
  }: CompiledQuery): Promise<QueryResult<Row>> => {
    const { command, rowCount, rows } = await ask(sql, parameters)
    return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }
  return db
}

/** SQLSTATE of deadlocks and serialisation failures: the same work done again may succeed. */
const retryable = new Set(['40P01', '40001'])
const attempts = 4

/**
 * The root handle over a pool of `max` connections; `readers` and what follows as in `PoolOptions`. What only reads is asked
 * of a reader, outside of transactions. Ids come as decimal strings, dates as Date.
 */
export function openDatabase(options: {
  url: string
  max: number
  readers?: number
  replicas?: { urls: readonly string[]; of: string } | undefined
  isPooled?: boolean
  isCommand?: boolean | undefined
  prepares?: boolean
  log: Log
  onQuery?: QueryListener
  trace?: Trace
  maxDuration?: number
  connectTimeout?: number | undefined
  Client?: typeof pg.Client | undefined
}): Database {
  // What is begun inside, such as a connection, keeps the context when the transaction is long over.
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>()
  const guard = () => {
    if (inside.getStore()?.isOpen) throw new Error('the root db was queried inside a transaction: use tx.db')
  }
  const pool = createPool({ ...options, guard })
  const db = openRoot(pool, pool.askAlone)
  const replicated = pool.askReplicated && openRoot(pool, pool.askReplicated)

  async function once<T>(fn: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (transaction) => {
      const work = { isOpen: true }
      try {
        return await inside.run(work, () => fn(transaction))
      } finally {
        work.isOpen = false
      }
    })
  }

  return {
    db,
    replicated: replicated ?? db,
    pool: pool.raw,
    use: () => useOf(pool, options.readers ?? 0),
    async transaction(fn) {
      guard()
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(fn)
        } catch (error) {
          if (attempt >= attempts || !retryable.has((error as { code?: string }).code ?? '')) throw error
        }
      }
    },
    async close() {
      await Promise.all([db.destroy(), replicated?.destroy(), pool.end()])
    },
  }
}
