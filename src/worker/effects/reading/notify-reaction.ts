import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfReaction } from '#domain/reading/notifications/notify.ts'

/** Notifies the author of a reaction. When it is taken back the notification goes with its row. */
export const notifyReaction = {
  name: 'notify-reaction',
  run: (ctx: Ctx, event: EventOf<'reaction.created'>) => notifyOfReaction(ctx, event.reactionId),
}
