// Redis that is several: one of them dies, or keys are spread over three.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { quietLog } from '#test/app/log.ts'
import { often, patience } from '#test/run/patience.ts'
import { redisMissing } from '#test/servers/redis-server.ts'
import { startCluster, startWithSentinel } from '#test/servers/redis-several.ts'
import type { RedisConfig } from '#config/redis.ts'
import type { Bus } from '#ports/bus.ts'
import { createRedisBus } from './bus.ts'
import { redisPrefix } from './connect.ts'
import { createRedisKv } from './kv.ts'
import { variants } from '#test/run/night.ts'

const named = (title: string) => `${title}${redisMissing === null ? '' : ` (${redisMissing})`}`

/** What a process has, and the bus of another one. */
async function connectProcesses(redis: RedisConfig) {
  const target = { redis, prefix: redisPrefix(redis, 'chat.example'), log: quietLog }
  const kv = await createRedisKv(target)
  const [one, two] = [await createRedisBus(target), await createRedisBus(target)]
  onTestFinished(async () => void (await Promise.all([kv.close(), one.close(), two.close()])))
  return { kv, one, two }
}

/** Publishes until it is heard: subscribing takes a moment, and so does a new master. */
async function untilHeard(from: Bus, to: Bus, channel: string): Promise<void> {
  const heard: string[] = []
  const stop = to.subscribe(channel, (message) => heard.push(message))
  const publish = () => {
    from.publish(channel, 'hello')
    return heard.length
  }
  await expect.poll(publish, often).toBeGreaterThan(0)
  stop()
}

describe.skipIf(redisMissing !== null)(named('Redis with Sentinel'), { timeout: 5 * patience }, () => {
  test('when the master is killed, keys and messages go on with the one that is promoted, over TLS', async () => {
    const several = await startWithSentinel({ isEncrypted: true })
    onTestFinished(() => several.remove())
    const { kv, one, two } = await connectProcesses(several.redis)
    await kv.set('kept', 'yes', 600)
    await untilHeard(one, two, 'before')
    await several.killMaster()
    await expect.poll(() => kv.set('new', 'too', 600).then(() => kv.get('new'), String), often).toBe('too')
    expect(await kv.get('kept')).toBe('yes')
    await untilHeard(one, two, 'after')
  })

  test('a sentinel that takes connections and says nothing is passed over', async () => {
    const several = await startWithSentinel()
    onTestFinished(() => several.remove())
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const sentinels = [{ host: '127.0.0.1', port }, ...several.redis.sentinels]
    const kv = await createRedisKv({ redis: { ...several.redis, sentinels }, prefix: '', log: quietLog })
    onTestFinished(() => kv.close())
    await kv.set('found', 'yes', 600)
    expect(await kv.get('found')).toBe('yes')
  })
})

describe.skipIf(redisMissing !== null)(named('a cluster of three'), { timeout: 5 * patience }, () => {
  const ways = [
    { how: 'over TLS', isEncrypted: true },
    { how: 'in the clear', isEncrypted: false },
  ]
  test.each(variants(ways, 1))(
    'carries messages between processes, and counts several keys at once, $how',
    async ({ isEncrypted }) => {
      const several = await startCluster({ isEncrypted })
      onTestFinished(() => several.remove())
      const { kv, one, two } = await connectProcesses(several.redis)
      await untilHeard(one, two, 'timeline')
      expect(
        await kv.incrementMany([
          { key: 'a', by: 1, ttlSeconds: 60 },
          { key: 'b', by: 2, ttlSeconds: 60 },
        ]),
      ).toEqual([1, 2])
      await kv.set('c', 'd', 60)
      expect(await kv.get('c')).toBe('d')
    },
  )
})
