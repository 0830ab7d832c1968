import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { listWithCards } from '#domain/reading/timelines/public.ts'
import { findTrendingLink } from '#domain/reading/trends/queries.ts'
import { notFound } from '#lib/errors.ts'
import { pageOf, paging, text } from '#http/kit/params/fields.ts'
import { assertPreview } from '#http/kit/preview.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStatuses } from '#views/content/statuses.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/link',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    shared: ['settings', 'account'],
    params: z.object({ ...paging(20), url: text() }),
    async handle({ ctx, viewer, params }) {
      await assertPreview(ctx, viewer, 'topic')
      const cards = params.url === undefined ? null : await findTrendingLink(ctx, params.url)
      if (!cards) throw notFound()
      const page = await listWithCards(ctx, viewer, cards, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items))
    },
  }),
]
