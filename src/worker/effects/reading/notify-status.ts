import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { addToConversations } from '#domain/reading/conversations/add-status.ts'
import { notifyOfStatus } from '#domain/reading/notifications/notify.ts'
import { audienceOf } from '../content/status-audience.ts'

/** Notifies those a new status concerns. A direct one goes into the conversations of those who were told, so after that. */
export const notifyStatus = {
  name: 'notify-status',
  async run(ctx: Ctx, event: EventOf<'status.created'>) {
    const audience = event.past ? null : await audienceOf(ctx, event)
    if (audience?.concerns) await notifyOfStatus(ctx, event.statusId)
    if (audience?.direct) await addToConversations(ctx, event.statusId)
  },
}
