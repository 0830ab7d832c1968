// Events of home and list streams: a status goes to those whose feed it has entered.
import type { Ctx } from '#ports/ctx.ts'
import { chunk, groupBy } from '#lib/collections.ts'
import type { FeedMessage } from '#lib/stream-channels.ts'
import { renderStatusForMany } from '#views/content/streamed-statuses.ts'
import { send, type Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import type { AccountId } from '#lib/id.ts'

export interface FeedItem extends FeedMessage {
  feed: 'user' | 'list'
}

interface Recipient {
  connection: Connection
  label: string
}

/** Statuses that are rendered at the same time. */
const atOnce = 4

export async function deliverFeeds(ctx: Ctx, hub: Hub, items: readonly FeedItem[]): Promise<void> {
  for (const some of chunk(merge(items), atOnce)) {
    const texts = await Promise.all(some.map((item) => renderFor(ctx, item, recipientsOf(hub, item))))
    for (const [index, item] of some.entries()) {
      sendOne(item, recipientsOf(hub, item), texts[index]!, some.length === 1)
    }
  }
}

/** Feeds share channels, so that of one status there are several messages: it is read once for all of them. */
function merge(items: readonly FeedItem[]): FeedItem[] {
  const groups = groupBy(items, ({ feed, event, id }) => `${feed} ${event} ${id}`)
  return [...groups.values()].map((group) => ({ ...group[0]!, to: group.flatMap(({ to }) => to) }))
}

function recipientsOf(hub: Hub, { feed, to }: FeedItem): Recipient[] {
  const found: Recipient[] = []
  for (const id of to) {
    const topic = hub.topics.get(`${feed}:${id}`)
    if (!topic) continue
    for (const [connection, label] of topic.followers) found.push({ connection, label })
  }
  return found
}

async function renderFor(
  ctx: Ctx,
  { event, id }: FeedItem,
  recipients: readonly Recipient[],
): Promise<ReadonlyMap<AccountId, string>> {
  const accountIds = new Set(recipients.map(({ connection }) => connection.accountId))
  if (event !== 'delete') return renderStatusForMany(ctx, [...accountIds], id, 'home')
  return new Map([...accountIds].map((accountId) => [accountId, id]))
}

function sendOne(
  { event }: FeedItem,
  recipients: readonly Recipient[],
  texts: ReadonlyMap<AccountId, string>,
  isAlone: boolean,
): void {
  const shared = new Map<string, Outgoing>()
  for (const { connection, label } of recipients) {
    const text = texts.get(connection.accountId)
    if (text === undefined) continue
    const outgoing = shared.get(text) ?? createOutgoing(event, text)
    shared.set(text, outgoing)
    send(connection, outgoing, label, isAlone)
  }
}
