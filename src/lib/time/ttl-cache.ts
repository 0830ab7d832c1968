/** What belongs to one server of a process, and tells its time. */
interface Owner {
  readonly config: object
  readonly clock: { now(): number }
}

export interface TtlCache<R extends Owner, T> {
  /** Returns what was read, at most so old; reads it anew when it is older, or was forgotten. */
  get(reader: R): Promise<T>
  /** What is being read at this moment is not kept either. */
  forget(reader: Pick<Owner, 'config'>): void
}

interface Kept<T> {
  readAt: number
  value: T
}

/**
 * Keeps what everybody asks for and few change, of each server in this process. `staleAfter`: how long another process's
 * change may go unnoticed, in ms, where its news are lost. `read` gets what it read last, unless that was forgotten.
 */
export function createTtlCache<R extends Owner, T>(
  staleAfter: number,
  read: (reader: R, last: T | null) => Promise<T>,
): TtlCache<R, T> {
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
