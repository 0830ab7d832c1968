import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfStatus } from '#domain/notifications/notify.ts'

/** Notifies those a new status concerns. */
export const notifyStatus = {
  name: 'notify-status',
  run: (ctx: Ctx, event: EventOf<'status.created'>) => notifyOfStatus(ctx, event.statusId),
}
