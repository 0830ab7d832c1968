import { LRUCache } from 'lru-cache'
import type { Caches, RenderCache } from '#ports/cache.ts'

/** At about 2 KB an entry this bounds the caches of a process to some 20 MB. */
const most = { statuses: 6_000, accounts: 4_000 }

/** Caches in this process's memory: the least recently used entries go first. */
export function createCaches(): Caches {
  return { statuses: createCache(most.statuses), accounts: createCache(most.accounts) }
}

function createCache<T extends object>(max: number): RenderCache<T> {
  const entries = new LRUCache<string, { version: number; value: T }>({ max })
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
