import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  // Mastodon has had none since 3.5 and says so to the apps that still ask.
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/identity_proofs',
    returns: listOf(Empty),
    auth: 'user',
    scopes: ['read', 'read:accounts'],
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, params }) {
      await getAccountLine(ctx, params.id)
      return []
    },
  }),
]
