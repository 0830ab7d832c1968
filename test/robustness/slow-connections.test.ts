// Clients that send or read slowly, on purpose or not.
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeHttpServer, createHttpServer } from '#app/http-server.ts'
import { createWebApp } from '#http/server-app.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { currentSlowness, patience } from '#test/run/patience.ts'
import { drip, openRaw } from '#test/client/raw-http.ts'

/** Honest requests take longer on a slow machine: so there the server is as much more patient. */
const slowness = currentSlowness()
const times = {
  headers: 700 * slowness,
  request: 1_500 * slowness,
  idle: 1_000 * slowness,
  keepAlive: 1_000 * slowness,
  check: 50,
}
const patient = { interval: 50 }
/** Of the server that cuts nobody before the test is over. */
const never = { headers: patience, request: patience, idle: patience, keepAlive: patience, stall: patience }

let app: LiveApp
/** The same by another door, whose times are short. */
let hasty: Server
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await freshDatabase()
  drop = database.drop
  app = await startLiveApp({ databaseUrl: database.url, worker: false, times: never })
  hasty = createHttpServer(getRequestListener(createWebApp(app.ctx).fetch), times)
  hasty.listen(0, '127.0.0.1')
  await once(hasty, 'listening')
})
afterAll(async () => {
  if (hasty) await closeHttpServer(hasty, { requests: 0 })
  await app?.close()
  await drop?.()
})

const open = (port = app.port) => openRaw(port)

const many = (count: number, port: number) => Promise.all(Array.from({ length: count }, () => open(port)))

/** Others are served while so many connections are slow, each as `begin` has it, and those that are cut are returned. */
async function crowdOf(count: number, begin: (socket: Socket, isCut: boolean) => void) {
  const kept = await many(count, app.port)
  for (const { socket } of kept) begin(socket, false)
  for (let i = 0; i < 5; i++) expect((await app.fetch('/api/v1/instance')).status).toBe(200)
  expect(kept.filter(({ socket }) => socket.destroyed)).toEqual([])
  for (const { socket } of kept) socket.destroy()
  const cut = await many(count, (hasty.address() as AddressInfo).port)
  for (const { socket } of cut) begin(socket, true)
  await Promise.all(cut.map(({ ended }) => ended))
  return cut
}

const crowd = 200

