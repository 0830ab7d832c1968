import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeFromHomes } from '#domain/timelines/remove-status.ts'

/** Takes a deleted status or boost out of all home feeds. */
export const removeStatus = {
  name: 'remove-status',
  run: (ctx: Ctx, event: EventOf<'status.deleted'>) => removeFromHomes(ctx, event.statusId),
}
