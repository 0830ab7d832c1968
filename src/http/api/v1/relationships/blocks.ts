import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/blocks',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['follow', 'read', 'read:blocks'],
    params: z.object(paging(40)),
    async handle({ ctx, viewer, params }) {
      const page = await listRelated(ctx, 'blocks', viewer.accountId, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items), 'since_id')
    },
  }),
]
