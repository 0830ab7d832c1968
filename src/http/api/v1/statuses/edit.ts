import { z } from 'zod'
import { Status } from '#entities/status.ts'
import type { MediaAttributes } from '#domain/content/media/attributes.ts'
import { prepareEdit, type EditInput } from '#domain/content/statuses/edits/prepare-edit.ts'
import { saveEdit } from '#domain/content/statuses/edits/save-edit.ts'
import { id, objects, pathId, references, text, truthy, word } from '#http/kit/params/fields.ts'
import { replyPolicy, toReplyPolicy } from '#http/kit/params/reply-policy.ts'
import { route } from '#http/kit/route.ts'
import { viewStatus } from '#views/content/statuses.ts'
import { mediaParams } from '../media/params.ts'
import { pollInput, pollParams } from './poll-params.ts'
import type { MediaId, StatusId } from '#lib/id.ts'

const editParams = z.object({
  id: pathId<StatusId>(),
  status: text(),
  spoiler_text: text(),
  sensitive: truthy(),
  language: text(),
  media_ids: references<MediaId>(),
  media_attributes: objects(z.object({ id: id<MediaId>(), ...mediaParams })),
  poll: pollParams(),
  quote_approval_policy: word(['public', 'followers', 'nobody']),
  reply_approval_policy: replyPolicy(),
  content_type: text(),
})

type EditParams = z.output<typeof editParams>

export const routes = [
  route({
    method: 'PUT',
    path: '/api/v1/statuses/:id',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    uploads: 'thumbnail',
    params: editParams,
    async handle({ ctx, viewer, params, limits }) {
      const edit = await prepareEdit(ctx, viewer, params.id, toInput(params))
      if (edit) await limits.spend('statuses', () => saveEdit(ctx, edit))
      return viewStatus(ctx, viewer, params.id)
    },
  }),
]

function toInput(params: EditParams): EditInput {
  return {
    text: params.status ?? '',
    spoilerText: params.spoiler_text,
    sensitive: params.sensitive,
    language: params.language,
    mediaIds: params.media_ids,
    mediaAttributes: params.media_attributes?.flatMap(toAttributes),
    poll: pollInput(params.poll),
    quotePolicy: params.quote_approval_policy,
    replyPolicy: toReplyPolicy(params.reply_approval_policy),
    contentType: params.content_type,
  }
}

function toAttributes(given: NonNullable<EditParams['media_attributes']>[number]): MediaAttributes[] {
  const { id: mediaId, description, focus, thumbnail } = given
  return mediaId === undefined ? [] : [{ id: mediaId, description, focus, thumbnailPath: thumbnail?.path }]
}
