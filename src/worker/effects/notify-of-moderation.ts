import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  notifyOfReport,
  notifyOfSeverance,
  notifyOfSignUp,
} from '#domain/notifications/notify-of-moderation.ts'

/** Tells staff of somebody new. */
export const notifySignUp = {
  name: 'notify-sign-up',
  run: (ctx: Ctx, event: EventOf<'user.confirmed' | 'user.approved'>) => notifyOfSignUp(ctx, event.userId),
}

/** Tells staff of a report. */
export const notifyReport = {
  name: 'notify-report',
  run: (ctx: Ctx, event: EventOf<'report.created'>) => notifyOfReport(ctx, event.reportId),
}

/** Tells people of follows that ended without their doing. */
export const notifySeverance = {
  name: 'notify-severance',
  run: (ctx: Ctx, event: EventOf<'relationships.severed'>) => notifyOfSeverance(ctx, event.eventId),
}
