// Events of the public streams and those of hashtags: each status is read and written once, however many listen.
import type { Ctx } from '#ports/ctx.ts'
import { isMutedOrBlocked, isShownTo } from '#domain/reading/timelines/viewer-rules.ts'
import type { PublicMessage } from '#lib/stream-channels.ts'
import {
  encounterOf,
  loadPublicStatuses,
  renderStatusForMany,
  type PublicStatus,
} from '#views/content/streamed-statuses.ts'
import { send, type Connection } from './connection.ts'
import type { Hub, Topic } from './hub.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import type { Rules, RulesCache } from './rules-cache.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface PublicItem extends PublicMessage {
  /** The name of the topic. */
  topic: string
}

/** What one batch knows. */
interface Batch {
  ctx: Ctx
  now: number
  rules: RulesCache
  statuses: ReadonlyMap<StatusId, PublicStatus>
  /** By event and text: one for all connections that get the same. */
  shared: Record<PublicMessage['event'], Map<string, Outgoing>>
}

export async function deliverPublic(
  ctx: Ctx,
  hub: Hub,
  rules: RulesCache,
  items: readonly PublicItem[],
): Promise<void> {
  const wanted = items.filter((item) => hub.topics.has(item.topic))
  const shown = wanted.filter((item) => item.event !== 'delete')
  const statuses = await loadPublicStatuses(ctx, [...new Set(shown.map((item) => item.id))])
  const topics = new Set(shown.flatMap((item) => hub.topics.get(item.topic) ?? []))
  await rules.ensure(accountsOf([...topics]))
  const shared = { update: new Map(), 'status.update': new Map(), delete: new Map() }
  const batch: Batch = { ctx, now: ctx.clock.now(), rules, statuses, shared }
  for (const item of wanted) {
    const topic = hub.topics.get(item.topic)
    const apart = topic && deliverTogether(batch, topic, item)
    if (apart && apart.size > 0) await deliverApart(batch, item, apart)
  }
}

function accountsOf(topics: readonly Topic[]): Set<AccountId> {
  return new Set(topics.flatMap(({ followers }) => [...followers.keys()].map((one) => one.accountId)))
}

/** Sends what is the same for many. Returns who has to be asked for one by one. */
function deliverTogether(
  batch: Batch,
  { followers }: Topic,
  item: PublicItem,
): ReadonlyMap<Connection, string> {
  const apart = new Map<Connection, string>()
  const status = item.event === 'delete' ? null : batch.statuses.get(item.id)
  for (const [connection, label] of followers) {
    if (status === null) {
      send(connection, shareOf(batch, 'delete', item.id), label)
      continue
    }
    const rules = batch.rules.get(connection.accountId)
    if (!rules) continue
    // Without the status it is gone, or for people of this server alone.
    if (!status || isSeenApart(batch, status, rules)) apart.set(connection, label)
    else if (isShownTo(rules, status.encounter, batch.now)) {
      send(connection, shareOf(batch, item.event, textFor(batch, status, rules)), label)
    }
  }
  return apart
}

/** It quotes somebody whom the viewer is not to meet: their own view leaves that out. */
function isSeenApart({ now }: Batch, { quotedIds }: PublicStatus, rules: Rules): boolean {
  return quotedIds.some((id) => isMutedOrBlocked(rules, id, now))
}

function textFor({ now }: Batch, status: PublicStatus, { matcher, accountId }: Rules): string {
  if (!matcher || status.encounter.authorId === accountId) return status.json
  return status.jsonFor(matcher, now)
}

function shareOf({ shared }: Batch, event: PublicMessage['event'], text: string): Outgoing {
  let outgoing = shared[event].get(text)
  if (!outgoing) {
    outgoing = createOutgoing(event, text)
    shared[event].set(text, outgoing)
  }
  return outgoing
}

async function deliverApart(
  batch: Batch,
  item: PublicItem,
  followers: ReadonlyMap<Connection, string>,
): Promise<void> {
  const accountIds = [...new Set([...followers.keys()].map((one) => one.accountId))]
  const texts = await renderStatusForMany(batch.ctx, accountIds, item.id, null)
  for (const [connection, label] of followers) {
    const text = texts.get(connection.accountId)
    const rules = batch.rules.get(connection.accountId)
    if (text === undefined || !rules) continue
    const encounter = encounterOf(JSON.parse(text))
    if (isShownTo(rules, encounter, batch.now)) send(connection, shareOf(batch, item.event, text), label)
  }
}
