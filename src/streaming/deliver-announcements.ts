// Announcements go to everybody who listens to their own stream.
import type { Ctx } from '#ports/ctx.ts'
import type { AnnouncementMessage } from '#lib/stream-channels.ts'
import { viewAnnouncementForAll, viewReactionForAll } from '#views/reading/announcements.ts'
import { send } from './connection.ts'
import type { Hub } from './hub.ts'
import { createOutgoing } from './outgoing.ts'

export async function deliverAnnouncements(
  ctx: Ctx,
  hub: Hub,
  messages: readonly AnnouncementMessage[],
): Promise<void> {
  for (const message of messages) {
    const payload = await payloadOf(ctx, message)
    if (payload === null) continue
    const outgoing = createOutgoing(message.event, payload)
    for (const topic of hub.topics.values()) {
      if (topic.kind !== 'user') continue
      for (const [connection, label] of topic.followers) send(connection, outgoing, label)
    }
  }
}

async function payloadOf(ctx: Ctx, message: AnnouncementMessage): Promise<string | null> {
  if (message.event === 'announcement.delete') return message.id
  const view =
    message.event === 'announcement'
      ? await viewAnnouncementForAll(ctx, message.id)
      : await viewReactionForAll(ctx, message.id, message.name)
  return view && JSON.stringify(view)
}
