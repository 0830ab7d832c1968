import { LRUCache } from 'lru-cache'
import type { Caches, RenderCache, Weighed } from '#ports/cache.ts'
import type { Changes } from '#ports/changes.ts'
import type { Clock } from '#ports/clock.ts'
import type { Meter } from '#ports/meter.ts'
import { createReadCache } from './read-cache.ts'
import { createRowCache } from './row-cache.ts'

/** How much a cache keeps: entries, and characters of their JSON, which take up to two bytes each. */
interface Bounds {
  entries: number
  characters: number
}

/**
 * Room for a few of the largest threads beside what everybody reads. A usual status is 1.5 KB of JSON, in bytes, and takes
 * little more. What filters look at in it comes on top, once somebody with filters has seen it.
 */
const maxStatuses = { entries: 12_000, bytes: 16_000_000 }
/** A usual account is 1 KB of JSON, and is kept as an object and as the bytes that are sent of it. */
const maxAccounts = { entries: 6_000, characters: 6_000_000 }

/** Some 200 short keywords take 60 KB. */
const maxFilters = { entries: 2_000, bytes: 20_000_000 }

/** Some 0.4 KB each. */
const maxLines = { statuses: maxStatuses.entries, accounts: 4_000, own: 1_000 }
const ofAccounts = ['account', 'remote_account', 'account_stats']

/** Some 2 KB each; a profile with long texts 20 KB. */
const maxCallers = 5_000
const maxProfiles = 1_000
/** Milliseconds for which what no change was told of is believed: the time within which streams end, too. */
const freshFor = 5_000

/** Of those who look at pages within a few seconds: mostly less than 10 KB each, 60 of whoever did much of everything. */
const maxDeeds = 400
const maxLooks = 2_000

/** A timeline of 40 is some 200 KB with what it is compressed to. */
const maxAnswers = { max: 500, maxSize: 16_000_000 }

/** Milliseconds for which words are believed to be as common as they were. */
const commonFor = 60_000

/** Milliseconds for which strangers share an answer. */
const sharedFor = 1_000

interface CacheParts {
  clock: Clock
  changes: Changes
  meter: Meter
}

interface CacheTimes {
  /** Milliseconds for which strangers share an answer; a second unless told. */
  sharedFor?: number | undefined
  /** Milliseconds for which lines are believed; `freshFor` unless told. */
  linesFor?: number | undefined
}

/** Caches in this process's memory: the least recently used entries go first. */
export function createCaches(parts: CacheParts, times: CacheTimes = {}): Caches {
  const ofLines = { ...parts, freshFor: times.linesFor ?? freshFor }
  return {
    statuses: counted(parts.meter, 'statuses', createWeighedCache(maxStatuses)),
    accounts: counted(parts.meter, 'accounts', createCache(maxAccounts)),
    filters: createWeighedCache(maxFilters),
    statusLines: createRowCache({ ...ofLines, kinds: ['status'], max: maxLines.statuses }),
    accountLines: createRowCache({ ...ofLines, kinds: ofAccounts, max: maxLines.accounts }),
    ownLines: createRowCache({ ...ofLines, kinds: ofAccounts, max: maxLines.own }),
    callers: createReadCache({ ...parts, max: maxCallers, freshFor }),
    profiles: createReadCache({ ...parts, max: maxProfiles, freshFor }),
    deeds: createRowCache({ ...ofLines, kinds: ['deeds'], max: maxDeeds }),
    looks: createRowCache({ ...ofLines, kinds: ['deeds'], max: maxLooks }),
    commonness: createReadCache({ ...parts, max: 1, freshFor: commonFor }),
    answers: createReadCache({ ...parts, ...maxAnswers, freshFor: times.sharedFor ?? sharedFor }),
  }
}

function counted<T>(meter: Meter, cache: string, within: RenderCache<T>): RenderCache<T> {
  const hits = meter.counter('stonechat_cache_lookups_total', { cache, result: 'hit' })
  const misses = meter.counter('stonechat_cache_lookups_total', { cache, result: 'miss' })
  return {
    get(id, version) {
      const found = within.get(id, version)
      const counter = found === undefined ? misses : hits
      counter.value += 1
      return found
    },
    set: within.set,
  }
}

export function createCache<T extends object>({ entries, characters }: Bounds): RenderCache<T> {
  return boundCache<T>({ entries, size: characters }, (value) => JSON.stringify(value).length)
}

export function createWeighedCache<T extends Weighed>(bounds: {
  entries: number
  bytes: number
}): RenderCache<T> {
  return boundCache<T>({ entries: bounds.entries, size: bounds.bytes }, (value) => Math.max(1, value.bytes))
}

function boundCache<T extends object>(
  bounds: { entries: number; size: number },
  sizeOf: (value: T) => number,
): RenderCache<T> {
  const entries = new LRUCache<string, { version: number; value: T }>({
    max: bounds.entries,
    maxSize: bounds.size,
    sizeCalculation: ({ value }) => sizeOf(value),
  })
  return {
    get(id, version) {
      const found = entries.get(id)
      return found?.version === version ? found.value : undefined
    },
    set(id, version, value) {
      entries.set(id, { version, value })
    },
  }
}
