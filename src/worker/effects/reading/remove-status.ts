import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeFromHomes, removeFromLists } from '#domain/reading/timelines/remove-status.ts'

/** Takes a deleted status or boost out of all home and list feeds. */
export const removeStatus = {
  name: 'remove-status',
  async run(ctx: Ctx, event: EventOf<'status.deleted'>) {
    await removeFromHomes(ctx, event.statusId)
    await removeFromLists(ctx, event.statusId)
  },
}
