import { LRUCache } from 'lru-cache'
import type { ReadCache, Reading } from '#ports/cache.ts'
import type { Changes } from '#ports/changes.ts'
import type { Clock } from '#ports/clock.ts'

interface Options {
  clock: Clock
  changes: Changes
  /** Entries at most: the least recently used ones go first. */
  max: number
  /** Milliseconds for which an entry is used at most: so late may be what the bus has lost. */
  freshFor: number
}

interface Entry<T> {
  readonly value: T
  readonly changesWith: readonly string[]
  /** When its reading began. */
  readonly since: number
}

/** Keeps what was read until what it depends on changes. A reading that was under way then is not kept. */
export function createReadCache<T>({ clock, changes, max, freshFor }: Options): ReadCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max, dispose: (entry, key) => unlink(entry, key) })
  /** Keys of entries by what they depend on. */
  const dependents = new Map<string, Set<string>>()
  /** Readings under way that began after the last change. */
  let underWay = new Map<string, Promise<T>>()

  function keep(key: string, entry: Entry<T>): void {
    entries.set(key, entry)
    for (const name of entry.changesWith) {
      const keys = dependents.get(name)
      if (keys) keys.add(key)
      else dependents.set(name, new Set([key]))
    }
  }

  function unlink({ changesWith }: Entry<T>, key: string): void {
    for (const name of changesWith) {
      const keys = dependents.get(name)
      keys?.delete(key)
      if (keys?.size === 0) dependents.delete(name)
    }
  }

  function drop(names: readonly string[]): void {
    // Whoever asks from now on may not be told what was read before.
    underWay = new Map()
    if (names.length === 0) entries.clear()
    for (const name of names) for (const key of dependents.get(name) ?? []) entries.delete(key)
  }

  async function readAnew(key: string, read: () => Promise<Reading<T>>): Promise<T> {
    const since = clock.now()
    const generation = underWay
    try {
      const { value, changesWith } = await read()
      if (generation === underWay && changesWith) keep(key, { value, changesWith, since })
      return value
    } finally {
      generation.delete(key)
    }
  }

  changes.listen(drop)
  return {
    get(key, read) {
      const entry = entries.get(key)
      if (entry && Math.abs(clock.now() - entry.since) < freshFor) return Promise.resolve(entry.value)
      const reading = underWay.get(key)
      if (reading) return reading
      const begun = readAnew(key, read)
      underWay.set(key, begun)
      return begun
    },
  }
}
