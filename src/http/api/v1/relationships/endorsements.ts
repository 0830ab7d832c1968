import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { parseInteger } from '#lib/text/truthy.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import { cursor, pageOf } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'

const standard = 40
/** What `limit=0` gets, which asks for all: more than anybody features. */
const all = 1000

const limit = z
  .preprocess((value) => parseInteger(value) ?? standard, z.number())
  .transform((value) => {
    return value === 0 ? all : Math.min(value, standard * 2)
  })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/endorsements',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    params: z.object({ limit, max_id: cursor(), since_id: cursor(), min_id: cursor() }),
    async handle({ ctx, viewer, params }) {
      const page = await listRelated(ctx, 'endorsements', viewer.accountId, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items), 'since_id')
    },
  }),
]
