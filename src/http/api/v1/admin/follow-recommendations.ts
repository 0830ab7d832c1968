import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminRecommendation } from '#entities/admin/account.ts'
import { Empty } from '#entities/empty.ts'
import {
  listRecommendations,
  suppressRecommendation,
  unsuppressRecommendation,
} from '#domain/reading/suggestions/suppress.ts'
import { limit, offset, pathId, word } from '#http/kit/params/fields.ts'
import { offsetLink } from '#http/kit/paging.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewRecommendations } from '#views/reading/suggestions.ts'
import type { AccountId } from '#lib/id.ts'

const one = z.object({ id: pathId<AccountId>() })
const staff = { auth: 'user', permission: 'manage_taxonomies' } as const

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/follow_recommendations',
    returns: listOf(AdminRecommendation),
    ...staff,
    scopes: ['admin:read'],
    params: z.object({ limit: limit(100), offset: offset(), status: word(['suppressed']) }),
    async handle({ ctx, params, request }) {
      const found = await listRecommendations(ctx, { ...params, suppressed: params.status === 'suppressed' })
      const urls = { baseUrl: ctx.config.baseUrl, requestUrl: request.url }
      return reply(200, await viewRecommendations(ctx, found), offsetLink(urls, params, found.length))
    },
  }),
  // The id is that of the account.
  route({
    method: 'POST',
    path: '/api/v1/admin/follow_recommendations/:id/suppress',
    returns: Empty,
    ...staff,
    scopes: ['admin:write'],
    params: one,
    async handle({ ctx, viewer, params }) {
      await suppressRecommendation(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/follow_recommendations/:id/unsuppress',
    returns: Empty,
    ...staff,
    scopes: ['admin:write'],
    params: one,
    async handle({ ctx, viewer, params }) {
      await unsuppressRecommendation(ctx, viewer, params.id)
      return {}
    },
  }),
]
