// Webhooks are told of what staff watch (https://docs.joinmastodon.org/admin/webhooks/).
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { listListening, type WebhookEvent } from '#domain/maintenance/webhooks/queries.ts'
import { findUserAccount, isOwnAccount, isOwnStatus } from '#domain/maintenance/webhooks/subjects.ts'
import { tellWebhooks } from '#worker/jobs/deliver-webhook.ts'

const isAnybodyListening = async (ctx: Ctx, event: WebhookEvent) =>
  (await listListening(ctx, event)).length > 0

export const tellAccountCreated = {
  name: 'webhook-account-created',
  outward: true,
  async run(ctx: Ctx, { userId }: EventOf<'user.created'>) {
    if (!(await isAnybodyListening(ctx, 'account.created'))) return
    const accountId = await findUserAccount(ctx, userId, { created: true })
    if (accountId) await tellWebhooks(ctx, 'account.created', accountId)
  },
}

/** Once somebody can use their account: confirmed and let in, whichever comes last. */
export const tellAccountApproved = {
  name: 'webhook-account-approved',
  outward: true,
  async run(ctx: Ctx, { userId }: EventOf<'user.approved' | 'user.confirmed'>) {
    if (!(await isAnybodyListening(ctx, 'account.approved'))) return
    const accountId = await findUserAccount(ctx, userId, { created: false })
    if (accountId) await tellWebhooks(ctx, 'account.approved', accountId)
  },
}

type AccountChange =
  | 'account.updated'
  | 'account.suspended'
  | 'account.unsuspended'
  | 'account.limits-changed'

export const tellAccountUpdated = {
  name: 'webhook-account-updated',
  outward: true,
  async run(ctx: Ctx, { accountId }: EventOf<AccountChange>) {
    if (!(await isAnybodyListening(ctx, 'account.updated'))) return
    if (await isOwnAccount(ctx, accountId)) await tellWebhooks(ctx, 'account.updated', accountId)
  },
}

export const tellReportCreated = {
  name: 'webhook-report-created',
  outward: true,
  run: (ctx: Ctx, { reportId }: EventOf<'report.created'>) => tellWebhooks(ctx, 'report.created', reportId),
}

export const tellReportUpdated = {
  name: 'webhook-report-updated',
  outward: true,
  run: (ctx: Ctx, { reportId }: EventOf<'report.updated'>) => tellWebhooks(ctx, 'report.updated', reportId),
}

export const tellStatusCreated = {
  name: 'webhook-status-created',
  outward: true,
  async run(ctx: Ctx, { statusId, past }: EventOf<'status.created'>) {
    if (past || !(await isAnybodyListening(ctx, 'status.created'))) return
    if (await isOwnStatus(ctx, statusId)) await tellWebhooks(ctx, 'status.created', statusId)
  },
}

export const tellStatusUpdated = {
  name: 'webhook-status-updated',
  outward: true,
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId === null || !(await isAnybodyListening(ctx, 'status.updated'))) return
    if (await isOwnStatus(ctx, statusId)) await tellWebhooks(ctx, 'status.updated', statusId)
  },
}
