// What direct statuses do to conversations. New ones come in with the notifications: see notify-status and notify-edit.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeBlockedConversations, removeFromConversations } from '#domain/reading/conversations/remove.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

const remove = createBatchLoader<Ctx, StatusId, void>({
  max: 50,
  run: (ctx, ids) => removeFromConversations(ctx, ids),
})

/** Takes a deleted status out of conversations. */
export const removeOfConversations = {
  name: 'remove-of-conversations',
  run: (ctx: Ctx, event: EventOf<'status.deleted'>) => remove(ctx, event.statusId),
}

/** Ends conversations with a blocked account. */
export const removeBlockedOfConversations = {
  name: 'remove-blocked-of-conversations',
  run: (ctx: Ctx, event: EventOf<'block.created'>) => removeBlockedConversations(ctx, event),
}
