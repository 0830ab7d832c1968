import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { addToConversations } from '#domain/conversations/add-status.ts'
import { notifyOfStatus } from '#domain/notifications/notify.ts'

/** Notifies those a new status concerns. A direct one goes into the conversations of those who were told, so after that. */
export const notifyStatus = {
  name: 'notify-status',
  async run(ctx: Ctx, { statusId, past }: EventOf<'status.created'>) {
    if (past) return
    await notifyOfStatus(ctx, statusId)
    await addToConversations(ctx, statusId)
  },
}
