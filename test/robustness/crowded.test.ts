// More connections than a server has room for: from one address, and from all.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { blackPng } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { openRaw, requestHead, type RawConnection } from '#test/client/raw-http.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { uploadForm } from '#test/client/upload.ts'
import { isNight } from '#test/run/night.ts'

const patient = { interval: 100 }
const opened: RawConnection[] = []
let server: ServerProcess

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy()
})

/** Connections from an address, as many as are wanted; those that the server keeps. */
async function openMany(count: number, from: string): Promise<RawConnection[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () => openRaw(server.port, { from }).catch(() => null)),
  )
  const connections = made.filter((one) => one !== null)
  opened.push(...connections)
  return connections
}

const ask = (connection: RawConnection) =>
  connection.socket.write(requestHead('GET /health', { Host: `localhost:${server.port}` }))

/** How many of them are answered. The others have to be gone. */
async function countServed(connections: RawConnection[]): Promise<number> {
  connections.forEach(ask)
  await expect
    .poll(
      () => connections.filter((one) => !one.socket.destroyed && one.statuses().length === 0).length,
      patient,
    )
    .toBe(0)
  return connections.filter((one) => one.statuses().includes(200)).length
}

const limitsOf = () => readFile(`/proc/${server.pid()}/limits`, 'utf8')

describe('connections of one address', () => {
  beforeAll(async () => {
    server = await createServerProcess({
      prepared: true,
      wrap: ['prlimit', '--nofile=300:5000'],
      env: { TRUSTED_PROXY_IP: '127.0.0.1', RATE_LIMITS: 'on', LOG_LEVEL: 'warn' },
    })
    await server.start()
  })
  afterAll(() => server?.remove())

  test('are not limited by a low soft limit of the system, which is raised to what it allows', async () => {
    expect(await limitsOf()).toMatch(/^Max open files\s+5000 /m)
  })

  test('have a limit; other addresses and a proxy are served, and the log names the address', async () => {
    expect(await countServed(await openMany(600, '127.0.0.9'))).toBe(512)
    expect(await countServed(await openMany(600, '127.0.0.1'))).toBe(600)
    expect(await countServed(await openMany(20, '127.0.0.10'))).toBe(20)
    expect(server.output().match(/too many connections/g)).toHaveLength(1)
    expect(server.output()).toContain('127.0.0.9')
    for (const { socket } of opened.splice(0)) socket.destroy()
    await expect.poll(async () => countServed(await openMany(1, '127.0.0.9')), patient).toBe(1)
  })

  test('WebSockets count as well', async () => {
    const [eve] = (await server.people('eve')) as [Person]
    const sockets = Array.from({ length: 30 }, () => {
      const url = `ws://localhost:${server.port}/api/v1/streaming?stream=user&access_token=${eve.token}`
      return new WebSocket(url, { localAddress: '127.0.0.11', family: 4, host: '127.0.0.1' })
    })
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    expect(await countServed(await openMany(500, '127.0.0.11'))).toBe(482)
    for (const socket of sockets) socket.terminate()
  })
})

describe.runIf(isNight)('a server with few descriptors', () => {
  const limit = 200
  let eve: Person
  let peer: Server
  let asked: string[]

  beforeAll(async () => {
    asked = []
    peer = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    peer.listen(0, '127.0.0.1')
    await once(peer, 'listening')
    server = await createServerProcess({
      prepared: true,
      wrap: ['prlimit', `--nofile=${limit}`],
      env: { LOG_LEVEL: 'warn', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    })
    await server.start()
    ;[eve] = (await server.people('eve')) as [Person]
  })
  afterAll(async () => {
    peer?.close()
    await server?.remove()
  })

  test('refuses new connections before files fail: those it has are served, and afterwards everybody', async () => {
    expect(await limitsOf()).toMatch(new RegExp(`^Max open files\\s+${limit} `, 'm'))
    const crowd = await openMany(400, '127.0.0.1')
    const served = await countServed(crowd)
    expect(served).toBeGreaterThan(20)
    expect(served).toBeLessThan(limit)
    const kept = crowd.filter(({ socket }) => !socket.destroyed)
    expect(server.output()).toContain('new connections are refused')
    // Uploads, the database and requests to others go on over the connections that are there.
    const [one, two, three] = kept as [RawConnection, RawConnection, RawConnection]
    await upload(one)
    sendAs(two, 'POST /api/v1/statuses', 'application/json', Buffer.from('{"status":"crowded"}'))
    await expect.poll(two.statuses, patient).toEqual([200, 200])
    const handle = encodeURIComponent(`@nobody@127.0.0.1:${(peer.address() as AddressInfo).port}`)
    sendAs(three, `GET /api/v2/search?resolve=true&q=${handle}`, 'text/plain', Buffer.alloc(0))
    await expect.poll(three.statuses, patient).toEqual([200, 200])
    expect(asked).not.toEqual([])
    expect(server.output()).not.toMatch(/EMFILE|unhandled/)

    for (const { socket } of opened.splice(0)) socket.destroy()
    await expect.poll(async () => countServed(await openMany(10, '127.0.0.1')), patient).toBe(10)
  })

  test('survives that nothing can be opened at all, says so, and goes on when it can again', async () => {
    const [kept] = (await openMany(1, '127.0.0.1')) as [RawConnection]
    ask(kept)
    await expect.poll(kept.statuses, patient).toEqual([200])
    const setLimit = (soft: number) =>
      runProcessSync('prlimit', ['--pid', String(server.pid()), `--nofile=${soft}:${limit}`])
    setLimit(8)
    try {
      sendAs(kept, 'POST /api/v2/media', 'multipart/form-data; boundary=x', imagePart())
      await expect.poll(kept.statuses, patient).toEqual([200, 503])
      expect(kept.received().toLowerCase()).toContain('retry-after: 30')
      expect(server.output()).toContain('too many files are open')
      await openMany(30, '127.0.0.1')
    } finally {
      setLimit(limit)
    }
    for (const { socket } of opened.splice(0)) socket.destroy()
    await expect.poll(async () => countServed(await openMany(10, '127.0.0.1')), patient).toBe(10)
    expect((await eve.post('/api/v2/media', uploadForm(blackPng(8, 8)))).status).toBe(200)
    await eve.say('afterwards')
  })

  function sendAs({ socket }: RawConnection, start: string, type: string, body: Buffer): void {
    socket.write(
      requestHead(start, {
        Host: `localhost:${server.port}`,
        Authorization: `Bearer ${eve.token}`,
        'Content-Type': type,
        'Content-Length': body.length,
      }),
    )
    socket.write(body)
  }

  const imagePart = () =>
    Buffer.concat([
      Buffer.from(
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
      ),
      blackPng(8, 8),
      Buffer.from('\r\n--x--\r\n'),
    ])

  async function upload(connection: RawConnection): Promise<void> {
    sendAs(connection, 'POST /api/v2/media', 'multipart/form-data; boundary=x', imagePart())
    await expect.poll(connection.statuses, patient).toEqual([200, 200])
  }
})
