import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { GroupedNotificationsResults, UnreadCount } from '#entities/notification.ts'
import { readCursors } from '#domain/reading/notifications/earlier-ids.ts'
import { listGroups, listUnreadGroups } from '#domain/reading/notifications/groups.ts'
import { clearNotifications } from '#domain/reading/notifications/remove.ts'
import { limit, pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { fillPage } from '#views/reading/fill-page.ts'
import { viewGroups } from '#views/reading/notification-groups.ts'
import { viewUnreadCount } from '#views/reading/unread-count.ts'
import { filterParams, supportedParam } from '../../v1/notifications/params.ts'
import { expandParam, groupFilterOf, groupedParam } from './params.ts'

const scopes = ['read', 'read:notifications']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/notifications',
    returns: GroupedNotificationsResults,
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({
      ...paging(40),
      ...filterParams,
      ...groupedParam,
      ...expandParam,
      ...supportedParam,
    }),
    async handle({ ctx, viewer, params }) {
      const filter = groupFilterOf(params)
      const options = { supportedTypes: params.supported_types, expandAccounts: params.expand_accounts }
      const { page, view } = await fillPage(
        await readCursors(ctx, pageOf(params)),
        (page) => listGroups(ctx, viewer, filter, page),
        ({ items }) => viewGroups(ctx, viewer, items, options),
        (found) => found.notification_groups.length === 0,
      )
      return listed(page, view)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v2/notifications/unread_count',
    returns: UnreadCount,
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({ limit: limit(100, 1000), ...filterParams, ...groupedParam }),
    async handle({ ctx, viewer, params }) {
      const unread = await listUnreadGroups(ctx, viewer, groupFilterOf(params), params.limit)
      return viewUnreadCount(ctx, viewer, unread)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v2/notifications/clear',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    async handle({ ctx, viewer }) {
      await clearNotifications(ctx, viewer)
      return {}
    },
  }),
]
