import type { Kv, KvIncrement } from '#ports/kv.ts'
import { connectRedis, type RedisTarget } from './connect.ts'

/** Keys shared by all processes that use the same Redis and prefix. Opens a connection; rejects when it cannot. */
export async function createRedisKv(target: RedisTarget): Promise<Kv> {
  const redis = await connectRedis(target)
  const named = (key: string) => target.prefix + key
  const milliseconds = (ttlSeconds: number) => Math.ceil(ttlSeconds * 1000)

  const incrementMany = async (entries: readonly KvIncrement[]): Promise<number[]> => {
    if (entries.length === 0) return []
    // A transaction, so that no key expires between being made and being counted, and lives on without an end.
    const batch = redis.multi()
    for (const { key, by, ttlSeconds } of entries) {
      batch.set(named(key), '0', 'PX', milliseconds(ttlSeconds), 'NX').incrby(named(key), by)
    }
    const replies = (await batch.exec()) ?? []
    return entries.map((_, index) => {
      const [error, value] = replies[index * 2 + 1] ?? [new Error('no answer from Redis')]
      if (error) throw error
      return Number(value)
    })
  }

  return {
    get: (key) => redis.get(named(key)),
    async set(key, value, ttlSeconds) {
      await redis.set(named(key), value, 'PX', milliseconds(ttlSeconds))
    },
    async setIfAbsent(key, value, ttlSeconds) {
      return (await redis.set(named(key), value, 'PX', milliseconds(ttlSeconds), 'NX')) === 'OK'
    },
    async delete(key) {
      await redis.del(named(key))
    },
    async increment(key, by, ttlSeconds) {
      const [value] = await incrementMany([{ key, by, ttlSeconds }])
      return value!
    },
    incrementMany,
    async describe() {
      const facts = new Map((await redis.info()).split('\r\n').map((line) => splitFact(line)))
      return { version: facts.get('redis_version') ?? '', bytes: Number(facts.get('used_memory') ?? 0) }
    },
    close: async () => redis.disconnect(),
  }
}

/** A line of what Redis says of itself: `name:value`. */
function splitFact(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, Math.max(0, colon)), line.slice(colon + 1)]
}
