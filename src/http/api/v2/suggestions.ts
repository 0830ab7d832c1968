import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Suggestion } from '#entities/account.ts'
import { listSuggestions } from '#domain/reading/suggestions/queries.ts'
import { limit, offset } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewSuggestions } from '#views/reading/suggestions.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/suggestions',
    returns: listOf(Suggestion),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    params: z.object({ limit: limit(40), offset: offset() }),
    async handle({ ctx, viewer, params }) {
      return viewSuggestions(ctx, await listSuggestions(ctx, viewer, params))
    },
  }),
]
