import type { Ctx } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { tooMany } from '#lib/errors.ts'
import { getWebhook } from './queries.ts'
import { sendToWebhook, type WebhookOutcome } from './send.ts'
import type { WebhookId } from '#lib/id.ts'

/** Tests of one webhook in so many seconds. */
const maxTests = 5
const period = 60

/**
 * Sends a webhook a message that says only that it is a test, also while it is disabled. Returns how that ended. Throws
 * `not_found`, and `too_many`.
 */
export async function testWebhook(ctx: Ctx, staff: Staff, id: WebhookId): Promise<WebhookOutcome> {
  const webhook = await getWebhook(ctx, id)
  if ((await ctx.kv.increment(`webhook-tests:${id}`, 1, period)) > maxTests) throw tooMany()
  await ctx.transaction((tx) =>
    recordAction(tx, staff, {
      action: 'test',
      targetType: 'webhook',
      targetId: id,
      label: new URL(webhook.url).host,
    }),
  )
  return sendToWebhook(ctx, webhook, { event: 'test', createdAt: ctx.clock.now(), object: {} })
}
