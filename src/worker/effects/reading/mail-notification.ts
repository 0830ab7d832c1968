import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { isNotificationMailKind } from '#domain/identity/accounts/mail-settings.ts'
import { findMailReader, notificationMailDelay } from '#domain/reading/notifications/notification-mail.ts'
import { bulkQueue } from '../identity/mail.ts'

/** Mails somebody who is not here what happened, a little later: whoever comes by meanwhile sees it anyway. */
export const mailNotification = {
  name: 'mail-notification',
  hasExternalEffects: true,
  async run(ctx: Ctx, { notificationId, kind }: EventOf<'notification.created'>) {
    if (!isNotificationMailKind(kind) || !(await findMailReader(ctx, notificationId))) return
    const runAt = new Date(ctx.clock.now() + notificationMailDelay)
    const key = `mail-notification:${notificationId}`
    const options = { key, runAt, maxAttempts: 16, queue: bulkQueue }
    await ctx.jobs.add('mail-notification', { notificationId }, options)
  },
}
