// Cuts those who send a body, or read an answer, a byte now and then: each would hold a connection for hours.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Throttle {
  /** Milliseconds in which there has to be progress. */
  stall: number
  /** Bytes per second that count as progress. */
  rate: number
  /** Milliseconds between two looks. */
  check: number
}

/** How far one direction of an exchange has come. */
interface Progress {
  bytes: number
  /** When it came so far, by the monotonic clock. */
  since: number
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  readonly received: Progress
  readonly sent: Progress
}

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Watches all requests of a server. Only what waits for the client counts: neither what our side has not read yet nor
 * an answer that is still being made.
 */
export function cutSlowRequests(server: Server, { stall, rate, check }: Throttle): void {
  const exchanges = new Set<Exchange>()
  const enough = (rate * stall) / 1000

  /** Whether `bytes` is too little progress for too long. `waits`: for the client. */
  function isStalled(progress: Progress, waits: boolean, bytes: number): boolean {
    const now = performance.now()
    if (!waits || bytes - progress.bytes >= enough) {
      progress.bytes = bytes
      progress.since = now
    }
    return now - progress.since >= stall
  }

  function look(exchange: Exchange): void {
    const { request, response, socket } = exchange
    if (socket.destroyed || (request.complete && response.writableFinished)) exchanges.delete(exchange)
    else if (isStalled(exchange.received, waitsForBody(request), socket.bytesRead)) refuse(exchange)
    else if (isStalled(exchange.sent, response.writableLength > 0, bytesTaken(socket))) socket.destroy()
  }

  server.prependListener('request', (request, response) => {
    const { socket } = request
    const since = performance.now()
    const exchange: Exchange = {
      request,
      response,
      socket,
      received: { bytes: socket.bytesRead, since },
      sent: { bytes: bytesTaken(socket), since },
    }
    exchanges.add(exchange)
    response.once('close', () => {
      // A body that nobody waits for any more is watched to its end.
      if (request.complete) exchanges.delete(exchange)
    })
  })
  const timer = setInterval(() => exchanges.forEach(look), check).unref()
  server.once('close', () => clearInterval(timer))
}

/** Bytes that wait to be read are ours to read: the client can do nothing about them. */
const waitsForBody = (request: IncomingMessage) => !request.complete && request.readableLength === 0

/** What Node keeps of a connection below its streams. */
interface Handle {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/** Bytes of answers that the system has taken to send: it takes more only when the client has read. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

function refuse({ response, socket }: Exchange): void {
  if (!response.headersSent && socket.writable) socket.write(timedOut)
  socket.destroy()
}
