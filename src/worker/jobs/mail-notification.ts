import type { Ctx } from '#ports/ctx.ts'
import { findNotificationMail } from '#domain/reading/notifications/notification-mail.ts'
import { sendNotificationMail } from '../mails/send-mail.ts'
import type { NotificationId } from '#lib/id.ts'

/** Notifications that one person is mailed a day. The rest waits for their return, or for the digest. */
const maxPerDay = 30
const daySeconds = 86_400

/** Mails a notification to somebody who is still away and wants it. */
export async function mailNotificationNow(ctx: Ctx, notificationId: NotificationId): Promise<void> {
  const found = await findNotificationMail(ctx, notificationId)
  if (!found) return
  // Where counts cannot be reached nobody is kept from their mail, nor sent it twice.
  const count = (by: number) =>
    ctx.kv.increment(`news-mails:${found.to.userId}`, by, daySeconds).catch(() => 0)
  if ((await count(0)) >= maxPerDay) return
  await sendNotificationMail(ctx, found.to, found.notification)
  await count(1)
}
