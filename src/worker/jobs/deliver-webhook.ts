// One event on its way to one webhook: a job of its own. A dead address is left alone for a while, so that it holds up no
// other one.
import type { Ctx } from '#ports/ctx.ts'
import { getReport } from '#domain/trust/moderation/reports/staff-reports.ts'
import {
  findSubscribedWebhook,
  listSubscribedWebhooks,
  type WebhookEvent,
} from '#domain/maintenance/webhooks/queries.ts'
import { sendToWebhook } from '#domain/maintenance/webhooks/send.ts'
import { isAppError } from '#lib/errors.ts'
import { viewAdminAccount } from '#views/identity/admin-accounts.ts'
import { viewAdminReport } from '#views/trust/admin-reports.ts'
import { viewStatus } from '#views/content/statuses.ts'
import { asId, noId, type AccountId, type ReportId, type StatusId, type WebhookId } from '#lib/id.ts'

export interface WebhookJob {
  webhookId: WebhookId
  event: WebhookEvent
  /** Of the account, report or status, as the event says. */
  subjectId: string
  /** When it happened, in milliseconds since the epoch. */
  createdAt: number
  /** How often it was sent in vain. */
  failures: number
}

/** Of the few jobs that run at a time, these leave room for others: addresses may keep us waiting. */
const queues = 2n
/** Tries after the first one: the last comes about a day after it. */
const maxRetries = 8
/** Milliseconds; each further delay is three times as long. */
const firstDelay = 15_000
/** A webhook that has not answered so often within so many seconds is left alone for the rest of them. */
const patience = { timeouts: 3, seconds: 60 }
/** Reports tell what they name to whoever may see reports. */
const nobody = noId<AccountId>()

/** Queues what webhooks are to be told. Where none listens it is over at once. */
export async function notifyWebhooks(
  ctx: Ctx,
  event: WebhookEvent,
  subjectId: AccountId | ReportId | StatusId,
): Promise<void> {
  for (const webhookId of await listSubscribedWebhooks(ctx, event)) {
    await queue(ctx, { webhookId, event, subjectId, createdAt: ctx.clock.now(), failures: 0 })
  }
}

/** The same event about the same object takes the place of the one that waits: both would tell the latest state. */
async function queue(ctx: Ctx, job: WebhookJob, runAt?: Date): Promise<void> {
  await ctx.jobs.add('deliver-webhook', job, {
    key: `webhook:${job.webhookId}:${job.event}:${job.subjectId}`,
    queue: `webhooks-${(BigInt(job.webhookId) >> 16n) % queues}`,
    ...(runAt && { runAt }),
  })
}

/** Sends it, unless it is not wanted any more, and tries again later when it was not taken. */
export async function deliverWebhook(ctx: Ctx, job: WebhookJob): Promise<void> {
  const webhook = await findSubscribedWebhook(ctx, job.webhookId, job.event)
  if (!webhook) return
  if ((await countTimeouts(ctx, webhook.id, 0)) >= patience.timeouts) return later(ctx, job)
  const object = await render(ctx, job)
  if (!object) return
  const { event, createdAt } = job
  const outcome = await sendToWebhook(ctx, webhook, { event, createdAt, object })
  if (outcome.delivered) return
  ctx.log.debug({ webhookId: webhook.id, event, error: outcome.error }, 'a webhook did not take a message')
  if (outcome.error === 'timeout') await countTimeouts(ctx, webhook.id, 1)
  await later(ctx, job)
}

/** Left alone counts as tried: who is away for a day is not caught up with everything afterwards. */
async function later(ctx: Ctx, job: WebhookJob): Promise<void> {
  if (job.failures >= maxRetries) return
  const delay = firstDelay * 3 ** job.failures * (1 + Math.random() / 2)
  await queue(ctx, { ...job, failures: job.failures + 1 }, new Date(ctx.clock.now() + delay))
}

/** Without the store nothing is known, and nobody is left alone. */
const countTimeouts = (ctx: Ctx, webhookId: WebhookId, by: number): Promise<number> =>
  ctx.kv.increment(`webhook-timeouts:${webhookId}`, by, patience.seconds).catch(() => 0)

/** What it is about as it is now; null when it is gone, or is not for strangers to see. */
async function render(ctx: Ctx, { event, subjectId }: WebhookJob): Promise<object | null> {
  // Whoever changed it may not have told this process yet.
  ctx.changes.hear([`${event.split('.', 1)[0]} ${subjectId}`])
  try {
    if (event.startsWith('account.')) return await viewAdminAccount(ctx, asId<AccountId>(subjectId))
    if (event.startsWith('report.'))
      return await viewAdminReport(ctx, nobody, await getReport(ctx, asId<ReportId>(subjectId)))
    return await viewStatus(ctx, null, asId<StatusId>(subjectId))
  } catch (error) {
    if (isAppError(error, 'not_found')) return null
    throw error
  }
}
