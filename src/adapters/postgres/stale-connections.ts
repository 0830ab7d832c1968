// Connections that were closed while nobody used them, by the database or by what stands before it: this process may see
// it only when it asks there. Whoever asked is in no way to blame, and is answered by another one where nothing was done.
import type pg from 'pg'
import { isLastWord } from './last-word.ts'

export interface StaleConnections {
  /**
   * Whether what was first asked since `client` was taken failed because it was closed before, as far as can be told: it had
   * been idle, and is lost. What was asked may have been done all the same.
   */
  isStale(client: pg.PoolClient, error: unknown): boolean
  /** Hands it back; what is lost leaves the pool at once, and not when its end is seen. */
  release(client: pg.PoolClient, destroy?: boolean): void
}

/** Watches a pool from before its first connection; `maxDuration` as in `PoolOptions`. */
export function watchStale(pool: pg.Pool, maxDuration: number): StaleConnections {
  const lost = new WeakSet<pg.ClientBase>()
  const taken = new WeakMap<pg.ClientBase, { at: number; wasIdle: boolean }>()
  pool.on('connect', (client) => client.on('error', () => lost.add(client)))
  pool.on('acquire', (client) => taken.set(client, { at: performance.now(), wasIdle: taken.has(client) }))
  return {
    isStale(client, error) {
      if (isLastWord(error)) lost.add(client)
      const { at, wasIdle } = taken.get(client) ?? { at: 0, wasIdle: false }
      // Nobody waits a second time for what was cut off.
      return lost.has(client) && wasIdle && performance.now() - at < maxDuration
    },
    release: (client, destroy = false) => client.release(destroy || lost.has(client)),
  }
}

/** Whether the system took not all of what was written: its last statement was never received. */
export function isUnsent(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'EPIPE' && syscall !== 'read'
}
