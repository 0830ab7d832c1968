import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { VaryingResponse } from '#http/kit/compression/varying-response.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import { cutSlowRequests } from './slow-requests.ts'

/** All but `rate` in milliseconds. */
export interface HttpTimes {
  /** Until a request's headers have arrived. */
  headers: number
  /** Until all of a request has arrived, however much it is. */
  request: number
  /** In so long, a body or the reading of an answer has to make progress by `rate`. */
  stall: number
  /** Bytes per second that count as progress. */
  rate: number
  /** Without a byte in either direction. */
  idle: number
  /** Between two requests of one connection: longer than usual proxies keep theirs, so that they end it, not we. */
  keepAlive: number
  /** How often slow requests are looked for. */
  check: number
  /** What a client may go on to send after an answer that did not wait for it: who is cut off sees no answer. */
  linger: number
}

/** 500 bytes a second is what Apache and others ask for: a phone at the edge of its network has ten times as much. */
const usual: HttpTimes = {
  headers: 20_000,
  request: 3_600_000,
  stall: 30_000,
  rate: 500,
  idle: 60_000,
  keepAlive: 75_000,
  check: 5_000,
  linger: 30_000,
}

/** Requests that want to become something else than HTTP. Those not wanted are answered as if they had not asked. */
export interface Upgrades {
  wants(request: IncomingMessage): boolean
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** A server that cuts connections which send or read too slowly, so that they hold neither memory nor sockets for long. */
export function createHttpServer(
  listener: (request: IncomingMessage, response: VaryingResponse) => void,
  times: Partial<HttpTimes> = {},
  upgrades?: Upgrades,
): Server {
  const all = { ...usual, ...times }
  const server = createServer<typeof IncomingMessage, typeof VaryingResponse>(
    {
      ServerResponse: VaryingResponse,
      headersTimeout: all.headers,
      requestTimeout: all.request,
      keepAliveTimeout: all.keepAlive,
      connectionsCheckingInterval: all.check,
      shouldUpgradeCallback: (request) => upgrades?.wants(request) ?? false,
    },
    listener,
  )
  server.setTimeout(all.idle)
  silentOf.set(server, trackSilent(server))
  cutSlowRequests(server, all)
  lingerAtEnd(server, all.linger)
  if (upgrades) {
    server.on('upgrade', (request, socket, head) => upgrades.take(request, socket, head))
  }
  return server
}

/**
 * Has the end of a connection wait for what its client still sends, for up to `patience` milliseconds. Closed with
 * bytes unread, the system would reset it, and an answer on its way would be lost (RFC 9112 section 9.6).
 */
function lingerAtEnd(server: Server, patience: number): void {
  const latest = new WeakMap<Socket, IncomingMessage>()
  server.prependListener('request', (request) => latest.set(request.socket, request))
  server.on('connection', (socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const request = latest.get(socket)
      socket.destroySoon = destroySoon
      if (!request || request.complete || socket.destroyed) destroySoon()
      else linger(request, socket, patience)
    }
  })
}

function linger(request: IncomingMessage, socket: Socket, patience: number): void {
  socket.end()
  const cut = setTimeout(() => socket.destroy(), patience)
  socket.once('close', () => clearTimeout(cut))
  request.once('end', () => socket.destroySoon())
  request.on('error', ignore)
  request.resume()
}

function ignore(): void {}

/** Connections on which nothing has come yet, of each server. Node's own list of idle ones lacks them. */
const silentOf = new WeakMap<Server, ReadonlySet<Socket>>()

function trackSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}

function closeSilent(server: Server): void {
  for (const socket of silentOf.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
}

const sweepEvery = 50

/** How long a server that stops waits, in milliseconds. */
export interface Patience {
  /** For requests under way. */
  requests: number
  /**
   * For connections between two requests, 0 without it. A proxy that keeps some may send a request on one at the very
   * moment at which it is closed, and dares not send it again; in this time it is answered, and told to connect anew.
   */
  idle?: number
}

/**
 * Takes no new connections, lets requests under way finish, then cuts the rest. A connection that stays open between
 * requests is told to end with its next answer.
 */
export async function closeHttpServer(server: Server, { requests, idle = 0 }: Patience): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // The server's own close() ends idle connections as well.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  await withTimeout(idle, closed)
  server.close()
  // Node ends what is idle now, but not what becomes idle later, after an answer whose headers were sent already.
  closeSilent(server)
  const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
  const inTime = await withTimeout(requests, closed)
  clearInterval(sweep)
  if (!inTime) {
    server.closeAllConnections()
    await closed
  }
}
