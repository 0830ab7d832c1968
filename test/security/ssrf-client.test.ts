import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient, type HttpClientOptions } from '#adapters/http-client/http-client.ts'
import type { Resolve } from '#adapters/http-client/resolve.ts'
import { loadConfig } from '#config/config.ts'
import type { Env } from '#config/env.ts'
import { RemoteError, type HttpClient, type RemoteProblem } from '#ports/http-client.ts'
import { quietLog } from '#test/app/log.ts'
import { startRawRemote, startRemote } from '#test/servers/remote-server.ts'

/** The one address that strangers may have here; a server at `inside` must get no connection. */
const outside = '127.0.0.5'
const inside = '127.0.0.1'
const environment: Env = { LOCAL_DOMAIN: '127.0.0.4:3000', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.5,127.0.0.6' }

type More = Partial<Pick<HttpClientOptions, 'resolve' | 'destinations'>> & { env?: Env }

function useClient({ env = {}, destinations = 'strangers', resolve }: More = {}): HttpClient {
  const config = loadConfig({ ...environment, ...env })
  const client = createHttpClient({ config, log: quietLog, destinations, resolve })
  onTestFinished(() => client.close())
  return client
}

/** Null for an answer. */
async function problemOf(answer: Promise<unknown>): Promise<RemoteProblem | null> {
  try {
    await answer
    return null
  } catch (error) {
    if (error instanceof RemoteError) return error.problem
    throw error
  }
}

/** Every way in which the client can be asked. */
function ask(client: HttpClient, url: string) {
  const request = { url, maxBytes: 100, timeout: 5000 }
  return [
    client.send(request),
    client.stream(request),
    client.send({ ...request, method: 'POST', body: 'x' }),
  ]
}

/** Counts sockets that begin to connect anywhere, whoever listens there. */
function watchConnects() {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  return connect
}

const privateIpv4 = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.1.2.3',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
]
const privateIpv6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
  '2001:0:7f00:1::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

