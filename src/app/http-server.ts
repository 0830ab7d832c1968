import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { within } from '#lib/within.ts'

/** All in milliseconds. */
export interface HttpTimes {
  /** Until a request's headers have arrived. */
  headers: number
  /** Until all of a request has arrived: 40 MB in this time is 1 Mbit/s. */
  request: number
  /** Without a byte in either direction. */
  idle: number
  /** Between two requests of one connection: longer than usual proxies keep theirs, so that they end it, not we. */
  keepAlive: number
  /** How often slow requests are looked for. */
  check: number
}

const usual: HttpTimes = { headers: 20_000, request: 300_000, idle: 60_000, keepAlive: 75_000, check: 5_000 }

/** Requests that want to become something else than HTTP. Those not wanted are answered as if they had not asked. */
export interface Upgrades {
  wants(request: IncomingMessage): boolean
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** A server that cuts connections which send or read too slowly, so that they hold neither memory nor sockets for long. */
export function createHttpServer(
  listener: RequestListener,
  times: HttpTimes = usual,
  upgrades?: Upgrades,
): Server {
  const server = createServer(
    {
      headersTimeout: times.headers,
      requestTimeout: times.request,
      keepAliveTimeout: times.keepAlive,
      connectionsCheckingInterval: times.check,
      shouldUpgradeCallback: (request) => upgrades?.wants(request) ?? false,
    },
    listener,
  )
  server.setTimeout(times.idle)
  if (upgrades) {
    server.on('upgrade', (request, socket, head) => upgrades.take(request, socket, head))
  }
  return server
}

const sweepEvery = 50

/**
 * Takes no new connections, lets requests under way finish for up to `patience` milliseconds, then cuts the rest.
 * A connection that stays open between requests is told to end with its next answer.
 */
export async function closeHttpServer(server: Server, patience: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // Node ends what is idle now, but not what becomes idle later, after an answer whose headers were sent already.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery)
  const inTime = await within(patience, closed)
  clearInterval(sweep)
  if (!inTime) {
    server.closeAllConnections()
    await closed
  }
}
