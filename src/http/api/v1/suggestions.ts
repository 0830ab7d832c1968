import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { Empty } from '#entities/empty.ts'
import { dismissSuggestion } from '#domain/reading/suggestions/dismiss.ts'
import { listSuggestions } from '#domain/reading/suggestions/queries.ts'
import { limit, offset, pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/suggestions',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    params: z.object({ limit: limit(40), offset: offset() }),
    async handle({ ctx, viewer, params }) {
      const found = await listSuggestions(ctx, viewer, params)
      return viewAccounts(
        ctx,
        found.map(({ id }) => id),
      )
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/suggestions/:account_id',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: z.object({ account_id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      await dismissSuggestion(ctx, viewer, params.account_id)
      return {}
    },
  }),
]
