// Deprecated since Mastodon 4.0 and still what many clients use: the same filters, seen keyword by keyword.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { FilterV1 } from '#entities/filter.ts'
import {
  createKeywordFilter,
  getKeywordFilter,
  listKeywordFilters,
  updateKeywordFilter,
} from '#domain/reading/filters/by-keyword.ts'
import { deleteKeyword } from '#domain/reading/filters/keywords.ts'
import { pathId, text, texts, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderKeywordFilter } from '#views/content/filters.ts'
import { expiresIn } from '../v2/filters/params.ts'
import type { FilterKeywordId } from '#lib/id.ts'

const read = ['read', 'read:filters']
const write = ['write', 'write:filters']
const byId = z.object({ id: pathId<FilterKeywordId>() })

const fields = {
  phrase: text(),
  context: texts(),
  irreversible: truthy(),
  whole_word: truthy(),
  expires_in: expiresIn(),
}

function inputOf(params: z.output<z.ZodObject<typeof fields>>) {
  const { whole_word: wholeWord, expires_in, ...same } = params
  return { ...same, wholeWord, expiresIn: expires_in }
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/filters',
    returns: listOf(FilterV1),
    auth: 'user',
    scopes: read,
    async handle({ ctx, viewer }) {
      return (await listKeywordFilters(ctx, viewer.accountId)).map(renderKeywordFilter)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/filters',
    returns: FilterV1,
    auth: 'user',
    scopes: write,
    params: z.object(fields),
    async handle({ ctx, viewer, params }) {
      return renderKeywordFilter(await createKeywordFilter(ctx, viewer, inputOf(params)))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/filters/:id',
    returns: FilterV1,
    auth: 'user',
    scopes: read,
    params: byId,
    async handle({ ctx, viewer, params }) {
      return renderKeywordFilter(await getKeywordFilter(ctx, viewer.accountId, params.id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/filters/:id',
    returns: FilterV1,
    auth: 'user',
    scopes: write,
    params: z.object({ id: pathId<FilterKeywordId>(), ...fields }),
    async handle({ ctx, viewer, params: { id, ...given } }) {
      return renderKeywordFilter(await updateKeywordFilter(ctx, viewer, id, inputOf(given)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/filters/:id',
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
