// Tells other servers of local accounts, and of reports about theirs.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  deliverAccountDelete,
  deliverMove,
  deliverProfile,
  deliverReport,
} from '#federation/outbox/accounts.ts'

export const deliverProfileChange = {
  name: 'deliver-profile-change',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'account.updated' | 'account.suspended' | 'account.unsuspended'>) =>
    deliverProfile(ctx, event.accountId),
} as const

export const deliverFarewell = {
  name: 'deliver-farewell',
  hasExternalEffects: true,
  run: (ctx: Ctx, { accountId }: EventOf<'account.deleted'>) => deliverAccountDelete(ctx, accountId),
} as const

export const deliverAccountMove = {
  name: 'deliver-account-move',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'account.moved'>) => deliverMove(ctx, event),
} as const

export const forwardReport = {
  name: 'forward-report',
  hasExternalEffects: true,
  run: (ctx: Ctx, { reportId }: EventOf<'report.created'>) => deliverReport(ctx, reportId),
} as const
