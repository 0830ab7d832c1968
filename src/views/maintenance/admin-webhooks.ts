import type { AdminWebhook } from '#entities/admin/server.ts'
import type { WebhookRow } from '#domain/maintenance/webhooks/queries.ts'
import { formatTime } from '#lib/time/time.ts'

/** A webhook as lists show it. */
export function renderWebhook(webhook: WebhookRow): AdminWebhook {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    enabled: webhook.enabled,
    last_status: webhook.last_status,
    last_error: webhook.last_error,
    last_tried_at: webhook.last_tried_at && formatTime(webhook.last_tried_at),
    created_at: formatTime(webhook.created_at),
    updated_at: formatTime(webhook.updated_at),
  }
}

/** With the secret, for those who set up what listens. */
export const renderWebhookWithSecret = (webhook: WebhookRow): AdminWebhook => ({
  ...renderWebhook(webhook),
  secret: webhook.secret,
})
