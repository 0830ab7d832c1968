import type { Reader } from '#ports/ctx.ts'

export interface TtlCache<T> {
  /** Returns what was read, at most so old; reads it anew when it is older, or was forgotten. */
  get(reader: Reader): Promise<T>
  /** What is being read at this moment is not kept either. */
  forget(reader: Pick<Reader, 'config'>): void
}

interface Kept<T> {
  readAt: number
  value: T
}

/**
 * Keeps what everybody asks for and few change, of each server in this process. `staleAfter`: how long another process's
 * change may go unnoticed, in ms, where its news are lost. `read` gets what it read last, unless that was forgotten.
 */
export function createTtlCache<T>(
  staleAfter: number,
  read: (reader: Reader, last: T | null) => Promise<T>,
): TtlCache<T> {
  const slots = new WeakMap<object, { kept: Kept<T> | null }>()
  return {
    async get(reader) {
      const now = reader.clock.now()
      const slot = slots.get(reader.config) ?? { kept: null }
      slots.set(reader.config, slot)
      if (slot.kept && Math.abs(now - slot.kept.readAt) < staleAfter) return slot.kept.value
      const value = await read(reader, slot.kept?.value ?? null)
      slot.kept = { readAt: now, value }
      return value
    },
    forget: ({ config }) => void slots.delete(config),
  }
}
