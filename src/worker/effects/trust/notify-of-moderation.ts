import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { findWarned } from '#domain/trust/moderation/warnings.ts'
import {
  notifyOfReport,
  notifyOfSeverance,
  notifyOfSignUp,
  notifyOfWarning,
} from '#domain/reading/notifications/notify-of-moderation.ts'
import { sendRequested } from '#worker/mails/send-mail.ts'

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

/** Tells somebody of what staff decided about their account. */
export const notifyWarning = {
  name: 'notify-warning',
  run: (ctx: Ctx, event: EventOf<'warning.created'>) => notifyOfWarning(ctx, event.warningId),
}

/** The same by mail, which reaches them also when they can no longer sign in. */
export const mailWarning = {
  name: 'mail-warning',
  hasExternalEffects: true,
  slow: true,
  async run(ctx: Ctx, { warningId, mail }: EventOf<'warning.created'>) {
    const user = mail ? await findWarned(ctx, warningId) : null
    if (user) await sendRequested(ctx, { kind: 'warning', userId: user.id, to: user.email, warningId })
  },
}
