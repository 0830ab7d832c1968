import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Bus } from '#ports/bus.ts'
import type { Kv } from '#ports/kv.ts'
import { describeKv } from '#test/contracts/kv-contract.ts'
import { quietLog, recordingLog } from '#test/app/log.ts'
import { often } from '#test/run/patience.ts'
import { redisMissing, startRedis, type RedisServer } from '#test/servers/redis-server.ts'
import { createRedisBus } from './bus.ts'
import { connectRedis, redisPrefix } from './connect.ts'
import { createRedisKv } from './kv.ts'

const single = (url: string) => ({ kind: 'single' as const, url })
const prefix = redisPrefix(single(''), 'example.org')

test('an address where nobody answers is refused at the start', async () => {
  const log = recordingLog()
  const target = { redis: single('redis://127.0.0.1:1'), prefix, log }
  await expect(createRedisKv(target)).rejects.toThrow('check REDIS_URL')
  await expect(createRedisBus(target)).rejects.toThrow('check REDIS_URL')
  // Whoever wanted them says so, once.
  expect(log.lines).toEqual([])
})

describe.skipIf(redisMissing !== null)(`over a real Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  describe('keys', () => {
    let kv: Kv
    beforeAll(async () => {
      kv = await createRedisKv({ redis: single(server.url), prefix, log: quietLog })
    })
    afterAll(() => kv.close())

    describeKv(
      () => kv,
      (seconds) => delay(seconds * 1000),
    )

    test('it says what it is, and how much memory it takes', async () => {
      const { version, bytes } = (await kv.describe()) ?? {}
      expect(version).toMatch(/^\d+\.\d+/)
      expect(bytes).toBeGreaterThan(100_000)
    })

    test('servers with other prefixes do not see each other', async () => {
      const other = await createRedisKv({
        redis: single(server.url),
        prefix: redisPrefix(single(''), 'example.com'),
        log: quietLog,
      })
      await kv.set('shared', 'mine', 60)
      expect(await other.get('shared')).toBeNull()
      await other.close()
    })
  })

  describe('bus', () => {
    const open: Bus[] = []
    const openBus = async (log = quietLog) => {
      const bus = await createRedisBus({ redis: single(server.url), prefix, log })
      open.push(bus)
      return bus
    }
    afterAll(() => Promise.all(open.map((bus) => bus.close())))

    /** Publishes until it is heard: a subscription takes a moment to reach the server. */
    const reach = async (from: Bus, channel: string, heard: string[]) => {
      const message = crypto.randomUUID()
      await vi.waitFor(() => {
        from.publish(channel, message)
        expect(heard).toContain(message)
      }, often)
      heard.length = 0
    }

    test('a message reaches other processes once per listener, in order', async () => {
      const [one, two] = [await openBus(), await openBus()]
      const first: string[] = []
      const second: string[] = []
      const stop = two.subscribe('order', (message) => first.push(message))
      two.subscribe('order', (message) => second.push(message))
      await reach(two, 'order', second)
      // What `reach` sent too often has come in once this marker is there.
      two.publish('order', 'marker')
      await vi.waitFor(() => expect(second).toContain('marker'), often)
      first.length = second.length = 0
      for (const message of ['a', 'b', 'c', 'ä']) one.publish('order', message)
      await vi.waitFor(() => expect(second).toHaveLength(4), often)
      expect(first).toEqual(['a', 'b', 'c', 'ä'])
      expect(second).toEqual(first)
      stop()
      one.publish('order', 'd')
      await vi.waitFor(() => expect(second).toContain('d'), often)
      expect(first).toHaveLength(4)
    })

    test('Redis is subscribed only to channels that someone listens to', async () => {
      const bus = await openBus()
      const probe = await connectRedis({ redis: single(server.url), log: quietLog })
      const channel = crypto.randomUUID()
      const subscribers = async () => (await probe.pubsub('NUMSUB', prefix + channel))[1]
      const stops = [bus.subscribe(channel, () => {}), bus.subscribe(channel, () => {})]
      await vi.waitFor(async () => expect(await subscribers()).toBe(1), often)
      stops[0]!()
      stops[0]!()
      expect(await subscribers()).toBe(1)
      stops[1]!()
      await vi.waitFor(async () => expect(await subscribers()).toBe(0), often)
      probe.disconnect()
    })

    test('a connection that has gone without a word is noticed by who only listens, and heals', async () => {
      const way = await openWay(server.url)
      const bus = await createRedisBus({ redis: single(way.url), prefix, log: quietLog }, 200)
      open.push(bus)
      const heard: string[] = []
      bus.subscribe('silent', (message) => heard.push(message))
      const other = await openBus()
      await reach(other, 'silent', heard)
      const before = way.connections()
      way.swallow()
      await reach(other, 'silent', heard)
      expect(way.connections()).toBeGreaterThan(before)
      await way.close()
    })

    test('a lost connection heals; meanwhile nothing throws, keys fail at once, and the log stays short', async () => {
      const log = recordingLog()
      const bus = await openBus(log)
      const kv = await createRedisKv({ redis: single(server.url), prefix, log })
      const heard: string[] = []
      const later: string[] = []
      bus.subscribe('before', (message) => heard.push(message))
      await reach(bus, 'before', heard)
      await server.kill()
      await vi.waitFor(() => expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(3), often)
      expect(() => bus.publish('before', 'lost')).not.toThrow()
      bus.subscribe('meanwhile', (message) => later.push(message))
      await expect(kv.get('x')).rejects.toThrow(/writeable|closed/)
      await server.start()
      await reach(bus, 'before', heard)
      await reach(bus, 'meanwhile', later)
      await vi.waitFor(() => kv.set('x', 'y', 60), often)
      expect(await kv.get('x')).toBe('y')
      expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(3)
      await kv.close()
    })
  })
})

/** A way to Redis on which connections can fall silent, as when a machine or a cable is gone. */
async function openWay(url: string) {
  const made: Socket[][] = []
  const way = createServer((socket) => {
    const beyond = connect(new URL(url).pathname)
    made.push([socket, beyond])
    socket.on('error', () => {}).on('close', () => beyond.destroy())
    beyond.on('error', () => {}).on('close', () => socket.destroy())
    socket.pipe(beyond).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  return {
    url: `redis://127.0.0.1:${(way.address() as AddressInfo).port}`,
    connections: () => made.length,
    /** All connections stay open; nothing comes through them any more. */
    swallow() {
      for (const socket of made.flat()) socket.unpipe().resume()
    },
    async close() {
      for (const socket of made.flat()) socket.destroy()
      way.close()
      await once(way, 'close')
    },
  }
}
