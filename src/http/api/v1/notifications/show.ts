import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { Notification } from '#entities/notification.ts'
import { getNotification } from '#domain/reading/notifications/queries.ts'
import { dismissNotification } from '#domain/reading/notifications/remove.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewNotification } from '#views/reading/notifications.ts'
import { supportedParam } from './params.ts'
import type { NotificationId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/notifications/:id',
    returns: Notification,
    auth: 'user',
    scopes: ['read', 'read:notifications'],
    params: z.object({ id: pathId<NotificationId>(), ...supportedParam }),
    async handle({ ctx, viewer, params }) {
      const row = await getNotification(ctx, viewer, params.id)
      return viewNotification(ctx, viewer, row, { supportedTypes: params.supported_types })
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/notifications/:id/dismiss',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    params: z.object({ id: pathId<NotificationId>() }),
    async handle({ ctx, viewer, params }) {
      await dismissNotification(ctx, viewer, params.id)
      return {}
    },
  }),
]
