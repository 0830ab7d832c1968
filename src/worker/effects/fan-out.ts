import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { fanOutByTags, fanOutHome } from '#domain/timelines/home-feed.ts'

/** Writes a new status into the home feeds it belongs to. */
export const fanOut = {
  name: 'fan-out',
  run: (ctx: Ctx, event: EventOf<'status.created'>) => fanOutHome(ctx, event.statusId),
}

/** Writes an edited status into the home feeds that its new hashtags bring it to. */
export const fanOutTags = {
  name: 'fan-out-tags',
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId !== null) await fanOutByTags(ctx, statusId)
  },
}
