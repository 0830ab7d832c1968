/** What a process may read from: with a clock, and a configuration of which each server in it has its own. */
interface Source {
  readonly config: object
  readonly clock: { now(): number }
}

export interface TtlCache<S extends Source, T> {
  /** What was read, at most so old; read anew when it is older, or was forgotten. */
  get(source: S): Promise<T>
  forget(source: Pick<S, 'config'>): void
}

/** Keeps what everybody asks for and few change. `staleAfter`: how long another process's change may go unnoticed, in ms. */
export function createTtlCache<S extends Source, T>(
  staleAfter: number,
  read: (source: S) => Promise<T>,
): TtlCache<S, T> {
  const recent = new WeakMap<object, { readAt: number; value: T }>()
  return {
    async get(source) {
      const now = source.clock.now()
      const kept = recent.get(source.config)
      if (kept && Math.abs(now - kept.readAt) < staleAfter) return kept.value
      const value = await read(source)
      recent.set(source.config, { readAt: now, value })
      return value
    },
    forget: ({ config }) => void recent.delete(config),
  }
}
