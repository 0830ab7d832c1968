import { z } from 'zod'
import { cancelScheduled, reschedule } from '#domain/content/statuses/publish/schedule.ts'
import { listScheduled } from '#domain/content/statuses/publish/scheduled.ts'
import { pageOf, paging, pathId, text } from '#http/kit/params/fields.ts'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewScheduledStatus, viewScheduledStatuses } from '#views/content/scheduled-statuses.ts'
import type { ScheduledStatusId } from '#lib/id.ts'

const params = z.object({ id: pathId<ScheduledStatusId>() })
const read = ['read', 'read:statuses']
const write = ['write', 'write:statuses']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/scheduled_statuses',
    returns: listOf(ScheduledStatus),
    auth: 'user',
    scopes: read,
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params: asked }) {
      const page = await listScheduled(ctx, viewer.accountId, pageOf(asked))
      return listed(page, await viewScheduledStatuses(ctx, viewer, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/scheduled_statuses/:id',
    returns: ScheduledStatus,
    auth: 'user',
    scopes: read,
    params,
    handle: ({ ctx, viewer, params: { id } }) => viewScheduledStatus(ctx, viewer, id),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/scheduled_statuses/:id',
    returns: ScheduledStatus,
    auth: 'user',
    scopes: write,
    params: params.extend({ scheduled_at: text() }),
    async handle({ ctx, viewer, params: asked }) {
      await reschedule(ctx, viewer, asked.id, asked.scheduled_at)
      return viewScheduledStatus(ctx, viewer, asked.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/scheduled_statuses/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params,
    async handle({ ctx, viewer, params: { id } }) {
      await cancelScheduled(ctx, viewer, id)
      return {}
    },
  }),
]
