import { LRUCache } from 'lru-cache'
import type { ReadCache, Reading } from '#ports/cache.ts'
import { kindOf, type Changes } from '#ports/changes.ts'
import type { Clock } from '#ports/clock.ts'

interface Options {
  clock: Clock
  changes: Pick<Changes, 'listen'>
  /** Entries at most: the least recently used ones go first. */
  max: number
  /** What they take at most together, by `size`, where they have one. */
  maxSize?: number
  /** Milliseconds for which an entry is used at most: so late may be what nobody was told. */
  freshFor: number
}

interface Entry<T> {
  readonly value: T
  readonly changesWith: readonly string[]
  /** When its reading began. */
  readonly since: number
}

/** Entries by key, which are found by what they depend on, too. */
function createStore<T>({ max, maxSize }: Pick<Options, 'max' | 'maxSize'>) {
  /** Keys by what their entries depend on. */
  const dependents = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry<T>>({
    max,
    ...(maxSize !== undefined && {
      maxSize,
      sizeCalculation: ({ value }: Entry<T>) => (value as { size?: number }).size ?? 1,
    }),
    dispose(entry, key) {
      for (const name of entry.changesWith) {
        const keys = dependents.get(name)
        keys?.delete(key)
        if (keys?.size === 0) dependents.delete(name)
      }
    },
  })
  return {
    get: (key: string) => entries.get(key),
    set(key: string, entry: Entry<T>): void {
      entries.set(key, entry)
      for (const name of entry.changesWith) {
        const keys = dependents.get(name)
        if (keys) keys.add(key)
        else dependents.set(name, new Set([key]))
      }
    },
    clear: () => entries.clear(),
    /** Drops what depends on a row, or on all of its kind; by the name of a kind, what depends on any row of it. */
    drop(name: string): void {
      const kind = kindOf(name)
      const concerned =
        kind === name ? [...dependents.keys()].filter((one) => kindOf(one) === kind) : [name, kind]
      for (const dependent of concerned)
        for (const key of dependents.get(dependent) ?? []) entries.delete(key)
    },
  }
}

/** Keeps what was read until what it depends on changes. A reading that was under way then is not kept. */
export function createReadCache<T>({ clock, changes, freshFor, ...bounds }: Options): ReadCache<T> {
  const store = createStore<T>(bounds)
  /** Readings under way that began after the last change. */
  let underWay = new Map<string, Promise<T>>()

  changes.listen((names) => {
    // Whoever asks from now on may not be told what was read before.
    underWay = new Map()
    if (names.length === 0) store.clear()
    for (const name of names) store.drop(name)
  })

  async function readAnew(key: string, read: () => Promise<Reading<T>>): Promise<T> {
    const since = clock.now()
    const generation = underWay
    try {
      const { value, changesWith } = await read()
      if (generation === underWay && changesWith) store.set(key, { value, changesWith, since })
      return value
    } finally {
      generation.delete(key)
    }
  }

  return {
    get(key, read) {
      const entry = store.get(key)
      if (entry && Math.abs(clock.now() - entry.since) < freshFor) return Promise.resolve(entry.value)
      const reading = underWay.get(key)
      if (reading) return reading
      const begun = readAnew(key, read)
      underWay.set(key, begun)
      return begun
    },
  }
}
