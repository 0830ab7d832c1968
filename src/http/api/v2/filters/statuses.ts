import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { FilterStatus } from '#entities/filter.ts'
import { getFilter, getFilterStatus } from '#domain/reading/filters/queries.ts'
import { addFilterStatus, deleteFilterStatus } from '#domain/reading/filters/statuses.ts'
import { id, pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderFilterStatus } from '#views/content/filters.ts'
import { noId, type FilterId, type FilterStatusId, type StatusId } from '#lib/id.ts'

const read = ['read', 'read:filters']
const write = ['write', 'write:filters']
const byId = z.object({ id: pathId<FilterStatusId>() })
const ofFilter = { filter_id: pathId<FilterId>() }

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/filters/:filter_id/statuses',
    returns: listOf(FilterStatus),
    auth: 'user',
    scopes: read,
    params: z.object(ofFilter),
    async handle({ ctx, viewer, params }) {
      const { statuses } = await getFilter(ctx, viewer.accountId, params.filter_id)
      return statuses.map(renderFilterStatus)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v2/filters/:filter_id/statuses',
    returns: FilterStatus,
    auth: 'user',
    scopes: write,
    params: z.object({ ...ofFilter, status_id: id<StatusId>() }),
    async handle({ ctx, viewer, params: { filter_id, status_id = noId<StatusId>() } }) {
      return renderFilterStatus(await addFilterStatus(ctx, viewer, filter_id, status_id))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v2/filters/statuses/:id',
    returns: FilterStatus,
    auth: 'user',
    scopes: read,
    params: byId,
    async handle({ ctx, viewer, params }) {
      return renderFilterStatus(await getFilterStatus(ctx, viewer.accountId, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v2/filters/statuses/:id',
    returns: FilterStatus,
    auth: 'user',
    scopes: write,
    params: byId,
    async handle({ ctx, viewer, params }) {
      return renderFilterStatus(await deleteFilterStatus(ctx, viewer, params.id))
    },
  }),
]
