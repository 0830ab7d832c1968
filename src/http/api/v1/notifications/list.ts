import { z } from 'zod'
import {
  countUnreadNotifications,
  getNotification,
  listNotifications,
} from '#domain/notifications/queries.ts'
import { limit, pageOf, paging, pathId } from '#http/kit/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewNotification, viewNotifications } from '#views/notifications.ts'
import { filterOf, filterParams } from './params.ts'

const scopes = ['read', 'read:notifications']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/notifications',
    auth: 'user',
    scopes,
    params: z.object({ ...paging(40), ...filterParams }),
    async handle({ ctx, viewer, params }) {
      const page = await listNotifications(ctx, viewer.accountId, filterOf(params), pageOf(params))
      return listed(page, await viewNotifications(ctx, viewer, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/notifications/unread_count',
    auth: 'user',
    scopes,
    params: z.object({ limit: limit(100, 1000), ...filterParams }),
    async handle({ ctx, viewer, params }) {
      return { count: await countUnreadNotifications(ctx, viewer.accountId, filterOf(params), params.limit) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/notifications/:id',
    auth: 'user',
    scopes,
    params: z.object({ id: pathId() }),
    async handle({ ctx, viewer, params }) {
      return viewNotification(ctx, viewer, await getNotification(ctx, viewer.accountId, params.id))
    },
  }),
]
