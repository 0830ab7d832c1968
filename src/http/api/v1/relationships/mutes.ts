import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { MutedAccount } from '#entities/account.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewMutedAccounts } from '#views/social/relationships.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/mutes',
    returns: listOf(MutedAccount),
    auth: 'user',
    replicated: true,
    scopes: ['follow', 'read', 'read:mutes'],
    params: z.object(paging(40)),
    async handle({ ctx, viewer, params }) {
      const page = await listRelated(ctx, 'mutes', viewer.accountId, pageOf(params))
      return listed(page, await viewMutedAccounts(ctx, viewer, page.items), 'since_id')
    },
  }),
]
