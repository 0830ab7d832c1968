import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { List } from '#entities/list.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { listListsWith } from '#domain/reading/lists/queries.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderList } from '#views/reading/lists.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/lists',
    returns: listOf(List),
    auth: 'user',
    scopes: ['read', 'read:lists'],
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      const account = await getAccountLine(ctx, params.id)
      if (account.suspended) return []
      return (await listListsWith(ctx, viewer.accountId, account.id)).map(renderList)
    },
  }),
]
