import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { readTag } from '#domain/reading/timelines/public.ts'
import { pageOf, paging, texts, truthy } from '#http/kit/params/fields.ts'
import { assertPreview } from '#http/kit/preview.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewSeen } from '#views/content/statuses.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/tag/:hashtag',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    shared: ['settings', 'account'],
    params: z.object({
      hashtag: z.string(),
      any: texts(),
      all: texts(),
      none: texts(),
      local: truthy(),
      remote: truthy(),
      only_media: truthy(),
      ...paging(20),
    }),
    async handle({ ctx, viewer, params }) {
      await assertPreview(ctx, viewer, 'topic', params)
      const { any, all, none, local, remote } = params
      const options = { any, all, none, local, remote, onlyMedia: params.only_media }
      const page = await readTag(ctx, viewer, { name: params.hashtag, options }, pageOf(params))
      return listed(page, await viewSeen(ctx, viewer, page))
    },
  }),
]
