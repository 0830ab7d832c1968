import type { Reader } from '#ports/ctx.ts'

export interface TtlCache<T> {
  /** Returns what was read, at most so old; reads it anew when it is older, or was forgotten. */
  get(reader: Reader): Promise<T>
  forget(reader: Pick<Reader, 'config'>): void
}

/**
 * Keeps what everybody asks for and few change, of each server in this process. `staleAfter`: how long another process's
 * change may go unnoticed, in ms.
 */
export function createTtlCache<T>(staleAfter: number, read: (reader: Reader) => Promise<T>): TtlCache<T> {
  const kept = new WeakMap<object, { readAt: number; value: T }>()
  return {
    async get(reader) {
      const now = reader.clock.now()
      const found = kept.get(reader.config)
      if (found && Math.abs(now - found.readAt) < staleAfter) return found.value
      const value = await read(reader)
      kept.set(reader.config, { readAt: now, value })
      return value
    },
    forget: ({ config }) => void kept.delete(config),
  }
}
