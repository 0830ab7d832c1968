import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { listDirectory } from '#domain/reading/suggestions/directory.ts'
import { limit, offset, text, truthy } from '#http/kit/params/fields.ts'
import { offsetLink, urlsOf } from '#http/kit/paging.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/directory',
    returns: listOf(Account),
    auth: 'optional',
    replicated: true,
    caching: 'anonymous',
    params: z.object({
      order: text(),
      local: truthy(),
      limit: limit(40),
      offset: offset(),
    }),
    async handle({ ctx, viewer, params, request }) {
      const order = params.order === 'new' ? 'new' : 'active'
      const query = { ...params, order, local: params.local ?? false } as const
      const ids = await listDirectory(ctx, viewer?.accountId ?? null, query)
      return reply(200, await viewAccounts(ctx, ids), offsetLink(urlsOf(ctx, request), params, ids.length))
    },
  }),
]