describe('private addresses', () => {
  test.each(privateIpv4)('%s gets no connection [SSRF-1]', async (address) => {
    const connects = watchConnects()
    for (const answer of ask(useClient(), `http://${address}/latest/meta-data/`))
      expect(await problemOf(answer)).toBe('forbidden')
    expect(connects).not.toHaveBeenCalled()
  })

  test.each(privateIpv6)('[%s] gets no connection [SSRF-2]', async (address) => {
    const connects = watchConnects()
    for (const answer of ask(useClient(), `http://[${address}]/`))
      expect(await problemOf(answer)).toBe('forbidden')
    expect(connects).not.toHaveBeenCalled()
  })

  test('names that lead there are refused too [SSRF-1] [SSRF-2]', async () => {
    const internal = await startRemote(inside)
    for (const address of [...privateIpv4, ...privateIpv6, 'fe80::1%lo', 'no address']) {
      const client = useClient({ resolve: async () => [address] })
      for (const answer of ask(client, `http://remote.example:${internal.port}/`))
        expect([address, await problemOf(answer)]).toEqual([address, 'forbidden'])
    }
    expect(internal.connections).toBe(0)
  })

  test('what the operator lists is reached, what is beside it is not [SSRF-1]', async () => {
    const remote = await startRemote(outside)
    const internal = await startRemote(inside)
    for (const answer of ask(useClient(), remote.url())) expect(await problemOf(answer)).toBeNull()
    for (const answer of ask(useClient(), internal.url())) expect(await problemOf(answer)).toBe('forbidden')
    expect([remote.requests.length, internal.connections]).toEqual([3, 0])
  })
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to a private address is not followed [SSRF-3]', async (status) => {
    const internal = await startRemote(inside)
    const targets = [
      internal.url('/secret'),
      `http://localhost:${internal.port}/`,
      `//127.1:${internal.port}/`,
    ]
    const names = async () => [inside]
    for (const location of [...targets, `http://inside.example:${internal.port}/`]) {
      const remote = await startRemote(outside, (_, response) =>
        response.writeHead(status, { location }).end(),
      )
      const sign = async () => ({ signature: 'ours' })
      const client = useClient({ resolve: names })
      const request = { url: remote.url(), maxBytes: 100, sign }
      for (const answer of [client.send(request), client.stream(request)])
        expect([location, await problemOf(answer)]).toEqual([location, 'forbidden'])
      expect(remote.requests).toHaveLength(2)
    }
    expect(internal.connections).toBe(0)
  })

  test('a service of the operator leads strangers’ ways at most [SSRF-3]', async () => {
    const internal = await startRemote(inside)
    const service = await startRemote('127.0.0.2', (request, response) => {
      const location = request.url === '/' ? '/again' : internal.url()
      response.writeHead(302, { location }).end()
    })
    const client = useClient({ destinations: 'configured' })
    expect(await problemOf(client.send({ url: service.url(), maxBytes: 100 }))).toBe('forbidden')
    expect([service.requests.length, internal.connections]).toEqual([2, 0])
    expect(await problemOf(client.send({ url: internal.url(), maxBytes: 100 }))).toBeNull()
  })

  test('loops and chains end after a handful of hops [SSRF-17]', async () => {
    const remote = await startRemote(outside, ({ url }, response) => {
      const [, kind, count] = url!.split('/')
      const location = kind === 'loop' ? '/loop' : `/chain/${Number(count) + 1}`
      response.writeHead(302, { location }).end()
    })
    const client = useClient()
    expect(await problemOf(client.send({ url: remote.url('/loop'), maxBytes: 100 }))).toBe('redirects')
    expect(remote.requests.map(({ url }) => url)).toEqual(['/loop', '/loop', '/loop', '/loop'])
    const chain = client.send({ url: remote.url('/chain/0'), redirects: 1, maxBytes: 100 })
    expect(await problemOf(chain)).toBe('redirects')
    expect(remote.requests.slice(4).map(({ url }) => url)).toEqual(['/chain/0', '/chain/1'])
  })

  test('credentials and signatures stay with their host [SSRF-19]', async () => {
    const other = await startRemote('127.0.0.6')
    const otherPort = await startRemote(outside)
    const headers = {
      authorization: 'Bearer secret',
      cookie: 'session=secret',
      signature: 'secret',
      'x-api-key': 'secret',
      accept: 'text/html',
    }
    const first = await startRemote(outside, ({ url }, response) => {
      const location = { '/other': other.url(), '/port': otherPort.url(), '/same': '/end' }[url!]
      response.writeHead(location ? 307 : 200, location ? { location } : {}).end()
    })
    const sign = async ({ url }: { url: URL }) => ({ 'x-signed-for': url.host })
    const client = useClient()
    for (const path of ['/other', '/port', '/same']) {
      const request = {
        url: first.url(path),
        headers,
        sign,
        maxBytes: 100,
        method: 'POST',
        body: 'text',
      } as const
      await client.send(request)
    }
    for (const stranger of [other, otherPort]) {
      expect(stranger.requests).toHaveLength(1)
      expect(stranger.requests[0]?.rawHeaders.join()).not.toContain('secret')
      expect(stranger.requests[0]?.headers).toMatchObject({
        accept: 'text/html',
        'x-signed-for': `${stranger.host}:${stranger.port}`,
      })
    }
    expect(first.requests.at(-1)).toMatchObject({ url: '/end', headers })
  })
})

