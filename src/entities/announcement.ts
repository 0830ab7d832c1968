import { z } from 'zod'
import { CustomEmoji, Reaction, reactions } from './emoji.ts'
import {
  count,
  entity,
  extending,
  flag,
  id,
  text,
  time,
  timeOrNull,
  url,
  type Json,
  type Schema,
} from './entity.ts'
import { StatusMention, StatusTag } from './status.ts'

/** https://docs.joinmastodon.org/entities/Announcement/ */
const announcement = entity('Announcement', {
  id,
  content: text,
  starts_at: timeOrNull,
  ends_at: timeOrNull,
  all_day: flag,
  published_at: time,
  updated_at: time,
  /** Not there where everybody is told the same. */
  read: flag.optional(),
  mentions: z.array(StatusMention),
  statuses: z.array(z.strictObject({ id, url })),
  tags: z.array(StatusTag),
  emojis: z.array(CustomEmoji),
  reactions,
})
export interface Announcement extends Json<typeof announcement> {}
export const Announcement: Schema<Announcement> = announcement

/** https://docs.joinmastodon.org/methods/streaming/#events: what `announcement.reaction` tells. */
const announcementReaction = extending('AnnouncementReaction', Reaction, { count, announcement_id: id })
export interface AnnouncementReaction extends Json<typeof announcementReaction> {}
export const AnnouncementReaction: Schema<AnnouncementReaction> = announcementReaction
