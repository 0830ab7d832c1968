// What triggers say of changes (migration `changes`), on the connection of whoever made them.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import type pg from 'pg'
import { kindOf } from '#ports/changes.ts'

/** The SQLSTATE of their messages. */
const code = 'SC001'

/** More than these are not told one by one, but by their kinds. */
const maxNames = 500

export interface Watch {
  /** Whether the connection of this process id is one of the pool. */
  isOwn(processId: number): boolean
}

/**
 * Has `tell` called with the names of what was changed over a connection of this pool, once that is committed and before
 * whoever waits for it goes on. What was rolled back is told as well.
 */
export function watchChanges(pool: pg.Pool, tell: (names: string[]) => void): Watch {
  const processes = new Set<number>()
  // Who hears of it is in no transaction, wherever the connection was opened that tells.
  const outside = AsyncLocalStorage.snapshot()
  pool.on('connect', (client) => {
    const { processID } = client as unknown as { processID: number }
    processes.add(processID)
    client.on('end', () => processes.delete(processID))
    let pending = new Set<string>()
    const flush = () => {
      if (pending.size === 0) return
      const names = [...pending]
      pending = new Set()
      outside(tell, names)
    }
    client.on('notice', (notice) => {
      if (notice.code !== code || notice.message === undefined) return
      pending.add(notice.message)
      if (pending.size > maxNames) pending = new Set([...pending].map(kindOf))
    })
    // What ends a statement also says whether a transaction is open: `I` is none.
    const { connection } = client as unknown as { connection: EventEmitter }
    connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I') flush()
    })
    // Nobody knows whether a commit under way was done.
    client.on('end', flush)
  })
  return { isOwn: (processId) => processes.has(processId) }
}
