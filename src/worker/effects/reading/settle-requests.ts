import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { addAcceptedToConversations } from '#domain/reading/conversations/add-status.ts'
import { deleteDismissed, mergeAccepted } from '#domain/reading/notifications/answer-requests.ts'

/** Brings what was set aside of an accepted sender into the list, and into conversations. */
export const mergeNotifications = {
  name: 'merge-notifications',
  async run(ctx: Ctx, event: EventOf<'notification-request.accepted'>) {
    await mergeAccepted(ctx, event)
    await addAcceptedToConversations(ctx, event)
  },
}

/** Throws away what was set aside of a dismissed sender. */
export const deleteDismissedNotifications = {
  name: 'delete-dismissed',
  run: (ctx: Ctx, event: EventOf<'notification-request.dismissed'>) => deleteDismissed(ctx, event),
}
