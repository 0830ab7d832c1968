import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { perAccount, perAddress } from '#streaming/limits.ts'
import { useStreamingApp } from '#test/app/streaming-app.ts'
import { openRaw, requestHead } from '#test/client/raw-http.ts'

const app = useStreamingApp({ env: { RATE_LIMITS: 'on' } })

/** 101, or the status with which it is refused. */
async function open(token: string, address: string, kept: WebSocket[]): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
  const socket = new WebSocket(app.streamUrl, { headers })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.on('open', () => resolve(kept.push(socket) && 101))
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
  })
}

async function openMany(count: number, one: () => Promise<number>): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const statuses = await Promise.all(Array.from({ length: Math.min(50, left) }, one))
    expect(new Set(statuses)).toEqual(new Set([101]))
  }
}

async function closeAll(kept: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    kept.map(async (socket) => {
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    }),
  )
  await expect.poll(() => app.countStreams()).toBe(0)
}

test('one account has so many connections and no more, and gets its place back [ROB-10]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const kept: WebSocket[] = []
  let made = 0
  const address = () => `198.51.100.${++made % 200}`
  await openMany(perAccount, () => open(alice.token, address(), kept))
  expect(await open(alice.token, address(), kept)).toBe(429)
  expect(await open(bob.token, address(), kept)).toBe(101)
  await closeAll(kept)
  expect(await open(alice.token, address(), kept)).toBe(101)
  await closeAll(kept.slice(-1))
})

test('one address has so many connections and no more [ROB-10]', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => app.person('crowd')))
  const kept: WebSocket[] = []
  let made = 0
  await openMany(perAddress, () => open(people[++made % 6]!.token, '203.0.113.9', kept))
  expect(await open(people[0]!.token, '203.0.113.9', kept)).toBe(429)
  expect(await open(people[0]!.token, '203.0.113.10', kept)).toBe(101)
  await closeAll(kept)
})

test('streams that wait behind another of their connection end with it [ROB-10]', async () => {
  const alice = await app.person('alice')
  const { socket, statuses } = await openRaw(Number(new URL(app.streamUrl).port))
  const head = { host: 'chat.example', authorization: `Bearer ${alice.token}` }
  socket.write(requestHead('GET /api/v1/streaming/user', head).repeat(4))
  await expect.poll(statuses).toEqual([200])
  await expect.poll(() => app.countStreams()).toBe(4)
  socket.destroy()
  await expect.poll(() => app.countStreams()).toBe(0)
})

test('who does not read is dropped, and takes no memory for long [ROB-10]', async () => {
  const alice = await app.person('alice')
  const kept: WebSocket[] = []
  await open(alice.token, '192.0.2.1', kept)
  const [socket] = kept
  const tags = Array.from({ length: 70 }, (_, index) => `t${index}x`)
  for (const tag of tags) socket!.send(JSON.stringify({ type: 'subscribe', stream: 'hashtag', tag }))
  const received = once(socket!, 'message')
  await alice.say(`#${tags.join(' #')}`)
  await received
  socket!.pause()
  for (let i = 0; i < 60 && app.countStreams() > 0; i++) await alice.say(`${i} #${tags.join(' #')}`)
  await expect.poll(() => app.countStreams()).toBe(0)
  socket!.terminate()
})
