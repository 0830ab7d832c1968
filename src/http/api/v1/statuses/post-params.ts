// What a post is asked for with, be it published, scheduled or kept as a draft.
import type { z } from 'zod'
import type { DraftPost } from '#domain/content/statuses/drafts/queries.ts'
import { reference, references, text, truthy, word } from '#http/kit/params/fields.ts'
import { replyPolicy, toReplyPolicy } from '#http/kit/params/reply-policy.ts'
import { pollInput, pollParams } from './poll-params.ts'
import type { MediaId, StatusId } from '#lib/id.ts'

export const postFields = () => ({
  status: text(),
  spoiler_text: text(),
  visibility: word(['public', 'unlisted', 'private', 'direct']),
  sensitive: truthy(),
  language: text(),
  media_ids: references<MediaId>(),
  poll: pollParams(),
  quoted_status_id: reference<StatusId>(),
  quote_approval_policy: word(['public', 'followers', 'nobody']),
  reply_approval_policy: replyPolicy(),
  content_type: text(),
  local_only: truthy(),
})

type PostParams = z.output<z.ZodObject<ReturnType<typeof postFields>>>

export function toPost(params: PostParams): DraftPost {
  return {
    text: params.status ?? '',
    spoilerText: params.spoiler_text,
    visibility: params.visibility,
    sensitive: params.sensitive,
    language: params.language,
    mediaIds: params.media_ids,
    poll: pollInput(params.poll),
    quotedStatusId: params.quoted_status_id,
    quotePolicy: params.quote_approval_policy,
    replyPolicy: toReplyPolicy(params.reply_approval_policy),
    contentType: params.content_type,
    localOnly: params.local_only,
  }
}
