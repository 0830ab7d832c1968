import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { RemoteError, type HttpClient, type RemoteProblem } from '#ports/http-client.ts'
import { quietLog } from '#test/app/log.ts'
import { startRawRemote, startRemote } from '#test/servers/remote-server.ts'
import { createHttpClient } from './http-client.ts'
import { runs } from '#test/run/night.ts'

const config = loadConfig({
  LOCAL_DOMAIN: '127.0.0.4:3000',
  ALLOWED_PRIVATE_ADDRESSES: '127.0.0.5,127.0.0.6',
})

function useClient(destinations: 'strangers' | 'configured' = 'strangers'): HttpClient {
  const client = createHttpClient({ config, log: quietLog, destinations })
  onTestFinished(() => client.close())
  return client
}

/** The body that comes back is what was sent. */
const echo: RequestListener = (request, response) => void request.pipe(response)

const hello: RequestListener = (_, response) =>
  void response.setHeader('content-type', 'text/plain').end('hello')

async function problemOf(answer: Promise<unknown>): Promise<RemoteProblem | null> {
  try {
    await answer
    return null
  } catch (error) {
    if (error instanceof RemoteError) return error.problem
    throw error
  }
}

describe('requests', () => {
  test('say who asks, and what is understood', async () => {
    const remote = await startRemote('127.0.0.5', hello)
    const answer = await useClient().send({ url: remote.url('/a?b=c#d'), maxBytes: 100 })
    expect(answer).toMatchObject({ status: 200, url: remote.url('/a?b=c'), body: Buffer.from('hello') })
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(remote.requests[0]).toMatchObject({
      method: 'GET',
      url: '/a?b=c',
      headers: {
        host: `127.0.0.5:${remote.port}`,
        'user-agent': expect.stringMatching(/^Stonechat\/[\d.]+ \(\+http:\/\/127\.0\.0\.4:3000\/\)$/),
        'accept-encoding': 'gzip, deflate, br',
      },
    })
  })

  test('have the headers of the caller, but for those of the connection', async () => {
    const remote = await startRemote('127.0.0.5', hello)
    const headers = { 'User-Agent': 'Test Bot', host: 'other.example', 'content-length': '7', te: 'trailers' }
    await useClient().send({ url: remote.url(), headers, maxBytes: 100 })
    const [request] = remote.requests
    expect(request?.headers).toMatchObject({ 'user-agent': 'Test Bot', host: `127.0.0.5:${remote.port}` })
    expect(request?.headers).not.toHaveProperty('te')
    expect(request?.headers).not.toHaveProperty('content-length')
  })

  test('send text, bytes and files', async () => {
    const remote = await startRemote('127.0.0.5', echo)
    const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'sent')
    await writeFile(file, Buffer.alloc(300_000, 'x'))
    const client = useClient()
    const bodies = ['grüße', Buffer.from([0, 255, 1]), { path: file }]
    const sent = [Buffer.from('grüße'), Buffer.from([0, 255, 1]), await readFile(file)]
    for (const [index, body] of bodies.entries()) {
      const answer = await client.send({ url: remote.url(), method: 'PUT', body, maxBytes: 300_000 })
      expect(answer.body.equals(sent[index]!)).toBe(true)
      expect(remote.requests[index]?.headers).toMatchObject({ 'content-length': String(sent[index]!.length) })
    }
    const missing = { url: remote.url(), method: 'PUT', body: { path: `${file}-not` }, maxBytes: 1 } as const
    await expect(client.send(missing)).rejects.toThrow(/ENOENT/)
  })

  test('share a connection, one after another', async () => {
    const remote = await startRemote('127.0.0.5', (_, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync('hello'))
    })
    const client = useClient()
    for (let count = 0; count < 3; count++) await client.send({ url: remote.url(), maxBytes: 100 })
    expect([remote.requests.length, remote.connections]).toEqual([3, 1])
  })

  test('go out again when the kept connection was closed, but only when they change nothing', async () => {
    let answered = 0
    const remote = await startRawRemote('127.0.0.5', (socket) => {
      let count = 0
      socket.on('data', () => {
        if (++count > 1) return void socket.destroy()
        answered += 1
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')
      })
    })
    const client = useClient()
    await client.send({ url: remote.url(), maxBytes: 100 })
    expect((await client.send({ url: remote.url(), maxBytes: 100 })).body.toString()).toBe('hi')
    expect(
      await problemOf(client.send({ url: remote.url(), method: 'POST', body: 'x', maxBytes: 100 })),
    ).toBe('unreachable')
    expect([answered, remote.connections]).toEqual([2, 2])
  })

  test('to one host wait for each other, others do not wait for them', async () => {
    const held: (() => void)[] = []
    const slow = await startRemote('127.0.0.5', (_, response) => void held.push(() => response.end()))
    const quick = await startRemote('127.0.0.6', hello)
    const client = useClient()
    const many = Array.from({ length: 30 }, () => client.send({ url: slow.url(), maxBytes: 1 }))
    expect((await client.send({ url: quick.url(), maxBytes: 100 })).status).toBe(200)
    for (const count of [8, 8, 8, 6]) {
      await expect.poll(() => held.length).toBe(count)
      // Time for one too many to arrive.
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(held).toHaveLength(count)
      for (const release of held.splice(0)) release()
    }
    await Promise.all(many)
  })
})

