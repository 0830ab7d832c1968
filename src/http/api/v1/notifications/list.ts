import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { Notification, UnreadCount } from '#entities/notification.ts'
import { readCursors } from '#domain/reading/notifications/earlier-ids.ts'
import { listNotifications, listUnreadSubjects } from '#domain/reading/notifications/queries.ts'
import { clearNotifications } from '#domain/reading/notifications/remove.ts'
import { limit, pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { fillPage } from '#views/reading/fill-page.ts'
import { viewNotifications } from '#views/reading/notifications.ts'
import { viewUnreadCount } from '#views/reading/unread-count.ts'
import { filterOf, filterParams, supportedParam } from './params.ts'

const scopes = ['read', 'read:notifications']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/notifications',
    returns: listOf(Notification),
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({ ...paging(40), ...filterParams, ...supportedParam }),
    async handle({ ctx, viewer, params }) {
      const filter = filterOf(params)
      const options = { supportedTypes: params.supported_types }
      const { page, view } = await fillPage(
        await readCursors(ctx, pageOf(params)),
        (page) => listNotifications(ctx, viewer, filter, page),
        ({ items, states }) => viewNotifications(ctx, viewer, items, { ...options, states }),
        (found) => found.length === 0,
      )
      return listed(page, view)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/notifications/unread_count',
    returns: UnreadCount,
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({ limit: limit(100, 1000), ...filterParams }),
    async handle({ ctx, viewer, params }) {
      const unread = await listUnreadSubjects(ctx, viewer, filterOf(params), params.limit)
      return viewUnreadCount(ctx, viewer, unread)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/notifications/clear',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    async handle({ ctx, viewer }) {
      await clearNotifications(ctx, viewer)
      return {}
    },
  }),
]
