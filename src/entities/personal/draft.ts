import { z } from 'zod'
import {
  count,
  entity,
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
 * A post, or a thread of several, that is being written: an extension. A post has what `POST /api/v1/statuses` takes, under
 * the same names; null: that is not chosen yet. `in_reply_to_id`: what the first one answers; each further one answers the
 * one before it. `version` rises with each change.
 */
const draft = entity('Draft', {
  id,
  version: count,
  in_reply_to_id: idOrNull,
  posts: z.array(
    entity('DraftPost', {
      status: text,
      spoiler_text: text,
      visibility: z.enum(['public', 'unlisted', 'private', 'direct']).nullable(),
      sensitive: flagOrNull,
      language: textOrNull,
      media_ids: ids,
      media_attachments: z.array(MediaAttachment),
      poll: askedPoll.nullable(),
      quoted_status_id: idOrNull,
      quote_approval_policy: z.enum(['public', 'followers', 'nobody']).nullable(),
      reply_approval_policy: z.enum(['public', 'followers', 'following', 'mentioned']).nullable(),
      content_type: textOrNull,
      local_only: flagOrNull,
    }),
  ),
  created_at: time,
  updated_at: time,
})
export interface Draft extends Json<typeof draft> {}
export const Draft: Schema<Draft> = draft