describe('answers', () => {
  test('of any status are answers; of errors the beginning is read', async () => {
    const remote = await startRemote('127.0.0.5', (request, response) => {
      response.writeHead(Number(request.url!.slice(1)), { 'content-type': 'text/html' })
      response.end('x'.repeat(100_000))
    })
    const client = useClient()
    const get = (status: number, more: object = {}) =>
      client.send({ url: remote.url(`/${status}`), maxBytes: 1_000_000, ...more })
    expect((await get(200)).body).toHaveLength(100_000)
    expect(await get(404)).toMatchObject({ status: 404, body: expect.objectContaining({ length: 65_536 }) })
    expect((await get(500, { maxBytes: 10 })).body).toHaveLength(10)
    expect((await get(410, { types: ['application/json'] })).body).toHaveLength(0)
    expect((await get(204)).body).toHaveLength(0)
    expect((await get(304)).body).toHaveLength(0)
    expect((await get(301)).status).toBe(301)
    expect((await get(200, { method: 'HEAD', types: ['image/*'], maxBytes: 1 })).body).toHaveLength(0)
  })

  test.each([
    ['text/html', ['text/html'], true],
    ['Text/HTML; charset=utf-8', ['text/html'], true],
    ['image/png', ['text/html', 'image/*'], true],
    ['application/activity+json', ['application/json'], false],
    ['image/', ['image/*'], false],
    ['imagex/png', ['image/*'], false],
    ['', ['text/html'], false],
  ])('the type %j of %j: %s', async (type, types, isTaken) => {
    const remote = await startRemote('127.0.0.5', (_, response) => {
      response.setHeader('content-type', type).end('body')
    })
    const answer = problemOf(useClient().send({ url: remote.url(), types, maxBytes: 100 }))
    expect(await answer).toBe(isTaken ? null : 'wrong-type')
  })

  test('longer than wanted are an error or cut', async () => {
    const remote = await startRemote('127.0.0.5', (request, response) => {
      const body = Buffer.alloc(200_000, 'x')
      if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(body))
      else if (request.url === '/chunked') response.write(body, () => response.end())
      else response.setHeader('content-length', body.length).end(body)
    })
    const client = useClient()
    for (const path of ['/', '/chunked', '/gzip']) {
      const get = (more: object) => client.send({ url: remote.url(path), maxBytes: 199_999, ...more })
      expect([path, await problemOf(get({}))]).toEqual([path, 'too-large'])
      expect((await get({ longer: 'cut' })).body).toHaveLength(199_999)
      expect((await get({ maxBytes: 200_000 })).body).toHaveLength(200_000)
      expect((await get({ maxBytes: 0, longer: 'cut' })).body).toHaveLength(0)
    }
  })

  test('with header values that Node does not take are still answers', async () => {
    const remote = await startRawRemote('127.0.0.5', (socket) => {
      socket.end(
        'HTTP/1.1 200 OK\r\nx-odd: \xff\xfe\r\n__proto__: x\r\nx-fine: a\r\nx-fine: b\r\n\r\nbody',
        'latin1',
      )
    })
    const answer = await useClient().send({ url: remote.url(), maxBytes: 100 })
    expect(answer.headers.get('x-fine')).toBe('a, b')
    expect(answer.body.toString()).toBe('body')
  })

  test('of nobody, and of a wrong certificate', async () => {
    const client = useClient()
    expect(await problemOf(client.send({ url: 'http://127.0.0.5:1/', maxBytes: 1 }))).toBe('unreachable')
    const server = new SMTPServer({ secure: true })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.5', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
    server.on('error', () => {})
    const { port } = server.server.address() as { port: number }
    const error = await client
      .send({ url: `https://127.0.0.5:${port}/`, maxBytes: 1 })
      .catch((error) => error)
    expect(error).toMatchObject({ problem: 'unreachable', message: expect.stringMatching(/certificate/) })
  })
})

