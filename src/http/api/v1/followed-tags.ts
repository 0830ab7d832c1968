import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Tag } from '#entities/tag.ts'
import { listFollowedTags } from '#domain/content/tags/queries.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewTags } from '#views/content/tags.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/followed_tags',
    returns: listOf(Tag),
    auth: 'user',
    replicated: true,
    scopes: ['follow', 'read', 'read:follows'],
    params: z.object(paging(100)),
    async handle({ ctx, viewer, params }) {
      const page = await listFollowedTags(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewTags(ctx, viewer, page.items), 'since_id')
    },
  }),
]