describe('names', () => {
  test('of a public and a private address only the public one is used [SSRF-4]', async () => {
    const remote = await startRemote(outside)
    const internal = await startRemote(inside, undefined, remote.port)
    for (const addresses of [
      [inside, outside],
      [outside, inside],
      ['::1', '10.0.0.1', inside, outside],
    ]) {
      const client = useClient({ resolve: async () => addresses })
      for (const answer of ask(client, `http://both.example:${remote.port}/`))
        expect(await problemOf(answer)).toBeNull()
    }
    expect([remote.requests.length, internal.connections]).toEqual([9, 0])
  })

  test('when the public address does not answer, the private one is not tried [SSRF-4]', async () => {
    const internal = await startRemote(inside)
    const client = useClient({ resolve: async () => [outside, inside] })
    for (const answer of ask(client, `http://both.example:${internal.port}/`))
      expect(await problemOf(answer)).toBe('unreachable')
    expect(internal.connections).toBe(0)
  })

  test('a name that changes its answer is asked once for a connection [SSRF-4]', async () => {
    const remote = await startRemote(outside, (_, response) =>
      response.setHeader('connection', 'close').end(),
    )
    const internal = await startRemote(inside, undefined, remote.port)
    const resolve = vi.fn<Resolve>(async () => [inside]).mockResolvedValueOnce([outside])
    const client = useClient({ resolve })
    const request = { url: `http://changing.example:${remote.port}/`, maxBytes: 100 }
    expect(await problemOf(client.send(request))).toBeNull()
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(await problemOf(client.send(request))).toBe('forbidden')
    expect([remote.requests.length, internal.connections]).toEqual([1, 0])
  })

  test.each([
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '127.1',
    '0177.0.0.01',
    '127.0.0.1.',
    '１２７.０.０.１',
  ])('%s is 127.0.0.1 [SSRF-6]', async (host) => {
    const internal = await startRemote(inside)
    for (const answer of ask(useClient(), `http://${host}:${internal.port}/`))
      expect(await problemOf(answer)).toBe('forbidden')
    expect(internal.connections).toBe(0)
  })

  test('neither user-info nor a dot at the end goes around the check [SSRF-6]', async () => {
    const internal = await startRemote(inside)
    const remote = await startRemote(outside)
    const client = useClient({ resolve: async () => [inside] })
    for (const host of [
      `user@${inside}`,
      `${outside}@${inside}`,
      `user:x@${outside}`,
      'remote.example.',
      'a..',
      '.',
    ])
      for (const answer of ask(client, `http://${host}:${internal.port}/`))
        expect([host, await problemOf(answer)]).toEqual([host, 'forbidden'])
    const resolve = vi.fn<Resolve>(async () => [outside])
    const allowed = { url: `http://remote.example.:${remote.port}/`, maxBytes: 100 }
    expect((await useClient({ resolve }).send(allowed)).url).toBe(`http://remote.example:${remote.port}/`)
    expect(resolve).toHaveBeenCalledWith('remote.example')
    expect([remote.requests.length, internal.connections]).toEqual([1, 0])
  })

  test('our own names are never fetched, not even by a redirect [SSRF-16]', async () => {
    const own = await startRemote(outside)
    const env = { LOCAL_DOMAIN: `${outside}:${own.port}`, WEB_DOMAIN: 'social.example' }
    const remote = await startRemote('127.0.0.6', (_, response) => {
      response.writeHead(302, { location: own.url('/inbox') }).end()
    })
    const client = useClient({ env, resolve: async () => [outside] })
    const names = [own.url(), `http://social.example:${own.port}/`, `http://SOCIAL.example.:${own.port}/`]
    for (const url of [...names, remote.url()])
      for (const answer of ask(client, url))
        expect([url, await problemOf(answer)]).toEqual([url, 'forbidden'])
    expect([remote.requests.length, own.connections]).toEqual([3, 0])
  })
})

