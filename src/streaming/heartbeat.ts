// What is done for all connections at regular times: one timer each for the whole process.
import type { Ctx } from '#ports/ctx.ts'
import { recordActivity } from '#domain/identity/accounts/record-activity.ts'
import { findEndedTokens } from '#domain/identity/oauth/find-ended-tokens.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { keepHomes, keepLists } from '#domain/reading/timelines/streamed.ts'
import { chunk } from '#lib/collections.ts'
import { refuseAddress } from './authenticate.ts'
import { beat, close, cut, ping, type Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import type { RulesCache } from './rules-cache.ts'
import { asId, type AccountId, type AnyId, type ListId, type OauthTokenId } from '#lib/id.ts'

/** All in milliseconds. */
export interface HeartbeatTimes {
  /** Between signs of life to readers of server-sent events. */
  beat: number
  /** Between pings of WebSockets. */
  ping: number
  /** Between looks at who may still listen: what no event tells ends within five seconds. */
  access: number
  /** Between readings of what changes without an event. */
  refresh: number
}

export const usualTimes: HeartbeatTimes = { beat: 15_000, ping: 30_000, access: 3_000, refresh: 60_000 }

const perQuery = 1_000
/** How long a connection that is closed may take to go, in milliseconds. */
const farewell = 1_000
/** Refreshes between two notes that people with a stream are here. */
const refreshesPerNote = 60

export interface HeartbeatParts {
  ctx: Ctx
  hub: Hub
  rules: RulesCache
}

/** Starts the timers; the returned function stops them. */
export function startHeartbeat(parts: HeartbeatParts, times: HeartbeatTimes): () => void {
  const { ctx, hub } = parts
  let refreshes = 0
  const each = (work: (connection: Connection) => void) => async () => {
    for (const connection of hub.connections) work(connection)
  }
  const refreshAll = async () => {
    await refresh(parts)
    if (++refreshes % refreshesPerNote === 0) await recordAll(ctx, hub)
  }
  const timers = [
    every(times.beat, each(beat), ctx),
    every(times.ping, each(ping), ctx),
    every(times.access, () => endAccess(ctx, hub, [...hub.connections]), ctx),
    every(times.refresh, refreshAll, ctx),
  ]
  return () => timers.forEach(clearInterval)
}

/** Skips its turn while the last one is at work. */
function every(milliseconds: number, work: () => Promise<void>, { log }: Ctx): NodeJS.Timeout {
  let running = false
  const run = async () => {
    if (running) return
    running = true
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'the upkeep of streams failed and will be tried again')
    } finally {
      running = false
    }
  }
  return setInterval(() => void run(), milliseconds)
}

/** Closes those of these connections whose token opens nothing any more, and those from where nobody gets in any more. */
export async function endAccess(ctx: Ctx, hub: Hub, connections: readonly Connection[]): Promise<void> {
  closeAll(hub, await findShutOut(ctx, connections))
  const tokens = [...new Set(connections.map((one) => one.tokenId))]
  for (const ids of chunk(tokens, perQuery)) {
    const ended = await findEndedTokens(ctx, ids)
    if (ended.length > 0) closeTokens(hub, new Set(ended))
  }
}

/** Closes the connections of these tokens. Nothing more is sent on them, and who does not let go is cut off. */
export function closeTokens(hub: Hub, tokens: ReadonlySet<OauthTokenId>): void {
  closeAll(
    hub,
    [...hub.connections].filter((connection) => tokens.has(connection.tokenId)),
  )
}

async function findShutOut(ctx: Ctx, connections: readonly Connection[]): Promise<Connection[]> {
  const shutOut: Connection[] = []
  for (const connection of connections)
    if (await refuseAddress(ctx, connection.client)) shutOut.push(connection)
  return shutOut
}

function closeAll(hub: Hub, ended: readonly Connection[]): void {
  if (ended.length === 0) return
  for (const connection of ended) {
    for (const topic of connection.topics) hub.unfollow(connection, topic)
    close(connection)
  }
  setTimeout(() => ended.forEach(cut), farewell).unref()
}

/** Rules change without an event where a mute ends, and feeds are gone when the database has crashed. */
async function refresh({ ctx, hub, rules }: HeartbeatParts): Promise<void> {
  rules.markAllStale((id) => hub.connectionsOf(id).size > 0)
  for (const ids of chunk(idsOf<AccountId>(hub, 'user'), perQuery)) await keepHomes(ctx, ids)
  for (const ids of chunk(idsOf<ListId>(hub, 'list'), perQuery)) await keepLists(ctx, ids)
}

/** Of those whose feed is listened to. */
function idsOf<Id extends AnyId>(hub: Hub, kind: 'user' | 'list'): Id[] {
  const prefix = `${kind}:`
  return [...hub.topics].flatMap(([name, topic]) =>
    topic.kind === kind ? [asId<Id>(name.slice(prefix.length))] : [],
  )
}

/** Feeds are trimmed of those who are away: who listens for weeks is not. */
async function recordAll(ctx: Ctx, hub: Hub): Promise<void> {
  for (const accountId of hub.accounts()) {
    const viewer = await findViewer(ctx, accountId)
    if (viewer) await recordActivity(ctx, viewer, null)
  }
}
