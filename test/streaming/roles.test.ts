// Streaming apart from the rest: processes that share a database and a Redis, and a streaming address of its own.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { freshDatabase } from '#test/app/databases.ts'
import { redisMissing, startRedis, type RedisServer } from '#test/servers/redis-server.ts'
import { startStreamingApp, useStreamingApp, type StreamingApp } from '#test/app/streaming-app.ts'

describe.skipIf(redisMissing)('a streaming process of its own', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let redis: RedisServer
  let web: StreamingApp
  let streaming: StreamingApp

  beforeAll(async () => {
    database = await freshDatabase()
    redis = await startRedis()
    const shared = { databaseUrl: database.url, env: { REDIS_URL: redis.url } }
    web = await startStreamingApp({ ...shared, roles: ['web', 'worker'] })
    streaming = await startStreamingApp({ ...shared, roles: ['streaming'] })
  })

  afterAll(async () => {
    await streaming?.stop()
    await web?.stop()
    await redis?.remove()
    await database?.drop()
  })

  test('tells what is posted through another, and is asked for nothing else', async () => {
    const [alice, bob] = [await web.person('alice'), await web.person('bob')]
    await bob.follow(alice)
    const listener = await streaming.listen(bob.token, { stream: 'user' })
    listener.subscribe('public')
    const heard = listener.next('update', (one) => one.stream[0] === 'public')
    const post = await alice.say('through Redis')
    expect((await heard).payload.id).toBe(post.id)
    expect((await listener.next('update', (one) => one.stream[0] === 'user')).payload.id).toBe(post.id)
    expect((await streaming.fetch('/api/v1/instance')).status).toBe(404)
    expect((await streaming.fetch('/health')).status).toBe(200)
    expect((await web.fetch('/api/v1/streaming/user')).status).toBe(404)
    expect((await web.fetch('/api/v1/streaming/health')).status).toBe(404)
  })

  test('tells an edit as it is, before it has heard that what it keeps has changed', async () => {
    const [alice, bob] = [await web.person('alice'), await web.person('bob')]
    const [author, reader] = [
      await streaming.listen(alice.token, { stream: 'user:notification' }),
      await streaming.listen(bob.token, { stream: 'user:notification' }),
    ]
    const { id } = await alice.say('As it was')
    expect((await bob.post(`/api/v1/statuses/${id}/reblog`)).status).toBe(200)
    await author.next('notification')
    const publish = web.ctx.bus.publish
    const late = vi.spyOn(web.ctx.bus, 'publish')
    late.mockImplementation((channel, text) => (channel === 'changes' ? undefined : publish(channel, text)))
    try {
      await alice.put(`/api/v1/statuses/${id}`, { status: 'As it is' })
      const told = await reader.next('notification', (one) => one.payload.type === 'update')
      expect(told.payload.status.content).toContain('As it is')
      reader.subscribe('public')
      await reader.answered()
      await alice.put(`/api/v1/statuses/${id}`, { status: 'As it will be' })
      const edit = await reader.next('status.update')
      expect(edit.payload.content).toContain('As it will be')
    } finally {
      late.mockRestore()
    }
  })

  test('tells those who quote a post of its edit as it is', async () => {
    const [alice, bob] = [await web.person('alice'), await web.person('bob')]
    const [author, quoter] = [
      await streaming.listen(alice.token, { stream: 'user:notification' }),
      await streaming.listen(bob.token, { stream: 'user:notification' }),
    ]
    const { id } = await alice.say('As it was')
    const quote = await bob.say('Look', { quoted_status_id: id })
    // From here on it keeps both.
    await author.next('notification', (one) => one.payload.type === 'quote')
    const publish = web.ctx.bus.publish
    const late = vi.spyOn(web.ctx.bus, 'publish')
    late.mockImplementation((channel, text) => (channel === 'changes' ? undefined : publish(channel, text)))
    try {
      await alice.put(`/api/v1/statuses/${id}`, { status: 'As it is' })
      const told = await quoter.next('notification', (one) => one.payload.type === 'quoted_update')
      expect(told.payload.status.id).toBe(quote.id)
      expect(told.payload.status.quote.quoted_status.content).toContain('As it is')
    } finally {
      late.mockRestore()
    }
  })

  test('goes on when Redis is back, on the same connections', async () => {
    const alice = await web.person('alice')
    const listener = await streaming.listen(alice.token, { stream: 'user' })
    await redis.kill()
    await alice.say('nobody hears of this')
    await redis.start()
    const posted = new Set<string>()
    await expect
      .poll(
        async () => {
          posted.add((await alice.say('is anybody there?')).id)
          return listener.heard.some((one) => posted.has(one.payload.id))
        },
        { interval: 100 },
      )
      .toBe(true)
    expect(listener.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('ends streams whose token another process revoked, also while Redis is away [ACC-5]', async () => {
    const alice = await web.person('alice')
    const listener = await streaming.listen(alice.token, { stream: 'user' })
    await redis.kill()
    await web.ctx.db
      .updateTable('oauth_tokens')
      .set({ revoked_at: new Date(0) })
      .where('user_id', '=', alice.userId)
      .execute()
    await listener.closed
    expect(listener.socket.readyState).toBe(WebSocket.CLOSED)
    await redis.start()
  })

  test('ends its connections when it stops [ROB-16]', async () => {
    const alice = await web.person('alice')
    const [socket, events] = [
      await streaming.listen(alice.token, { stream: 'user' }),
      await streaming.read(alice.token, 'user'),
    ]
    await Promise.all([
      streaming.stop(),
      socket.closed.then((code) => expect(code).toBe(1001)),
      events.closed,
    ])
  })
})

describe('a streaming address of its own [6-4]', () => {
  const app = useStreamingApp({ env: { STREAMING_API_BASE_URL: 'wss://stream.example' } })

  test('is where requests to the main host are led', async () => {
    const answer = await app.fetch('/api/v1/streaming/public?only_media=true', { redirect: 'manual' })
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe(
      'https://stream.example/api/v1/streaming/public?only_media=true',
    )
    const plain = await app.fetch('/api/v1/streaming', { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      301,
      'https://stream.example/api/v1/streaming',
    ])
    const upgrade = await new Promise<[number | undefined, string | undefined]>((resolve) => {
      const socket = new WebSocket(`${app.streamUrl}?stream=user`)
      socket.on('error', () => {})
      socket.on('unexpected-response', (_, response) => {
        resolve([response.statusCode, response.headers.location])
        response.destroy()
      })
    })
    expect(upgrade).toEqual([301, 'https://stream.example/api/v1/streaming?stream=user'])
  })

  test('is told in the instance document, and serves when it is this process that is asked by it', async () => {
    const instance = (await (await app.fetch('/api/v2/instance')).json()) as {
      configuration: { urls: object }
    }
    expect(instance.configuration.urls).toMatchObject({ streaming: 'wss://stream.example' })
    const alice = await app.person('alice')
    const headers = { host: 'stream.example', authorization: `Bearer ${alice.token}` }
    const socket = new WebSocket(app.streamUrl, { headers })
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    socket.terminate()
  })
})

describe('without one', () => {
  const app = useStreamingApp()

  test('the path alone is only for WebSockets, and other upgrades are requests like any other', async () => {
    expect((await app.fetch('/api/v1/streaming')).status).toBe(404)
    expect((await app.fetch('/api/v1/streamings')).status).toBe(404)
    const options = await app.fetch('/api/v1/streaming/user', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const asked = await app.fetch('/api/v1/streaming/user', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'authorization,x-custom' },
    })
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,x-custom')
    expect(asked.headers.get('vary')).toBe('Access-Control-Request-Headers')
    const refused = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/v1/instance`)
      socket.on('error', () => {})
      socket.on('unexpected-response', (_, response) => {
        resolve(response.statusCode)
        response.destroy()
      })
    })
    expect(refused).toBe(200)
  })
})
