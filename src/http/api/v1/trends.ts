import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { TrendsLink } from '#entities/preview-card.ts'
import { Status } from '#entities/status.ts'
import { Tag } from '#entities/tag.ts'
import { listTrendingLinks, listTrendingStatuses, listTrendingTags } from '#domain/reading/trends/queries.ts'
import { limit, offset } from '#http/kit/params/fields.ts'
import { offsetLink, urlsOf } from '#http/kit/paging.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { viewTags } from '#views/content/tags.ts'
import { viewTrendingLinks } from '#views/reading/trends.ts'

const ranked = (standard: number) => z.object({ limit: limit(standard), offset: offset() })

/** The first one is the older name. */
const tagPaths = ['/api/v1/trends', '/api/v1/trends/tags'] as const

export const routes = [
  ...tagPaths.map((path) =>
    route({
      method: 'GET',
      path,
      returns: listOf(Tag),
      auth: 'optional',
      replicated: true,
      caching: 'anonymous',
      params: ranked(10),
      async handle({ ctx, viewer, params, request }) {
        const tags = await listTrendingTags(ctx, viewer, params)
        const link = offsetLink(urlsOf(ctx, request), params, tags.length)
        return reply(200, await viewTags(ctx, viewer, tags), link)
      },
    }),
  ),
  route({
    method: 'GET',
    path: '/api/v1/trends/links',
    returns: listOf(TrendsLink),
    auth: 'optional',
    replicated: true,
    caching: 'anonymous',
    params: ranked(10),
    async handle({ ctx, viewer, params, request }) {
      const ids = await listTrendingLinks(ctx, viewer, params)
      const link = offsetLink(urlsOf(ctx, request), params, ids.length)
      return reply(200, await viewTrendingLinks(ctx, ids), link)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/trends/statuses',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    caching: 'anonymous',
    params: ranked(20),
    async handle({ ctx, viewer, params, request }) {
      const ids = await listTrendingStatuses(ctx, viewer, params)
      const link = offsetLink(urlsOf(ctx, request), params, ids.length)
      return reply(200, await viewStatuses(ctx, viewer, ids), link)
    },
  }),
]
