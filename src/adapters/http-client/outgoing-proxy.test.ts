import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { recordingLog } from '#test/app/log.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { createHttpClient } from './http-client.ts'
import type { Resolve } from './resolve.ts'

interface TestProxy {
  url: string
  /** Where it was asked to lead to. */
  asked: string[]
  /** Proxy-Authorization, or name and password. */
  credentials: string[]
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A proxy that leads to this port, whatever it was asked for. */
async function startHttpProxy(port: number, status = '200 Connection established'): Promise<TestProxy> {
  const proxy: TestProxy = { url: '', asked: [], credentials: [] }
  const server = createHttpServer()
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push(request.url ?? '')
    proxy.credentials.push(request.headers['proxy-authorization'] ?? '')
    if (!status.startsWith('200')) return void socket.end(`HTTP/1.1 ${status}\r\n\r\n`)
    const to = connect(port, '127.0.0.1', () => {
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
      socket.pipe(to).pipe(socket)
    })
    for (const one of [socket, to]) one.on('error', () => {})
  })
  proxy.url = `http://user:p%40ss@127.0.0.1:${await listen(server)}`
  return proxy
}

/** RFC 1928 and 1929, as far as a client comes that asks for CONNECT. */
async function startSocksProxy(port: number): Promise<TestProxy> {
  const proxy: TestProxy = { url: '', asked: [], credentials: [] }
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    const next = async () => (await once(socket, 'data'))[0] as Buffer
    await next()
    socket.write(Buffer.from([5, 2]))
    const login = await next()
    const nameEnd = 2 + login[1]!
    proxy.credentials.push(`${login.subarray(2, nameEnd)}:${login.subarray(nameEnd + 1)}`)
    socket.write(Buffer.from([1, 0]))
    const wanted = await next()
    const isName = wanted[3] === 3
    const host = isName ? wanted.subarray(5, 5 + wanted[4]!).toString() : wanted.subarray(4, 8).join('.')
    proxy.asked.push(`${host}:${wanted.readUInt16BE(isName ? 5 + wanted[4]! : 8)}`)
    const to = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
      socket.pipe(to).pipe(socket)
    })
    to.on('error', () => {})
  })
  proxy.url = `socks5://user:p%40ss@127.0.0.1:${await listen(server)}`
  return proxy
}

const nobody: Resolve = (hostname) => Promise.reject(new Error(`${hostname} is looked up`))

function clientWith(proxies: string, resolve: Resolve, env: Record<string, string> = {}) {
  const config = loadConfig({
    LOCAL_DOMAIN: 'chat.example',
    LOCAL_HTTPS: 'false',
    OUTGOING_PROXY: proxies,
    ...env,
  })
  const client = createHttpClient({ config, log: recordingLog(), destinations: 'strangers', resolve })
  onTestFinished(() => client.close())
  return async (url: string) => {
    const { status, body } = await client.send({ url, maxBytes: 1000 })
    return [status, body.toString()] as const
  }
}

const hello = () => startRemote('127.0.0.1', (_, response) => response.end('hello'))

test('a name of Tor or I2P goes to its proxy as it is, and is looked up by nobody', async () => {
  const remote = await hello()
  for (const start of [startHttpProxy, startSocksProxy]) {
    const proxy = await start(remote.port)
    const fetch = clientWith(`.onion=${proxy.url},.i2p=${proxy.url}`, nobody, { LOCAL_HTTPS: 'true' })
    expect(await fetch('http://abc.onion/x')).toEqual([200, 'hello'])
    expect(await fetch('http://abc.i2p:8080/')).toEqual([200, 'hello'])
    expect(proxy.asked).toEqual(['abc.onion:80', 'abc.i2p:8080'])
    const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    expect(proxy.credentials[0]).toBe(start === startHttpProxy ? basic : 'user:p@ss')
  }
})

test('without a proxy such a name is not looked up and not reached [SSRF-1]', async () => {
  let looked = 0
  const fetch = clientWith('', async () => [String((looked += 1))])
  await expect(fetch('http://abc.onion/')).rejects.toMatchObject({ problem: 'unreachable' })
  await expect(fetch('http://abc.i2p/')).rejects.toMatchObject({ problem: 'unreachable' })
  expect(looked).toBe(0)
})

test('any other name is looked up here, and the proxy is told the address that was checked [SSRF-4]', async () => {
  const remote = await hello()
  for (const start of [startHttpProxy, startSocksProxy]) {
    const proxy = await start(remote.port)
    const names: Record<string, string[]> = {
      'public.test': ['93.184.216.34'],
      'inside.test': ['10.0.0.5'],
      'both.test': ['169.254.169.254', '93.184.216.35'],
    }
    const fetch = clientWith(`*=${proxy.url}`, async (hostname) => names[hostname] ?? [])
    expect(await fetch('http://public.test/')).toEqual([200, 'hello'])
    expect(await fetch('http://both.test/')).toEqual([200, 'hello'])
    for (const url of ['http://inside.test/', 'http://127.0.0.1/', 'http://[::1]/', 'http://10.1.2.3/']) {
      await expect(fetch(url)).rejects.toMatchObject({ problem: 'forbidden' })
    }
    expect(proxy.asked).toEqual(['93.184.216.34:80', '93.184.216.35:80'])
  }
})

test('a redirect through a proxy to an address inside stops there [SSRF-3]', async () => {
  const remote = await startRemote('127.0.0.1', (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
  })
  const proxy = await startHttpProxy(remote.port)
  const fetch = clientWith(proxy.url, async () => ['93.184.216.34'])
  await expect(fetch('http://public.test/')).rejects.toMatchObject({ problem: 'forbidden' })
  expect(proxy.asked).toEqual(['93.184.216.34:80'])
})

test('the longest suffix that fits decides, and hosts without a proxy are reached directly', async () => {
  const remote = await startRemote('127.0.0.5', (_, response) => response.end('direct'))
  const through = await hello()
  const [one, other] = [await startHttpProxy(through.port), await startSocksProxy(through.port)]
  const fetch = clientWith(
    `*=${one.url} example.test=${other.url} .near.example.test=direct`,
    async () => ['127.0.0.5'],
    { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.5' },
  )
  expect(await fetch('http://another.test/')).toEqual([200, 'hello'])
  expect(await fetch('http://a.example.test/')).toEqual([200, 'hello'])
  expect(await fetch(`http://b.near.example.test:${remote.port}/`)).toEqual([200, 'direct'])
  expect([one.asked.length, other.asked.length]).toEqual([1, 1])
})

test('a proxy that refuses is told without its password', async () => {
  const proxy = await startHttpProxy(1, '403 Forbidden')
  const fetch = clientWith(proxy.url, async () => ['93.184.216.34'])
  const error = await fetch('http://public.test/').catch((reason: unknown) => reason)
  expect(error).toMatchObject({ problem: 'unreachable', message: expect.stringContaining('403') })
  expect(String(error)).not.toMatch(/p%40ss|p@ss/)
})

test('a list that cannot be read is refused at the start, without its passwords [ROB-17]', () => {
  for (const text of ['ftp://x', '.onion=', 'http://user:secret@host/path', '.on ion=http://x']) {
    const read = () => loadConfig({ OUTGOING_PROXY: text })
    expect(read).toThrow(/OUTGOING_PROXY is \(value not shown\)/)
  }
})
