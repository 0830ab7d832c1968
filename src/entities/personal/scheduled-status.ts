import { z } from 'zod'
import {
  entity,
  flag,
  flagOrNull,
  id,
  idOrNull,
  ids,
  text,
  textOrNull,
  time,
  type Json,
  type Schema,
} from '../entity.ts'
import { askedPoll } from './asked-poll.ts'
import { MediaAttachment } from '../media-attachment.ts'

/**
 * https://docs.joinmastodon.org/entities/ScheduledStatus/: one that could not be published says so in `failed_at` and
 * `error`, which are an extension.
 */
const scheduledStatus = entity('ScheduledStatus', {
  id,
  scheduled_at: time,
  params: entity('ScheduledStatusParams', {
    text,
    poll: askedPoll.nullable(),
    media_ids: ids.nullable(),
    sensitive: flagOrNull,
    spoiler_text: textOrNull,
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
    in_reply_to_id: idOrNull,
    language: textOrNull,
    application_id: idOrNull,
    quoted_status_id: idOrNull,
    quote_approval_policy: z.enum(['public', 'followers', 'nobody']),
    /** An extension: not there where all who see it may answer. */
    reply_approval_policy: z.enum(['followers', 'following', 'mentioned']).optional(),
    allowed_mentions: ids.nullable(),
    content_type: text.optional(),
    local_only: flag.optional(),
    scheduled_at: z.null(),
    idempotency: z.null(),
    with_rate_limit: z.literal(false),
  }),
  media_attachments: z.array(MediaAttachment),
  failed_at: time.optional(),
  error: textOrNull.optional(),
})
export interface ScheduledStatus extends Json<typeof scheduledStatus> {}
export const ScheduledStatus: Schema<ScheduledStatus> = scheduledStatus
