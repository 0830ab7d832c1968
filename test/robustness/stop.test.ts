import { connect } from 'node:net'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeHttpServer, createHttpServer } from '#app/http-server.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'

/** A connection on which a request can be sent in parts. */
async function open(port: number) {
  const socket = connect(port, 'localhost')
  let text = ''
  socket.on('data', (data) => (text += data))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'connect')
  return { socket, received: () => text, closed }
}

describe('a stop signal under load [ROB-16]', () => {
  let server: ServerProcess
  let alice: Person

  beforeAll(async () => {
    server = await createServerProcess({ prepared: true })
    await server.start()
    ;[alice] = (await server.people('alice')) as [Person]
  })
  afterAll(() => server?.remove())

  test('requests under way are answered, the server and its database end, and nothing is lost', async () => {
    const kept: string[] = []
    const odd: number[] = []
    let stopping = false
    const client = async () => {
      for (let i = 0; i < 10_000; i++) {
        const answer = await alice.post('/api/v1/statuses', { status: `under load ${i}` }).catch(() => null)
        // Connections are refused from now on.
        if (answer === null && stopping) return
        if (answer?.status === 200) kept.push(answer.body.id)
        else odd.push(answer?.status ?? 0)
      }
    }
    const clients = Array.from({ length: 8 }, client)
    const idle = await open(server.port)
    const body = 'status=begun+before+the+signal'
    const underWay = await open(server.port)
    underWay.socket.write(
      `POST /api/v1/statuses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${alice.token}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    await expect.poll(() => kept.length).toBeGreaterThan(40)
    stopping = true
    const ended = server.end('SIGTERM')
    await idle.closed
    underWay.socket.write(body.slice(10))
    await underWay.closed
    expect(underWay.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const { id } = JSON.parse(underWay.received().split('\r\n\r\n')[1] as string) as { id: string }
    expect(await ended).toBe(0)
    expect(await server.databasePid()).toBeNull()
    await Promise.all(clients)
    expect(odd).toEqual([])
    expect(server.output()).not.toMatch(/"level":"(error|warn)"/)

    await server.start()
    const log = await readFile(path.join(server.dataDir, 'logs', 'postgres.log'), 'utf8')
    expect(log).toContain('database system was shut down at')
    expect(log).not.toMatch(/interrupted|not properly shut down/)
    const found = await Promise.all(
      [id, ...kept].map(async (one) => (await alice.get(`/api/v1/statuses/${one}`)).status),
    )
    expect(new Set(found)).toEqual(new Set([200]))
  })
})

describe('a request that does not end [ROB-16]', () => {
  test('is cut when the patience is over', async () => {
    const server = createHttpServer(() => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { socket, closed } = await open(port)
    const begun = once(server, 'request')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await begun
    const started = performance.now()
    await closeHttpServer(server, { requests: 300 })
    expect(performance.now() - started).toBeGreaterThan(250)
    await closed
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })
})
