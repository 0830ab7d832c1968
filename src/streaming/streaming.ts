// The streaming role: takes upgrades and requests, and tells their connections what happens.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#ports/ctx.ts'
import { addressBlock } from '#lib/net/cidr.ts'
import { retryLater } from '#lib/net/retry-after.ts'
import { addressOf, identify, refuseAddress, secretOf } from './authenticate.ts'
import {
  close,
  cut,
  eventsConnection,
  sendText,
  type Connection,
  type Identity,
  type SocketConnection,
} from './connection.ts'
import { doubt, watchAccess } from './changed-access.ts'
import { createDispatcher } from './dispatch.ts'
import { createHub, type Hub } from './hub.ts'
import { createLimits, type Limits } from './limits.ts'
import { createRulesCache } from './rules-cache.ts'
import {
  createSockets,
  parseClientMessage,
  refuseUpgrade,
  type Sockets,
  type SocketUpgrade,
} from './sockets.ts'
import {
  findStream,
  isRefusal,
  streamOfPath,
  type Refusal,
  type Stream,
  type StreamRequest,
} from './streams.ts'
import { join, openHome, openStream } from './subscribe.ts'
import { closeTokens, startHeartbeat, usualTimes, type HeartbeatTimes } from './heartbeat.ts'

export interface Streaming {
  /** Answers a request below the streaming path with server-sent events or an error. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  /** Makes a WebSocket of it, or refuses. */
  upgrade(upgrade: SocketUpgrade, url: URL): Promise<void>
  /** How many connections are open. */
  count(): number
  /** Takes nobody new, ends all connections in good order, then at once. */
  stop(): Promise<void>
}

/** Below this, or at it, everything is streaming's. */
export const streamingPath = '/api/v1/streaming'

/** How long connections have to end by themselves, in milliseconds. */
const patience = 1_000
const unknownChannel: Refusal = { error: 'Unknown channel requested', status: 400 }
const stopping: Refusal = { error: 'The server is restarting', status: 503 }

interface Parts {
  ctx: Ctx
  hub: Hub
  limits: Limits
  stopped: boolean
}

export function createStreaming(ctx: Ctx, times: HeartbeatTimes = usualTimes): Streaming {
  const rules = createRulesCache(ctx)
  const dispatch = createDispatcher({
    ctx,
    rules,
    hub: () => hub,
    onTokenEnded: (tokenId) => closeTokens(hub, new Set([tokenId])),
    onAccessInDoubt: (accountId) => void doubt(ctx, hub, [...hub.connectionsOf(accountId)]),
  })
  const hub: Hub = createHub(ctx.bus, dispatch)
  const limits = createLimits(ctx.clock, ctx.config.rateLimits)
  const parts: Parts = { ctx, hub, limits, stopped: false }
  const leave = (connection: Connection) => {
    if (!hub.remove(connection)) return
    limits.leave(connection.accountId, connection.address)
    if (hub.connectionsOf(connection.accountId).size === 0) rules.forget(connection.accountId)
  }
  const sockets = createSockets(
    { onText: (connection, text) => hear(parts, connection, text), onClose: leave },
    ctx.log,
  )
  ctx.meter.gauge('stonechat_streaming_connections', () => hub.connections.size)
  const stopMaintenance = startHeartbeat({ ctx, hub, rules }, times)
  const stopWatching = watchAccess(ctx, hub, rules)
  return {
    handle: (request, response, url) => handle(parts, { request, response, url }, leave),
    upgrade: (upgrade, url) => accept(parts, sockets, upgrade, url),
    count: () => hub.connections.size,
    async stop() {
      parts.stopped = true
      stopMaintenance()
      stopWatching()
      for (const connection of hub.connections) close(connection)
      for (const end = Date.now() + patience; hub.connections.size > 0 && Date.now() < end;) await sleep(10)
      for (const connection of hub.connections) cut(connection)
    },
  }
}

/** What a request wants: by its path, else by its query, as WebSockets have it. */
function requestOf(url: URL): StreamRequest | null {
  const { searchParams: query } = url
  const path = url.pathname.slice(streamingPath.length + 1)
  const onlyMedia = ['true', '1', 'on', 't', 'yes'].includes(query.get('only_media')?.toLowerCase() ?? '')
  const stream = path === '' ? query.get('stream') : streamOfPath(path, onlyMedia)
  if (stream === null) return null
  return { stream, tag: query.get('tag') ?? undefined, list: query.get('list') ?? undefined }
}

