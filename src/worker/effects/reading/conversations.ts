// What direct statuses do to conversations. New ones come in with the notifications: see notify-status and notify-edit.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeBlockedConversations, removeFromConversations } from '#domain/reading/conversations/remove.ts'

/** Takes a deleted status out of conversations. */
export const removeOfConversations = {
  name: 'remove-of-conversations',
  run: (ctx: Ctx, event: EventOf<'status.deleted'>) => removeFromConversations(ctx, event.statusId),
}

/** Ends conversations with a blocked account. */
export const removeBlockedOfConversations = {
  name: 'remove-blocked-of-conversations',
  run: (ctx: Ctx, event: EventOf<'block.created'>) => removeBlockedConversations(ctx, event),
}
