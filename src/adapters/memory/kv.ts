import type { Clock } from '#ports/clock.ts'
import type { Kv, KvIncrement } from '#ports/kv.ts'

interface Entry {
  value: string
  expiresAt: number
}

const writesPerSweep = 1024

/**
 * Keys of one process. At most `maxKeys` (100,000 unless told): then those that expired go, and if that is not
 * enough the oldest. It needs no timer: every thousandth write sweeps, which costs nothing on average.
 */
export function createMemoryKv({ clock, maxKeys = 100_000 }: { clock: Clock; maxKeys?: number }): Kv {
  const entries = new Map<string, Entry>()
  let writes = 0

  const find = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > clock.now() ? entry : null
  }
  const sweep = () => {
    const now = clock.now()
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key)
  }
  const write = (key: string, value: string, ttlSeconds: number) => {
    if (++writes % writesPerSweep === 0) sweep()
    // Deleted first, so that the order of the map stays the order of writing.
    entries.delete(key)
    while (entries.size >= maxKeys) entries.delete(entries.keys().next().value!)
    entries.set(key, { value, expiresAt: clock.now() + ttlSeconds * 1000 })
  }
  const increment = ({ key, by, ttlSeconds }: KvIncrement) => {
    const entry = find(key)
    if (!entry) {
      write(key, String(by), ttlSeconds)
      return by
    }
    const sum = Number(entry.value) + by
    if (!Number.isSafeInteger(sum)) throw new TypeError(`the key holds no counter: ${key}`)
    entry.value = String(sum)
    return sum
  }

  return {
    get: async (key) => find(key)?.value ?? null,
    set: async (key, value, ttlSeconds) => write(key, value, ttlSeconds),
    async setIfAbsent(key, value, ttlSeconds) {
      if (find(key)) return false
      write(key, value, ttlSeconds)
      return true
    },
    async delete(key) {
      entries.delete(key)
    },
    increment: async (key, by, ttlSeconds) => increment({ key, by, ttlSeconds }),
    incrementMany: async (many) => many.map(increment),
    describe: async () => null,
    async close() {
      entries.clear()
    },
  }
}
