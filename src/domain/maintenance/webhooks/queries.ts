import { sql, type Selectable } from 'kysely'
import type { WebhookDeliveriesTable, WebhooksTable } from '#db/schema/moderation.ts'
import { createTtlCache } from '#lib/time/ttl-cache.ts'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { WebhookId } from '#lib/id.ts'

/** What webhooks are told of, in the words of the Mastodon API. Of accounts and statuses only those of this server. */
export const webhookEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export interface WebhookRow extends Pick<
  Selectable<WebhooksTable>,
  'id' | 'url' | 'enabled' | 'last_error' | 'last_tried_at' | 'created_at' | 'updated_at'
> {
  events: WebhookEvent[]
  /** Signs what is sent. */
  secret: string
  /** How the last try ended: the status of its answer, or why there was none. */
  last_status: number | null
}

/** Tries of each webhook that staff can look back at. */
export const keptDeliveries = 50

const columns = sql`id, url, events, secret, enabled, last_status, last_error, last_tried_at, created_at, updated_at`

/** All of them, newest first. They are few. */
export async function listWebhooks(reader: Reader): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`select ${columns} from webhooks order by id desc`.execute(reader.db)
  return rows
}

/** `lock`: it stays as it is until the transaction ends. Throws `not_found`. */
export async function getWebhook(reader: Reader, id: WebhookId, lock = false): Promise<WebhookRow> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhooks where id = ${id} ${lock ? sql`for update` : sql``}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export type WebhookDelivery = Pick<
  Selectable<WebhookDeliveriesTable>,
  'id' | 'event' | 'status' | 'error' | 'created_at'
>

/** The last tries to tell a webhook of something, newest first. */
export async function listWebhookDeliveries(reader: Reader, id: WebhookId): Promise<WebhookDelivery[]> {
  const { rows } = await sql<WebhookDelivery>`
    select id, event, status, error, created_at from webhook_deliveries where webhook_id = ${id}
    order by id desc limit ${keptDeliveries}`.execute(reader.db)
  return rows
}

/** Null when it is gone or disabled, or is told of other things. */
export async function findSubscribedWebhook(
  reader: Reader,
  id: WebhookId,
  event: WebhookEvent,
): Promise<WebhookRow | null> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhooks where id = ${id} and enabled and ${event} = any(events)`.execute(
    reader.db,
  )
  return rows[0] ?? null
}

type Listeners = ReadonlyMap<WebhookEvent, readonly WebhookId[]>

/** How long another process's change may go unnoticed where its news are lost, in milliseconds. */
const staleAfter = 2_000

const recent = createTtlCache(staleAfter, readListeners)

/** The webhooks that are told of an event. Costs nothing, as a rule: asked with every status there is. */
export async function listSubscribedWebhooks(
  reader: Reader,
  event: WebhookEvent,
): Promise<readonly WebhookId[]> {
  return (await recent.get(reader)).get(event) ?? []
}

/** Has this process read again who listens: the database has told that they changed. */
export const invalidateWebhooks = recent.forget

async function readListeners(reader: Reader): Promise<Listeners> {
  const { rows } = await sql<{ event: WebhookEvent; ids: WebhookId[] }>`
    select e.event, array_agg(w.id order by w.id) as ids from webhooks w cross join unnest(w.events) e (event)
    where w.enabled group by 1`.execute(reader.db)
  return new Map(rows.map(({ event, ids }) => [event, ids]))
}
