import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { MergedRequests, NotificationRequest } from '#entities/notification.ts'
import {
  acceptRequest,
  acceptRequests,
  dismissRequest,
  dismissRequests,
} from '#domain/reading/notifications/answer-requests.ts'
import { areMerged } from '#domain/reading/notifications/merge.ts'
import { getRequest, listRequests } from '#domain/reading/notifications/requests.ts'
import { ids, pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { fillPage } from '#views/reading/fill-page.ts'
import { viewRequest, viewRequests } from '#views/reading/notification-requests.ts'
import type { NotificationRequestId } from '#lib/id.ts'

const reads = { method: 'GET', auth: 'user', scopes: ['read', 'read:notifications'] } as const
const writes = { method: 'POST', auth: 'user', scopes: ['write', 'write:notifications'] } as const
const one = z.object({ id: pathId<NotificationRequestId>() })
const many = z.object({ id: ids<NotificationRequestId>() })

export const routes = [
  route({
    ...reads,
    path: '/api/v1/notifications/requests',
    returns: listOf(NotificationRequest),
    params: z.object(paging(40)),
    async handle({ ctx, viewer, params }) {
      const { page, view } = await fillPage(
        pageOf(params),
        (page) => listRequests(ctx, viewer.accountId, page),
        ({ items }) => viewRequests(ctx, viewer, items),
        (found) => found.length === 0,
      )
      return listed(page, view)
    },
  }),
  route({
    ...reads,
    path: '/api/v1/notifications/requests/merged',
    returns: MergedRequests,
    async handle({ ctx, viewer }) {
      return { merged: await areMerged(ctx, viewer.accountId) }
    },
  }),
  route({
    ...reads,
    path: '/api/v1/notifications/requests/:id',
    returns: NotificationRequest,
    params: one,
    async handle({ ctx, viewer, params }) {
      return viewRequest(ctx, viewer, await getRequest(ctx, viewer.accountId, params.id))
    },
  }),
  route({
    ...writes,
    path: '/api/v1/notifications/requests/accept',
    returns: Empty,
    params: many,
    async handle({ ctx, viewer, params }) {
      await acceptRequests(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    ...writes,
    path: '/api/v1/notifications/requests/dismiss',
    returns: Empty,
    params: many,
    async handle({ ctx, viewer, params }) {
      await dismissRequests(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    ...writes,
    path: '/api/v1/notifications/requests/:id/accept',
    returns: Empty,
    params: one,
    async handle({ ctx, viewer, params }) {
      await acceptRequest(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    ...writes,
    path: '/api/v1/notifications/requests/:id/dismiss',
    returns: Empty,
    params: one,
    async handle({ ctx, viewer, params }) {
      await dismissRequest(ctx, viewer, params.id)
      return {}
    },
  }),
]
