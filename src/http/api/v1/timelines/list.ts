import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { listListStatuses } from '#domain/reading/timelines/list-feed.ts'
import type { PageRequest } from '#lib/page.ts'
import { pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewHomePage } from '#views/reading/home-page.ts'
import type { ListId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/list/:id',
    returns: listOf(Status),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:lists'],
    params: z.object({ id: pathId<ListId>(), ...paging(20) }),
    async handle({ ctx, viewer, params }) {
      const list = (page: PageRequest) => listListStatuses(ctx, viewer, params.id, page)
      const page = await viewHomePage(ctx, viewer, list, pageOf(params))
      return listed(page, page.items)
    },
  }),
]
