import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { FilterKeyword } from '#entities/filter.ts'
import { addKeyword, deleteKeyword, updateKeyword } from '#domain/reading/filters/keywords.ts'
import { getFilter, getKeyword } from '#domain/reading/filters/queries.ts'
import { pathId, text, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderFilterKeyword } from '#views/content/filters.ts'
import type { FilterId, FilterKeywordId } from '#lib/id.ts'

const read = ['read', 'read:filters']
const write = ['write', 'write:filters']
const byId = z.object({ id: pathId<FilterKeywordId>() })
const ofFilter = { filter_id: pathId<FilterId>() }
const fields = { keyword: text(), whole_word: truthy() }

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/filters/:filter_id/keywords',
    returns: listOf(FilterKeyword),
    auth: 'user',
    scopes: read,
    params: z.object(ofFilter),
    async handle({ ctx, viewer, params }) {
      const { keywords } = await getFilter(ctx, viewer.accountId, params.filter_id)
      return keywords.map(renderFilterKeyword)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v2/filters/:filter_id/keywords',
    returns: FilterKeyword,
    auth: 'user',
    scopes: write,
    params: z.object({ ...ofFilter, ...fields }),
    async handle({ ctx, viewer, params }) {
      const input = { keyword: params.keyword, wholeWord: params.whole_word }
      return renderFilterKeyword(await addKeyword(ctx, viewer, params.filter_id, input))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v2/filters/keywords/:id',
    returns: FilterKeyword,
    auth: 'user',
    scopes: read,
    params: byId,
    async handle({ ctx, viewer, params }) {
      return renderFilterKeyword(await getKeyword(ctx, viewer.accountId, params.id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v2/filters/keywords/:id',
    returns: FilterKeyword,
    auth: 'user',
    scopes: write,
    params: z.object({ id: pathId<FilterKeywordId>(), ...fields }),
    async handle({ ctx, viewer, params }) {
      const input = { keyword: params.keyword, wholeWord: params.whole_word }
      return renderFilterKeyword(await updateKeyword(ctx, viewer, params.id, input))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v2/filters/keywords/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: byId,
    async handle({ ctx, viewer, params }) {
      await deleteKeyword(ctx, viewer, params.id)
      return {}
    },
  }),
]
