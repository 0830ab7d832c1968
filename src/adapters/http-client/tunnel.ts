// A connection through a proxy: by CONNECT of HTTP (RFC 9110, section 9.3.6), or by SOCKS5 (RFC 1928).

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SocksClient } from 'socks'
import { RemoteError } from '#ports/http-client.ts'

const timeout = 20_000
const maxHead = 8192

export interface TunnelTarget {
  /** An address that was checked, or a name that only the proxy knows. */
  host: string
  port: number
}

/** Opens a connection to the target. Throws RemoteError; its message never has the proxy's password in it. */
export async function openTunnel(proxy: string, target: TunnelTarget): Promise<Socket> {
  const url = new URL(proxy)
  const socket = await connectToProxy(url)
  const timer = setTimeout(() => socket.destroy(failed(url, 'timeout', 'it does not answer')), timeout)
  try {
    return await (url.protocol === 'socks5:' ? bySocks(socket, url, target) : byConnect(socket, url, target))
  } catch (error) {
    socket.destroy()
    if (error instanceof RemoteError) throw error
    throw failed(url, 'unreachable', error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

async function connectToProxy(url: URL): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port) || (defaultPorts[url.protocol] ?? 80)
  const isTls = url.protocol === 'https:'
  const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port })
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeout) })
    return socket
  } catch (error) {
    socket.destroy()
    throw failed(url, 'unreachable', error instanceof Error ? error.message : String(error))
  }
}

async function bySocks(socket: Socket, url: URL, { host, port }: TunnelTarget): Promise<Socket> {
  const user = decodeURIComponent(url.username)
  const opened = await SocksClient.createConnection({
    existing_socket: socket,
    command: 'connect',
    timeout,
    destination: { host, port },
    proxy: {
      host: url.hostname,
      port: Number(url.port) || 1080,
      type: 5,
      ...(user !== '' && { userId: user, password: decodeURIComponent(url.password) }),
    },
  })
  return opened.socket
}

async function byConnect(socket: Socket, url: URL, target: TunnelTarget): Promise<Socket> {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const authority = `${host}:${target.port}`
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const authorization =
    url.username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`)
  const status = await readStatus(socket)
  if (!/^HTTP\/1\.[01] 2\d\d\b/.test(status))
    throw failed(url, 'unreachable', `it answers ${status.slice(0, 60)}`)
  return socket
}

/** Reads the head of the answer, and leaves what follows it in the socket. */
async function readStatus(socket: Socket): Promise<string> {
  let head = Buffer.alloc(0)
  for (;;) {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) {
      const next = await Promise.race([once(socket, 'readable'), once(socket, 'end').then(() => null)])
      if (next === null) throw new Error('it closed the connection')
      continue
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0 && head.length > maxHead) throw new Error('its answer is too long')
    if (end < 0) continue
    const rest = head.subarray(end + 4)
    if (rest.length > 0) socket.unshift(rest)
    return head.subarray(0, end).toString('latin1').split('\r\n')[0] ?? ''
  }
}

function failed(url: URL, problem: 'timeout' | 'unreachable', message: string): RemoteError {
  return new RemoteError(problem, `The proxy ${url.host} does not lead on: ${message}`)
}
