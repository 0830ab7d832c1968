import { z } from 'zod'
import { listHome } from '#domain/timelines/home-feed.ts'
import { pageOf, paging } from '#http/kit/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStatuses } from '#views/statuses.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/home',
    auth: 'user',
    scopes: ['read', 'read:statuses'],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const page = await listHome(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items))
    },
  }),
]