describe('redirects', () => {
  const seen = (request: IncomingMessage | undefined) => [request?.method, request?.url]

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [301, 'GET', 'GET'],
    [302, 'PUT', 'PUT'],
  ] as const)('%i turns %s into %s', async (status, method, then) => {
    const remote = await startRemote('127.0.0.5', (request, response) => {
      if (request.url === '/to') return void request.pipe(response)
      response.writeHead(status, { location: 'to' }).end('moved')
    })
    const body =
      method === 'POST' || method === 'PUT' ? { body: 'sent', headers: { 'content-type': 'a/b' } } : {}
    const answer = await useClient().send({ url: remote.url('/from'), method, ...body, maxBytes: 100 })
    expect(remote.requests.map(seen)).toEqual([
      [method, '/from'],
      [then, '/to'],
    ])
    const keepsBody = then === method && 'body' in body
    expect(answer).toMatchObject({ url: remote.url('/to'), body: Buffer.from(keepsBody ? 'sent' : '') })
    expect(remote.requests[1]?.headers['content-type']).toBe(keepsBody ? 'a/b' : undefined)
  })

  test('are signed for each hop, and can be taken for the answer', async () => {
    const remote = await startRemote('127.0.0.5', (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' })
      response.end()
    })
    const client = useClient()
    const sign = async ({ method, url }: { method: string; url: URL }) => ({
      Signature: `${method} ${url.href}`,
    })
    await client.send({ url: remote.url(), sign, maxBytes: 1 })
    expect(remote.requests.map(({ headers }) => headers['signature'])).toEqual([
      `GET ${remote.url()}`,
      `GET ${remote.url('/next')}`,
    ])
    expect((await client.send({ url: remote.url(), redirects: 0, maxBytes: 1 })).status).toBe(302)
    expect(remote.requests).toHaveLength(3)
    await expect(
      client.send({ url: remote.url(), sign: () => Promise.reject(new Error('no key')), maxBytes: 1 }),
    ).rejects.toThrow('no key')
  })

  test('to nowhere', async () => {
    const remote = await startRemote('127.0.0.5', (request, response) => {
      response.writeHead(302, request.url === '/' ? {} : { location: 'http://[' }).end()
    })
    const client = useClient()
    expect((await client.send({ url: remote.url(), maxBytes: 1 })).status).toBe(302)
    expect(await problemOf(client.send({ url: remote.url('/bad'), maxBytes: 1 }))).toBe('redirects')
  })
})

describe('downloads', () => {
  let folder = ''
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'stonechat-'))))
  afterAll(() => rm(folder, { recursive: true }))

  test('go to a new file that only its owner reads', async () => {
    const remote = await startRemote(
      '127.0.0.5',
      (_, response) => void response.end(Buffer.alloc(300_000, 'x')),
    )
    const file = path.join(folder, 'whole')
    const client = useClient()
    const request = { url: remote.url(), path: file, maxBytes: 300_000 }
    expect(await client.download(request)).toMatchObject({
      status: 200,
      bytes: 300_000,
      body: Buffer.alloc(0),
    })
    expect(await stat(file)).toMatchObject({ size: 300_000, mode: 0o100600 })
    await expect(client.download(request)).rejects.toThrow(/EEXIST/)
    expect((await stat(file)).size).toBe(300_000)
  })

  test('that fail leave nothing', async () => {
    const remote = await startRemote('127.0.0.5', ({ url }, response) => {
      if (url === '/missing') return void response.writeHead(404).end('no such thing')
      response.setHeader('content-type', 'image/png')
      if (url === '/broken') return void response.write('begins', () => response.destroy())
      response.write('x'.repeat(100), () => response.end('x'.repeat(100)))
    })
    const client = useClient()
    const file = path.join(folder, 'part')
    const get = (url: string, more: object = {}) =>
      client.download({ url: remote.url(url), path: file, maxBytes: 150, ...more })
    expect(await problemOf(get('/'))).toBe('too-large')
    expect(await problemOf(get('/broken'))).toBe('unreachable')
    expect(await problemOf(get('/', { types: ['video/*'] }))).toBe('wrong-type')
    expect(await get('/missing')).toMatchObject({ status: 404, bytes: 0, body: Buffer.from('no such thing') })
    await expect(stat(file)).rejects.toThrow(/ENOENT/)
    expect(await get('/', { longer: 'cut' })).toMatchObject({ bytes: 150 })
  })
})

