import { z } from 'zod'
import { CustomEmoji, Reaction, reactions } from './emoji.ts'
import { count, entity, flag, id, text, time, timeOrNull, url, type Json } from './entity.ts'
import { StatusMention, StatusTag } from './status.ts'

/** https://docs.joinmastodon.org/entities/Announcement/ */
export const Announcement = entity('Announcement', {
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
export interface Announcement extends Json<typeof Announcement> {}

/** https://docs.joinmastodon.org/methods/streaming/#events: what `announcement.reaction` tells. */
export const AnnouncementReaction = entity('AnnouncementReaction', {
  ...Reaction.shape,
  count,
  announcement_id: id,
})
export interface AnnouncementReaction extends Json<typeof AnnouncementReaction> {}
