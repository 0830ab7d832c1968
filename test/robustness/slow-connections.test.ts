// Clients that send or read slowly, on purpose or not.
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeHttpServer, createHttpServer } from '#app/http-server.ts'
import { freshDatabase, startLiveApp, type LiveApp } from '#test/live-app.ts'

const times = { headers: 700, request: 1_500, idle: 1_000, keepAlive: 1_000, check: 50 }
const patient = { timeout: 10_000, interval: 50 }

let app: LiveApp
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await freshDatabase()
  drop = database.drop
  app = await startLiveApp({ databaseUrl: database.url, worker: false, times })
})
afterAll(async () => {
  await app?.close()
  await drop?.()
})

interface Slow {
  socket: Socket
  received(): string
  ended: Promise<unknown>
}

async function open(port = app.port): Promise<Slow> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => (text += data))
  socket.on('error', () => {})
  // A cut may be told as an error first.
  const ended = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'connect')
  return { socket, received: () => text, ended }
}

/** Sends one byte now and then until the connection ends. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 100)
  socket.on('close', () => clearInterval(timer))
}

async function othersAreServed(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const started = performance.now()
    expect((await app.fetch('/api/v1/instance')).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(1_000)
  }
}

const crowd = 200

describe('ROB-9: slow connections', () => {
  test('slow headers: others are served, the slow ones are cut', async () => {
    const slow = await Promise.all(Array.from({ length: crowd }, () => open()))
    for (const { socket } of slow) {
      socket.write('GET /api/v1/instance HTTP/1.1\r\nHost: chat.example\r\nX-Slow: ')
      drip(socket, 'a')
    }
    await othersAreServed()
    await Promise.all(slow.map(({ ended }) => ended))
    for (const { received } of slow) expect(received()).toMatch(/^HTTP\/1.1 408 |^$/)
  })

  test('silence: others are served, the silent ones are cut', async () => {
    const slow = await Promise.all(Array.from({ length: crowd }, () => open()))
    await othersAreServed()
    await Promise.all(slow.map(({ ended }) => ended))
    expect(slow.filter(({ socket }) => !socket.destroyed)).toEqual([])
  })

  test.each(['application/json', 'multipart/form-data; boundary=x'])(
    'a slow body of %s: others are served, the slow ones are cut, and nothing is left of them',
    async (type) => {
      const alice = await app.person('alice')
      const slow = await Promise.all(Array.from({ length: crowd / 4 }, () => open()))
      const start = type.startsWith('multipart')
        ? '--x\r\ncontent-disposition: form-data; name="avatar"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
        : '{"note": "'
      for (const { socket } of slow) {
        socket.write(
          `PATCH /api/v1/accounts/update_credentials HTTP/1.1\r\nHost: chat.example\r\nAuthorization: Bearer ${alice.token}\r\n` +
            `Content-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${start}`,
        )
        drip(socket, 'a')
      }
      await othersAreServed()
      await Promise.all(slow.map(({ ended }) => ended))
      const uploads = () => readdir(`${app.ctx.config.dataDir}/tmp/uploads`).catch(() => [])
      await expect.poll(uploads, patient).toEqual([])
      // Each is a line in the log when it ends, and none is an error of ours.
      const lines = () => app.logLines.filter((line) => line.fields['account'] === alice.accountId)
      await expect.poll(() => lines().length, patient).toBe(slow.length)
      expect(app.logLines.filter((line) => line.level === 'error')).toEqual([])
    },
  )

  test('readers that do not read: the connection is cut when nothing moves any more', async () => {
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
    await closeHttpServer(server, 0)
  })
})