describe('schemes', () => {
  test.each([
    'ftp://127.0.0.5/',
    'file:///etc/passwd',
    'data:,x',
    'gopher://127.0.0.5:70/',
    'ws://127.0.0.5/',
    'x',
  ])('%s is refused [SSRF-5]', async (url) => {
    const connects = watchConnects()
    for (const destinations of ['strangers', 'configured'] as const)
      for (const answer of ask(useClient({ destinations }), url))
        expect(await problemOf(answer)).toBe('forbidden')
    expect(connects).not.toHaveBeenCalled()
  })

  test('in production there is no way without TLS, not even by a redirect [SSRF-5]', async () => {
    const env = { LOCAL_DOMAIN: 'example.org' }
    const remote = await startRemote(outside)
    for (const answer of ask(useClient({ env }), remote.url()))
      expect(await problemOf(answer)).toBe('forbidden')
    const service = await startRemote(inside, (_, response) => {
      response.writeHead(302, { location: remote.url() }).end()
    })
    const client = useClient({ env, destinations: 'configured' })
    expect(await problemOf(client.send({ url: service.url(), maxBytes: 100 }))).toBe('forbidden')
    expect([service.requests.length, remote.connections]).toEqual([1, 0])
  })
})

describe('bodies', () => {
  /** Sends as fast as it is read; tells how much went out. */
  function endless(response: ServerResponse, piece = Buffer.alloc(10_000, 'x')) {
    let sent = 0
    const source = Readable.from(
      (function* () {
        for (;;) {
          sent += piece.length
          yield piece
        }
      })(),
    )
    response.on('close', () => source.destroy())
    source.pipe(response)
    return { sent: () => sent, closed: new Promise((resolve) => response.on('close', resolve)) }
  }

  test('a body without end is cut at the limit [SSRF-8]', async () => {
    const bodies: ReturnType<typeof endless>[] = []
    const remote = await startRemote(outside, (_, response) => void bodies.push(endless(response)))
    const client = useClient()
    const request = { url: remote.url(), maxBytes: 100_000 }
    expect(await problemOf(client.send(request))).toBe('too-large')
    expect((await client.send({ ...request, longer: 'cut' })).body).toHaveLength(100_000)
    await Promise.all(bodies.map(({ closed }) => closed))
    // What lies in buffers of both ends counts as sent too.
    for (const { sent } of bodies) expect(sent()).toBeLessThan(20_000_000)
  })

  test.each([
    ['longer than the body', '1000', 'unreachable'],
    ['shorter than the body', '3', null],
    ['longer than wanted', '5000', 'too-large'],
    ['beyond all numbers', '99999999999999999999', 'unreachable'],
    ['negative', '-1', 'unreachable'],
    ['no number', 'many', 'unreachable'],
  ])('a length that is %s [SSRF-8]', async (_, length, problem) => {
    const remote = await startRawRemote(outside, (socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\nhello`))
    })
    const answer = useClient().send({ url: remote.url(), maxBytes: 2000, timeout: 5000 })
    expect(await problemOf(answer)).toBe(problem)
  })

  test('a small body that inflates to much is cut at the limit of inflated bytes [SSRF-9]', async () => {
    const zeros = Buffer.alloc(50_000_000)
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
    const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros, quick) }
    const remote = await startRemote(outside, ({ url }, response) => {
      const encoding = url!.slice(1) as keyof typeof bombs
      response.setHeader('content-encoding', encoding).end(bombs[encoding])
    })
    const client = useClient()
    for (const [encoding, { length }] of Object.entries(bombs)) {
      expect(length).toBeLessThan(60_000)
      const request = { url: remote.url(`/${encoding}`), maxBytes: 100_000 }
      expect(await problemOf(client.send(request))).toBe('too-large')
      expect((await client.send({ ...request, longer: 'cut' })).body).toHaveLength(100_000)
    }
  })

  test('inflating stops, it is not only ignored [SSRF-9]', async () => {
    const read: number[] = []
    const remote = await startRemote(outside, (_, response) => {
      response.setHeader('content-encoding', 'gzip')
      const gzip = createGzip()
      const zeros = Buffer.alloc(1_000_000)
      let inflated = 0
      const more = () => {
        while (!response.destroyed && inflated < 5e8) {
          inflated += zeros.length
          if (!gzip.write(zeros)) return void gzip.once('drain', more)
        }
      }
      response.on('close', () => void read.push(inflated))
      gzip.pipe(response)
      more()
    })
    expect(await problemOf(useClient().send({ url: remote.url(), maxBytes: 1000 }))).toBe('too-large')
    await expect.poll(() => read.length).toBe(1)
    expect(read[0]).toBeLessThan(5e8)
  })

  test('encodings within encodings, and unknown ones, are refused unread [SSRF-9]', async () => {
    const remote = await startRemote(outside, ({ url }, response) => {
      response.setHeader('content-encoding', decodeURIComponent(url!.slice(1))).end(gzipSync(gzipSync('x')))
    })
    const client = useClient()
    for (const encoding of ['gzip, gzip', 'zstd', 'compress'])
      expect(await problemOf(client.send({ url: remote.url(`/${encoding}`), maxBytes: 100 }))).toBe(
        'wrong-type',
      )
  })

  test('a body of another type is not read [SSRF-10]', async () => {
    const bodies: ReturnType<typeof endless>[] = []
    const remote = await startRemote(outside, ({ url }, response) => {
      if (url === '/html') response.setHeader('content-type', 'text/html; charset=utf-8')
      bodies.push(endless(response))
    })
    const client = useClient()
    for (const path of ['/html', '/none']) {
      const request = {
        url: remote.url(path),
        types: ['application/activity+json', 'image/*'],
        maxBytes: 1e9,
      }
      expect(await problemOf(client.send(request))).toBe('wrong-type')
      expect(await problemOf(client.stream(request))).toBe('wrong-type')
    }
    await Promise.all(bodies.map(({ closed }) => closed))
    for (const { sent } of bodies) expect(sent()).toBeLessThan(20_000_000)
  })

  test('an answer that drips ends at the deadline [SSRF-18]', async () => {
    const closed: string[] = []
    const drip = (path: string, write: () => void, response: ServerResponse) => {
      const timer = setInterval(write, 20)
      response.on('close', () => {
        clearInterval(timer)
        closed.push(path)
      })
    }
    const remote = await startRemote(outside, ({ url }, response) => {
      if (url === '/redirects')
        return void setTimeout(() => response.writeHead(302, { location: url }).end(), 150)
      const compressed = url === '/gzip' ? gzipSync(randomBytes(10_000)) : Buffer.alloc(10_000, 'x')
      let at = 0
      if (url === '/gzip') response.setHeader('content-encoding', 'gzip')
      if (url !== '/head')
        return drip(url!, () => void response.write(compressed.subarray(at, ++at)), response)
      drip(url, () => void response.socket!.write(at++ === 0 ? 'HTTP/1.1 200 OK\r\nx-a: ' : 'x'), response)
    })
    const client = useClient()
    for (const path of ['/body', '/gzip', '/head', '/redirects']) {
      // Nothing else ends it: bytes and redirects come for longer than a test waits.
      const answer = client.send({ url: remote.url(path), redirects: 1e6, maxBytes: 1e6, timeout: 400 })
      expect([path, await problemOf(answer)]).toEqual([path, 'timeout'])
    }
    await expect.poll(() => closed).toEqual(['/body', '/gzip', '/head'])
  })

  test('so do names and hosts that never answer [SSRF-18]', async () => {
    const silent = await startRawRemote(outside, () => {})
    const lost = useClient({ resolve: () => new Promise(() => {}) })
    const requests = [
      lost.send({ url: 'http://slow.example/', maxBytes: 1, timeout: 200 }),
      useClient().send({ url: silent.url(), maxBytes: 1, timeout: 200 }),
      useClient().send({ url: silent.url(), maxBytes: 1, timeout: 200, sign: () => new Promise(() => {}) }),
    ]
    for (const answer of requests) expect(await problemOf(answer)).toBe('timeout')
  })
})
