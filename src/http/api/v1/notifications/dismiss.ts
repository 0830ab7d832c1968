import { z } from 'zod'
import { clearNotifications, dismissNotification } from '#domain/notifications/remove.ts'
import { pathId } from '#http/kit/fields.ts'
import { route } from '#http/kit/route.ts'

const scopes = ['write', 'write:notifications']

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/notifications/clear',
    auth: 'user',
    scopes,
    async handle({ ctx, viewer }) {
      await clearNotifications(ctx, viewer)
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/notifications/:id/dismiss',
    auth: 'user',
    scopes,
    params: z.object({ id: pathId() }),
    async handle({ ctx, viewer, params }) {
      await dismissNotification(ctx, viewer, params.id)
      return {}
    },
  }),
]
