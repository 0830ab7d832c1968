// One open stream connection. There may be ten thousand: each is a plain record, and what is done with them is here
// once, without timers or functions of their own.
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Outgoing } from './outgoing.ts'
import { textFrame } from './text-frame.ts'
import type { AccountId, OauthTokenId, UserId } from '#lib/id.ts'

/** What a connection may have waiting to be read, in bytes. Whoever reads more slowly is cut off. */
export const maxUnread = 1024 * 1024

export interface Identity {
  readonly accountId: AccountId
  readonly userId: UserId
  readonly tokenId: OauthTokenId
  readonly scopes: readonly string[]
  /** What limits count by. */
  readonly address: string
  /** Where the client is. */
  readonly client: string
}

interface Common extends Identity {
  /** The topics it follows. */
  readonly topics: Set<string>
  /** What it is written in this turn waits, to go out at once. */
  isHeld: boolean
}

export interface SocketConnection extends Common {
  readonly kind: 'socket'
  readonly socket: WebSocket
  /** Below the WebSocket. */
  readonly wire: Duplex
  /** It has answered since it was last pinged. */
  isAlive: boolean
  /** Messages that wait while one is at work; null when none is. */
  waiting: string[] | null
}

export interface EventsConnection extends Common {
  readonly kind: 'events'
  readonly response: ServerResponse
}

export type Connection = SocketConnection | EventsConnection

export const socketConnection = (socket: WebSocket, wire: Duplex, identity: Identity): SocketConnection => ({
  ...identity,
  kind: 'socket',
  socket,
  wire,
  topics: new Set(),
  isHeld: false,
  isAlive: true,
  waiting: null,
})

export const eventsConnection = (response: ServerResponse, identity: Identity): EventsConnection => ({
  ...identity,
  kind: 'events',
  response,
  topics: new Set(),
  isHeld: false,
})

/** Going away (RFC 6455 section 7.4.1). */
const goingAway = 1001
const thump = Buffer.from(':thump\n')

const held: Connection[] = []

/** Lets what is written to a connection in this turn go out by one call of the system. */
function hold(connection: Connection): void {
  if (connection.isHeld) return
  connection.isHeld = true
  wireOf(connection).cork()
  if (held.push(connection) === 1) queueMicrotask(releaseAll)
}

function releaseAll(): void {
  for (const connection of held.splice(0)) {
    connection.isHeld = false
    wireOf(connection).uncork()
  }
}

const wireOf = (connection: Connection): Pick<Duplex, 'cork' | 'uncork'> =>
  connection.kind === 'socket' ? connection.wire : connection.response

/**
 * Writes an event of the stream with this label. `isAlone`: nothing else is written in this turn, so that it goes out as
 * it is written, to the first of a thousand before the last.
 */
export function send(connection: Connection, event: Outgoing, label: string, isAlone = false): void {
  if (!isAlone) hold(connection)
  if (connection.kind === 'socket') sendFrame(connection, event.frame(label))
  else write(connection, event.block())
}

/** Sends a text that belongs to no stream. */
export const sendText = (connection: SocketConnection, text: string) => sendFrame(connection, textFrame(text))

/**
 * Writes a frame past `ws`, which would make its head anew for each connection: without compression it keeps nothing back
 * that might come in between.
 */
function sendFrame({ socket, wire }: SocketConnection, frame: Buffer): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > maxUnread) socket.terminate()
  else wire.write(frame)
}

function write({ response }: EventsConnection, block: Buffer): void {
  if (!response.headersSent || response.destroyed || response.writableEnded) return
  if (response.writableLength > maxUnread) response.destroy()
  else response.write(block)
}

/** Asks a WebSocket for a sign of life, and cuts one that has given none since it was last asked. */
export function ping(connection: Connection): void {
  if (connection.kind !== 'socket') return
  if (!connection.isAlive) {
    connection.socket.terminate()
    return
  }
  connection.isAlive = false
  if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping()
}

/** Tells a reader of server-sent events, and proxies on the way, that the connection lives. */
export function beat(connection: Connection): void {
  if (connection.kind === 'events') write(connection, thump)
}

/** Ends it in good order. */
export function close(connection: Connection): void {
  if (connection.kind === 'socket') connection.socket.close(goingAway)
  else connection.response.end()
}

/** Ends it at once. */
export function cut(connection: Connection): void {
  if (connection.kind === 'socket') connection.socket.terminate()
  else connection.response.destroy()
}
