import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { fanOutHome } from '#domain/timelines/home-feed.ts'

/** Writes a new status into the home feeds it belongs to. */
export const fanOut = {
  name: 'fan-out',
  run: (ctx: Ctx, event: EventOf<'status.created'>) => fanOutHome(ctx, event.statusId),
}