/** Who calls, counted as a connection until they leave, or why they are refused. */
async function enter(
  { ctx, limits }: Parts,
  request: IncomingMessage,
  url: URL,
): Promise<Identity | Refusal> {
  const client = addressOf(ctx, request)
  /** The key by which it is counted. */
  const address = addressBlock(client)
  const refusal = limits.attempt(address) ?? (await refuseAddress(ctx, client))
  if (refusal) return refusal
  const identity = await identify(ctx, secretOf(request, url.searchParams), { address, client })
  if ('error' in identity) return identity
  return limits.enter(identity.accountId, address) ?? identity
}

async function accept(parts: Parts, sockets: Sockets, upgrade: SocketUpgrade, url: URL): Promise<void> {
  const { ctx, hub, limits } = parts
  const { request, socket } = upgrade
  socket.on('error', ignore)
  const identity = await enter(parts, request, url)
  if ('error' in identity) return refuseUpgrade(socket, identity)
  const giveUp = () => limits.leave(identity.accountId, identity.address)
  if (socket.destroyed) return giveUp()
  // A handshake that is none ends the socket without opening one.
  socket.once('close', giveUp)
  const asked = requestOf(url) ?? streamInQuery(url)
  const first = asked && (await openStream(ctx, identity, asked))
  await openHome(ctx, identity)
  if (parts.stopped || socket.destroyed) return refuseUpgrade(socket, stopping)
  socket.off('error', ignore)
  sockets.accept(upgrade, identity, (connection) => {
    socket.off('close', giveUp)
    hub.add(connection)
    if (first) joinSocket(hub, connection, first)
  })
}

/** The path of a WebSocket need not name a stream. */
function streamInQuery(url: URL): StreamRequest | null {
  const plain = new URL(url)
  plain.pathname = streamingPath
  return requestOf(plain)
}

function joinSocket(hub: Hub, connection: SocketConnection, found: Stream | Refusal): void {
  const refusal = isRefusal(found) ? found : join(hub, connection, found)
  if (refusal) sendText(connection, JSON.stringify(refusal))
}

/** Does what a client says. What is no known message is passed over. */
async function hear({ ctx, hub }: Parts, connection: SocketConnection, text: string): Promise<void> {
  const message = parseClientMessage(text)
  if (!message) return
  if (message.type === 'subscribe') {
    joinSocket(hub, connection, await openStream(ctx, connection, message))
    return
  }
  const stream = findStream(connection, message)
  if (isRefusal(stream)) sendText(connection, JSON.stringify({ error: 'Error unsubscribing from channel' }))
  else hub.unfollow(connection, stream.topic)
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
}

async function handle(
  parts: Parts,
  { request, response, url }: Exchange,
  leave: (connection: Connection) => void,
): Promise<void> {
  const asked = requestOf(url)
  if (!asked) return refuse(response, unknownChannel)
  const identity = await enter(parts, request, url)
  if ('error' in identity) return refuse(response, identity)
  if (response.destroyed) return parts.limits.leave(identity.accountId, identity.address)
  const connection = eventsConnection(response, identity)
  parts.hub.add(connection)
  response.once('close', () => leave(connection))
  const stream = await openStream(parts.ctx, identity, asked)
  if (isRefusal(stream)) return refuse(response, stream)
  await openHome(parts.ctx, identity)
  if (response.destroyed) return
  if (parts.stopped) return refuse(response, stopping)
  response.writeHead(200, {
    ...openToBrowsers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies must not wait for more before they pass an event on.
    'x-accel-buffering': 'no',
  })
  response.write(':)\n')
  parts.hub.follow(connection, stream)
}

const openToBrowsers = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

function refuse(response: ServerResponse, { error, status }: Refusal): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    ...openToBrowsers,
    ...(status === 503 && retryLater),
    'content-type': 'application/json; charset=utf-8',
  })
  response.end(JSON.stringify({ error }))
}

function ignore(): void {}
