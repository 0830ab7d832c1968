// WebSockets: the upgrade and what clients say (https://docs.joinmastodon.org/methods/streaming/#websocket).
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Log } from '#ports/log.ts'
import { retryLater } from '#lib/net/retry-after.ts'
import { sendText, socketConnection, type Identity, type SocketConnection } from './connection.ts'
import { largestMessage, waitingMessages } from './limits.ts'
import type { Refusal, StreamRequest } from './streams.ts'

/** What is done with open sockets. */
export interface SocketEvents {
  /** One message of the client, after the one before it is done. */
  onText(connection: SocketConnection, text: string): Promise<void>
  onClose(connection: SocketConnection): void
}

export interface SocketUpgrade {
  request: IncomingMessage
  socket: Duplex
  head: Buffer
}

/** Closes for a message of a type, or in a number, that is not taken (RFC 6455 section 7.4.1). */
const unsupportedData = 1003
const policyViolation = 1008

export interface Sockets {
  accept(upgrade: SocketUpgrade, identity: Identity, opened: (connection: SocketConnection) => void): void
}

export function createSockets(events: SocketEvents, log: Log): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: largestMessage,
    // Browsers close unless one of the sub-protocols they offered, the token, comes back.
    handleProtocols: (offered) => [...offered][0] ?? false,
  })
  const bySocket = new WeakMap<WebSocket, SocketConnection>()
  const hear = createTurns(events.onText, log)

  // One function each for all sockets: `this` says which.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    const connection = bySocket.get(this)
    if (!connection) return
    connection.isAlive = true
    if (isBinary) this.close(unsupportedData)
    else hear(connection, String(data))
  }
  function onPong(this: WebSocket): void {
    const connection = bySocket.get(this)
    if (connection) connection.isAlive = true
  }
  function onClose(this: WebSocket): void {
    const connection = bySocket.get(this)
    if (connection) events.onClose(connection)
  }

  return {
    accept({ request, socket, head }, identity, opened) {
      server.handleUpgrade(request, socket, head, (open) => {
        const connection = socketConnection(open, socket, identity)
        bySocket.set(open, connection)
        open.on('message', onMessage)
        open.on('pong', onPong)
        open.on('close', onClose)
        // What breaks the protocol closes the socket, which is all there is to do.
        open.on('error', ignore)
        opened(connection)
      })
    },
  }
}

/** Has the messages of each client worked off one after the other. */
function createTurns(
  onText: SocketEvents['onText'],
  log: Log,
): (connection: SocketConnection, text: string) => void {
  async function work(connection: SocketConnection, first: string): Promise<void> {
    connection.waiting = []
    for (let text: string | undefined = first; text !== undefined; text = connection.waiting.shift()) {
      try {
        await onText(connection, text)
      } catch (error) {
        log.error({ err: error }, 'a message of a stream failed')
        sendText(connection, JSON.stringify({ error: 'Something went wrong', status: 500 }))
      }
    }
    connection.waiting = null
  }

  return (connection, text) => {
    if (connection.waiting === null) void work(connection, text)
    else if (connection.waiting.length < waitingMessages) connection.waiting.push(text)
    else connection.socket.close(policyViolation)
  }
}

function ignore(): void {}

export interface ClientMessage extends StreamRequest {
  type: 'subscribe' | 'unsubscribe'
}

/** What a client says. Null for what is nothing that is known. */
export function parseClientMessage(text: string): ClientMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { type, stream, tag, list } = value as Record<string, unknown>
  if (type !== 'subscribe' && type !== 'unsubscribe') return null
  return { type, stream: textOf(stream) ?? '', tag: textOf(tag), list: textOf(list) }
}

/** Some clients send numbers, and the first of several counts. */
function textOf(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' || typeof one === 'number' ? String(one) : undefined
}

/** Answers an upgrade that is refused, or led elsewhere, and ends it. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal, headers: Record<string, string> = {}): void {
  const lines = Object.entries({
    connection: 'close',
    'content-type': 'text/plain',
    'content-length': '0',
    ...(refusal.status === 503 && retryLater),
    ...headers,
    ...(refusal.error !== '' && { 'x-error-message': refusal.error }),
  }).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', ignore)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n`)
}
