import { Announcement, AnnouncementReaction } from '#entities/announcement.ts'
import { Conversation } from '#entities/conversation.ts'
import type { Schema } from '#entities/entity.ts'
import { Draft } from '#entities/personal/draft.ts'
import { Markers } from '#entities/marker.ts'
import { Notification } from '#entities/notification.ts'
import { Status } from '#entities/status.ts'
import { problemsOf } from './returned.ts'

/** The entity that an event tells (https://docs.joinmastodon.org/methods/streaming/#events); others tell an id, or nothing. */
const told: Readonly<Record<string, Schema<unknown>>> = {
  update: Status,
  'status.update': Status,
  notification: Notification,
  conversation: Conversation,
  announcement: Announcement,
  'announcement.reaction': AnnouncementReaction,
  marker: Markers,
  draft: Draft,
}

/** Throws where the payload of an event is not the entity that it tells. */
export function assertStreamed(event: string, payload: unknown): void {
  const schema = told[event]
  const problems = schema ? problemsOf(schema, payload) : []
  if (problems.length > 0) throw new Error(`the event ${event} is told otherwise:\n${problems.join('\n')}`)
}
