import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { formatTime } from '#lib/time/time.ts'
import { keptDeliveries, type WebhookEvent, type WebhookRow } from './queries.ts'

/** What is sent. */
export interface WebhookMessage {
  /** `test`: somebody tries whether it arrives. */
  event: WebhookEvent | 'test'
  /** When it happened, in milliseconds since the epoch. */
  createdAt: number
  object: object
}

/** Milliseconds. */
const timeout = 5_000
/** Nobody reads what is answered. */
const maxBytes = 4096

/** How a try ended: the status of the answer, or why there was none. */
export interface WebhookOutcome {
  status: number | null
  error: string | null
  delivered: boolean
}

/**
 * Sends a message once, signed with the webhook's secret, and takes down how it ended. The address is checked again,
 * also where its name leads to (SSRF-15); redirects are not followed.
 */
export async function sendToWebhook(
  ctx: Ctx,
  webhook: WebhookRow,
  message: WebhookMessage,
): Promise<WebhookOutcome> {
  const outcome = await post(ctx, webhook, toBody(message))
  const now = new Date(ctx.clock.now())
  await sql`
    with kept as (
      insert into webhook_deliveries (id, webhook_id, event, status, error, created_at)
      select ${ctx.newId()}, id, ${message.event}, ${outcome.status}, ${outcome.error}, ${now}
      from webhooks where id = ${webhook.id}),
    gone as (
      delete from webhook_deliveries where webhook_id = ${webhook.id} and id < (
        select id from webhook_deliveries where webhook_id = ${webhook.id}
        order by id desc offset ${keptDeliveries - 2} limit 1))
    update webhooks set last_status = ${outcome.status}, last_error = ${outcome.error}, last_tried_at = ${now}
    where id = ${webhook.id}`.execute(ctx.db)
  return outcome
}

const toBody = ({ event, createdAt, object }: WebhookMessage) =>
  JSON.stringify({ event, created_at: formatTime(createdAt), object })

async function post(ctx: Ctx, { url, secret }: WebhookRow, body: string): Promise<WebhookOutcome> {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  try {
    const { status } = await ctx.http.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature': `sha256=${signature}` },
      body,
      maxBytes,
      longer: 'cut',
      timeout,
      redirects: 0,
    })
    const delivered = status >= 200 && status < 300
    return { status, error: delivered ? null : `answered ${status}`, delivered }
  } catch (error) {
    // The message may name addresses inside.
    if (error instanceof RemoteError) return { status: null, error: error.problem, delivered: false }
    throw error
  }
}
