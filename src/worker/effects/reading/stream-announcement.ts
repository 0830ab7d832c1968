// Tells everybody's streams of announcements.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { announcementChannel } from '#lib/stream-channels.ts'
import { publish } from './stream.ts'

export const streamAnnouncement = {
  name: 'stream-announcement',
  async run(ctx: Ctx, event: EventOf<'announcement.published' | 'announcement.updated'>) {
    publish(ctx, announcementChannel, { event: 'announcement', id: event.announcementId })
  },
}

/** Of its reactions nothing is told: they go with it. */
export const streamAnnouncementGone = {
  name: 'stream-announcement-gone',
  async run(ctx: Ctx, event: EventOf<'announcement.deleted' | 'announcement.unpublished'>) {
    publish(ctx, announcementChannel, { event: 'announcement.delete', id: event.announcementId })
  },
}

export const streamReaction = {
  name: 'stream-reaction',
  async run(
    ctx: Ctx,
    { announcementId, name }: EventOf<'announcement-reaction.created' | 'announcement-reaction.deleted'>,
  ) {
    publish(ctx, announcementChannel, { event: 'announcement.reaction', id: announcementId, name })
  },
}