describe('streams', () => {
  test('are as they were sent, and are not asked to be compressed', async () => {
    const compressed = gzipSync('hello')
    const remote = await startRemote('127.0.0.5', (_, response) => {
      response.setHeader('content-encoding', 'gzip').end(compressed)
    })
    const answer = await useClient().stream({ url: remote.url(), maxBytes: Infinity })
    expect(remote.requests[0]?.headers['accept-encoding']).toBe('identity')
    expect((await buffer(answer.body)).equals(compressed)).toBe(true)
  })

  test('end at the limit, at a long silence, and when nobody wants more', async () => {
    const closed: string[] = []
    const remote = await startRemote('127.0.0.5', ({ url }, response) => {
      response.on('close', () => closed.push(url!))
      response.write('begins')
      if (url === '/endless') setInterval(() => response.write('x'.repeat(1000)), 1).unref()
    })
    const client = useClient()
    const open = async (url: string) =>
      (await client.stream({ url: remote.url(url), maxBytes: 10_000, timeout: 200 })).body
    expect(await problemOf(text(await open('/endless')))).toBe('too-large')
    expect(await problemOf(text(await open('/silent')))).toBe('timeout')
    await (await open('/cancelled')).cancel()
    await expect.poll(() => closed).toEqual(['/endless', '/silent', '/cancelled'])
  })

  test('wait for a slow reader longer than for the sender', async () => {
    const remote = await startRemote('127.0.0.5', (_, response) => {
      response.write('x'.repeat(1000), () => response.end('end'))
    })
    const { body } = await useClient().stream({ url: remote.url(), maxBytes: 10_000, timeout: 50 })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await text(body)).toHaveLength(1003)
  })
})

describe('whatever comes back', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'content-length: 5',
      'content-length: -1',
      'content-length: 99999999999999999999',
      'transfer-encoding: chunked',
      'content-encoding: gzip',
      'content-encoding: br',
      'content-encoding: deflate',
      'content-encoding: gzip, br',
      'connection: upgrade',
      'connection: close',
      'location: /',
      'location: http://127.0.0.1/',
      'set-cookie: a',
      'content-type: text/html',
    ),
    fc.string({ unit: 'binary' }),
  )
  const status = fc.constantFrom(
    '200 OK',
    '101 Switching',
    '100 Continue',
    '103',
    '204',
    '302 F',
    '404',
    '999',
    '000',
    '',
  )
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  const almost = fc
    .tuple(status, fc.array(line, { maxLength: 6 }), bytes)
    .map(([status, lines, body]) =>
      Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]),
    )

  test('there is an answer or a RemoteError', async () => {
    let next = Buffer.alloc(0)
    const remote = await startRawRemote('127.0.0.5', (socket) => {
      socket.once('data', () => socket.end(next))
    })
    const client = useClient()
    const request = { url: remote.url(), maxBytes: 1000, timeout: 2000 }
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, almost), async (answer) => {
        next = answer
        const problems = [
          await problemOf(client.send(request)),
          await problemOf(client.stream(request).then(({ body }) => text(body))),
        ]
        // Whoever waits for a whole answer that was sent must not run into the deadline.
        expect(problems).not.toContain('timeout')
      }),
      { numRuns: runs(300) },
    )
  })
})

test('after closing there are no requests', async () => {
  const remote = await startRemote('127.0.0.5', (_, response) => void response.write('begins'))
  const client = createHttpClient({ config, log: quietLog, destinations: 'strangers' })
  const running = problemOf(client.send({ url: remote.url(), maxBytes: 100 }))
  await expect.poll(() => remote.requests.length).toBe(1)
  await client.close()
  expect(await running).toBe('unreachable')
  expect(await problemOf(client.send({ url: remote.url(), maxBytes: 100 }))).toBe('unreachable')
})
