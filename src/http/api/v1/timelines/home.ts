import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { listHome } from '#domain/reading/timelines/home-feed.ts'
import type { PageRequest } from '#lib/page.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewHomePage } from '#views/reading/home-page.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/home',
    returns: listOf(Status),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const list = (page: PageRequest) => listHome(ctx, viewer.accountId, page)
      const page = await viewHomePage(ctx, viewer, list, pageOf(params))
      return listed(page, page.items)
    },
  }),
]
