import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { fanOutStatus } from '#domain/reading/timelines/fan-out.ts'
import { fanOutByTags } from '#domain/reading/timelines/home-feed.ts'
import { audienceOf } from '../content/status-audience.ts'
import { streamStatus } from './stream-status.ts'

/** Writes a new status into the home and list feeds it belongs to, and tells those who listen to them or in public. */
export const fanOut = {
  name: 'fan-out',
  async run(ctx: Ctx, event: EventOf<'status.created'>) {
    const audience = event.past ? null : await audienceOf(ctx, event)
    if (!audience) return
    await fanOutStatus(ctx, event.statusId, audience)
    await streamStatus(ctx, 'update', event.statusId)
  },
}

/** Writes an edited status into the home feeds that its new hashtags bring it to. */
export const fanOutTags = {
  name: 'fan-out-tags',
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId !== null) await fanOutByTags(ctx, statusId)
  },
}
