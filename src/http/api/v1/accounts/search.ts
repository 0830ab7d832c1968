import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { searchAccounts } from '#domain/identity/accounts/search.ts'
import { findDeeds, mayAvoid } from '#domain/content/statuses/deeds/kept-deeds.ts'
import { resolveNamed } from '#domain/reading/search/resolve-named.ts'
import { limit, offset, text, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/search',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    params: z.object({
      q: text(),
      limit: limit(40),
      offset: offset(),
      following: truthy(),
      resolve: truthy(),
    }),
    async handle({ ctx, viewer, params }) {
      const deeds = await findDeeds(ctx, viewer.accountId, true)
      const search = {
        text: params.q ?? '',
        limit: params.limit,
        offset: params.offset,
        following: params.following,
        avoids: mayAvoid(deeds),
      }
      if (params.resolve) await resolveNamed(ctx, viewer.accountId, search.text.trim())
      return viewAccounts(ctx, await searchAccounts(ctx, viewer.accountId, search))
    },
  }),
]
