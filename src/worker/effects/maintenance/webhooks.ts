// Webhooks are told of what staff watch (https://docs.joinmastodon.org/admin/webhooks/).
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { listSubscribedWebhooks, type WebhookEvent } from '#domain/maintenance/webhooks/queries.ts'
import { findUserAccount, isOwnAccount, isOwnStatus } from '#domain/maintenance/webhooks/subjects.ts'
import { notifyWebhooks } from '#worker/jobs/deliver-webhook.ts'

const isAnybodyListening = async (ctx: Ctx, event: WebhookEvent) =>
  (await listSubscribedWebhooks(ctx, event)).length > 0

export const notifyAccountCreated = {
  name: 'webhook-account-created',
  hasExternalEffects: true,
  async run(ctx: Ctx, { userId }: EventOf<'user.created'>) {
    if (!(await isAnybodyListening(ctx, 'account.created'))) return
    const accountId = await findUserAccount(ctx, userId, { created: true })
    if (accountId) await notifyWebhooks(ctx, 'account.created', accountId)
  },
}

/** Once somebody can use their account: confirmed and let in, whichever comes last. */
export const notifyAccountApproved = {
  name: 'webhook-account-approved',
  hasExternalEffects: true,
  async run(ctx: Ctx, { userId }: EventOf<'user.approved' | 'user.confirmed'>) {
    if (!(await isAnybodyListening(ctx, 'account.approved'))) return
    const accountId = await findUserAccount(ctx, userId, { created: false })
    if (accountId) await notifyWebhooks(ctx, 'account.approved', accountId)
  },
}

type AccountChange =
  | 'account.updated'
  | 'account.suspended'
  | 'account.unsuspended'
  | 'account.limits-changed'

export const notifyAccountUpdated = {
  name: 'webhook-account-updated',
  hasExternalEffects: true,
  async run(ctx: Ctx, { accountId }: EventOf<AccountChange>) {
    if (!(await isAnybodyListening(ctx, 'account.updated'))) return
    if (await isOwnAccount(ctx, accountId)) await notifyWebhooks(ctx, 'account.updated', accountId)
  },
}

export const notifyReportCreated = {
  name: 'webhook-report-created',
  hasExternalEffects: true,
  run: (ctx: Ctx, { reportId }: EventOf<'report.created'>) => notifyWebhooks(ctx, 'report.created', reportId),
}

export const notifyReportUpdated = {
  name: 'webhook-report-updated',
  hasExternalEffects: true,
  run: (ctx: Ctx, { reportId }: EventOf<'report.updated'>) => notifyWebhooks(ctx, 'report.updated', reportId),
}

export const notifyStatusCreated = {
  name: 'webhook-status-created',
  hasExternalEffects: true,
  async run(ctx: Ctx, { statusId, past }: EventOf<'status.created'>) {
    if (past || !(await isAnybodyListening(ctx, 'status.created'))) return
    if (await isOwnStatus(ctx, statusId)) await notifyWebhooks(ctx, 'status.created', statusId)
  },
}

export const notifyStatusUpdated = {
  name: 'webhook-status-updated',
  hasExternalEffects: true,
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId === null || !(await isAnybodyListening(ctx, 'status.updated'))) return
    if (await isOwnStatus(ctx, statusId)) await notifyWebhooks(ctx, 'status.updated', statusId)
  },
}
