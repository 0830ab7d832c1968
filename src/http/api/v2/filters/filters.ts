import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { Filter } from '#entities/filter.ts'
import { getFilter, listFilters } from '#domain/reading/filters/queries.ts'
import { createFilter, deleteFilter, updateFilter } from '#domain/reading/filters/write-filter.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderFilter } from '#views/content/filters.ts'
import { filterChangeOf, filterParams } from './params.ts'
import type { FilterId } from '#lib/id.ts'

const read = ['read', 'read:filters']
const write = ['write', 'write:filters']
const byId = z.object({ id: pathId<FilterId>() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/filters',
    returns: listOf(Filter),
    auth: 'user',
    scopes: read,
    async handle({ ctx, viewer }) {
      return (await listFilters(ctx, viewer.accountId)).map(renderFilter)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v2/filters',
    returns: Filter,
    auth: 'user',
    scopes: write,
    params: z.object(filterParams),
    async handle({ ctx, viewer, params }) {
      return renderFilter(await createFilter(ctx, viewer, filterChangeOf(params)))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v2/filters/:id',
    returns: Filter,
    auth: 'user',
    scopes: read,
    params: byId,
    async handle({ ctx, viewer, params }) {
      return renderFilter(await getFilter(ctx, viewer.accountId, params.id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v2/filters/:id',
    returns: Filter,
    auth: 'user',
    scopes: write,
    params: z.object({ id: pathId<FilterId>(), ...filterParams }),
    async handle({ ctx, viewer, params }) {
      return renderFilter(await updateFilter(ctx, viewer, params.id, filterChangeOf(params)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v2/filters/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: byId,
    async handle({ ctx, viewer, params }) {
      await deleteFilter(ctx, viewer, params.id)
      return {}
    },
  }),
]
