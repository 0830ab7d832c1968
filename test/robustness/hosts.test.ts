// For whom the real server answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRaw } from '#test/client/raw-http.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await createServerProcess({
    prepared: true,
    env: { LOCAL_DOMAIN: 'chat.example', WEB_DOMAIN: 'www.chat.example', LOCAL_HTTPS: 'true' },
  })
  await server.start()
})
afterAll(() => server?.remove())

/** The status of what lines like these are answered with. */
async function statusOf(start: string, ...headers: string[]): Promise<number> {
  const { socket, ended, statuses } = await openRaw(server.port)
  socket.write(`${[start, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  await ended
  return statuses()[0] ?? 0
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhl',
]

test.each(['chat.example', 'www.chat.example', 'CHAT.EXAMPLE.', 'chat.example:443', 'chat.example:8080'])(
  '%s is answered',
  async (host) => {
    expect(await statusOf('GET /api/v2/instance HTTP/1.1', `Host: ${host}`)).toBe(200)
  },
)

test.each(['evil.example', 'localhost:3000', '127.0.0.1', '[::1]:3000', 'chat.example.evil.example'])(
  '%s is answered with 421 by pages, the API, federation and streams, whatever a header says of it',
  async (host) => {
    const lines = [`Host: ${host}`, 'X-Forwarded-Host: chat.example', 'Forwarded: host=chat.example']
    for (const path of [
      '/',
      '/about',
      '/api/v2/instance',
      '/users/eve',
      '/nothing',
      '/api/v1/streaming/user',
    ]) {
      expect(await statusOf(`GET ${path} HTTP/1.1`, ...lines)).toBe(421)
    }
    expect(await statusOf('POST /inbox HTTP/1.1', ...lines, 'Content-Length: 0')).toBe(421)
    expect(await statusOf('GET /api/v1/streaming?stream=user HTTP/1.1', ...lines, ...upgrade)).toBe(421)
    expect(await statusOf('GET /health HTTP/1.1', ...lines)).toBe(200)
  },
)

test.each(['localhost:3000', '127.0.0.1', '[::1]:8080'])(
  '%s is answered to who asks on this machine without a proxy',
  async (host) => {
    expect(await statusOf('GET /api/v2/instance HTTP/1.1', `Host: ${host}`)).toBe(200)
    expect(await statusOf('GET /about HTTP/1.1', `Host: ${host}`, 'X-Forwarded-For: 203.0.113.7')).toBe(421)
  },
)

test('a request that names no host, or several, or another one as its target', async () => {
  const ours = 'Host: chat.example'
  expect(await statusOf('GET /health HTTP/1.0')).toBe(200)
  expect(await statusOf('GET /about HTTP/1.0')).toBe(400)
  expect(await statusOf('GET /about HTTP/1.0', ours)).toBe(200)
  expect(await statusOf('GET /about HTTP/1.1', ours, 'Host: evil.example')).toBe(400)
  expect(await statusOf('GET http://evil.example/about HTTP/1.1', ours)).toBe(421)
  expect(await statusOf('GET http://chat.example/about HTTP/1.1', ours)).toBe(200)
})

test('the operator reads of it once, not at each request', async () => {
  await statusOf('GET / HTTP/1.1', 'Host: evil.example')
  expect(server.output().match(/a request for another host is refused/g)).toHaveLength(1)
})