describe('slow connections [ROB-9]', () => {
  test('slow headers: others are served, the slow ones are cut', async () => {
    const slow = await crowdOf(crowd, (socket) => {
      socket.write('GET /api/v1/instance HTTP/1.1\r\nHost: chat.example\r\nX-Slow: ')
      drip(socket, 'a')
    })
    for (const { received } of slow) expect(received()).toMatch(/^HTTP\/1.1 408 |^$/)
  })

  test('silence: others are served, the silent ones are cut', async () => {
    const slow = await crowdOf(crowd, () => {})
    expect(slow.filter(({ socket }) => !socket.destroyed)).toEqual([])
  })

  test.concurrent.for(['application/json', 'multipart/form-data; boundary=x'])(
    'a slow body of %s: others are served, the slow ones are cut, and nothing is left of them',
    async (type, { expect }) => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const start = type.startsWith('multipart')
        ? '--x\r\ncontent-disposition: form-data; name="avatar"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
        : '{"note": "'
      const slow = await crowdOf(crowd / 4, (socket, isCut) => {
        const { token } = isCut ? alice : bob
        socket.write(
          `PATCH /api/v1/accounts/update_credentials HTTP/1.1\r\nHost: chat.example\r\nAuthorization: Bearer ${token}\r\n` +
            `Content-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${start}`,
        )
        drip(socket, 'a')
      })
      const uploads = () => readdir(`${app.ctx.config.dataDir}/tmp/uploads`).catch(() => [])
      await expect.poll(uploads, patient).toEqual([])
      // Each is a line in the log when it ends, and none is an error of ours.
      const lines = () => app.logLines.filter((line) => line.fields['account'] === alice.accountId)
      await expect.poll(() => lines().length, patient).toBe(slow.length)
      expect(app.logLines.filter((line) => line.level === 'error')).toEqual([])
    },
  )

  // Each on a server of its own: what they wait for, they wait for at the same time.
  test.concurrent('readers that do not read: the connection is cut when nothing moves any more', async ({
    expect,
  }) => {
    let waiting = 0
    // More than what the system keeps for a connection.
    const large = Buffer.alloc(32 * 2 ** 20)
    const server = createHttpServer((_request, response) => {
      waiting++
      response.on('close', () => waiting--)
      response.end(large)
    }, times)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { socket } = await open(port)
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: chat.example\r\n\r\n')
    await expect.poll(() => waiting, patient).toBe(1)
    await expect.poll(() => waiting, patient).toBe(0)
    socket.destroy()
    await closeHttpServer(server, { requests: 0 })
  })

  const paced = {
    headers: 5_000 * slowness,
    request: 60_000 * slowness,
    idle: 20_000 * slowness,
    check: 50,
    stall: 1_000 * slowness,
    rate: 200,
  }

  /** A server that answers with what it was sent. */
  async function startEcho(answer?: Buffer) {
    const server = createHttpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => response.end(answer ?? Buffer.concat(chunks)))
      request.on('error', () => {})
    }, paced)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, port: (server.address() as { port: number }).port }
  }

  test.concurrent('a body of some bytes a second is cut with 408 although it never pauses, whether it is read or not', async ({
    expect,
  }) => {
    const { server, port } = await startEcho()
    const head = 'POST / HTTP/1.1\r\nHost: chat.example\r\n'
    const slow = await Promise.all([open(port), open(port), open(port)])
    slow[0]?.socket.write(`${head}Content-Length: 100000\r\n\r\n`)
    slow[1]?.socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    // What came before does not count for ever.
    slow[2]?.socket.write(`${head}Content-Length: 100000\r\n\r\n${'b'.repeat(50_000)}`)
    drip(slow[0]!.socket, 'a', 50)
    drip(slow[1]!.socket, '1\r\na\r\n', 50)
    drip(slow[2]!.socket, 'a', 50)
    await Promise.all(slow.map(({ ended }) => ended))
    for (const { statuses } of slow) expect(statuses()).toEqual([408])
    await closeHttpServer(server, { requests: 0 })
  })

  test.concurrent('an honest body of a slow line arrives, however long it takes', async ({ expect }) => {
    const { server, port } = await startEcho()
    const { socket, received, statuses } = await open(port)
    socket.write('POST / HTTP/1.1\r\nHost: chat.example\r\nContent-Length: 4000\r\n\r\n')
    // Some 800 bytes a second, for some times as long as may pass without progress.
    drip(socket, 'a'.repeat(40), 50)
    await expect.poll(() => statuses(), patient).toContain(200)
    expect(received()).toContain('a'.repeat(4000))
    socket.destroy()
    await closeHttpServer(server, { requests: 0 })
  })

  test.concurrent('whoever reads an answer some bytes at a time is cut', async ({ expect }) => {
    const { server, port } = await startEcho(Buffer.alloc(32 * 2 ** 20))
    const { socket, ended } = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: chat.example\r\n\r\n')
    socket.pause()
    const timer = setInterval(() => socket.read(1), 50)
    const count = () => new Promise((resolve) => server.getConnections((_, open) => resolve(open)))
    await expect.poll(count, patient).toBe(0)
    clearInterval(timer)
    socket.destroy()
    await ended
    await closeHttpServer(server, { requests: 0 })
  })

  test('who is refused while sending reads the answer', async () => {
    const alice = await app.person('alice')
    const { socket, ended, statuses } = await open()
    const size = 8 * 2 ** 20
    socket.write(
      `POST /api/v1/statuses HTTP/1.1\r\nHost: chat.example\r\nConnection: close\r\nAuthorization: Bearer ${alice.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    )
    drip(socket, 'a'.repeat(2 ** 20), 50)
    await ended
    expect(statuses()).toEqual([413])
  })
})
