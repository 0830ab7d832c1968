import { z } from 'zod'
import { id, ids } from '#http/kit/params/fields.ts'
import { listOf } from '#entities/entity.ts'
import { FamiliarFollowers } from '#entities/account.ts'
import { route } from '#http/kit/route.ts'
import { viewFamiliarFollowers } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

/** Accounts that may be asked about at once. */
const maxBatch = 40

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/familiar_followers',
    returns: listOf(FamiliarFollowers),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:follows'],
    // A client library spells its list `?0=ID`.
    params: z.object({ id: ids<AccountId>(), 0: id<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      const wanted = params.id ?? (params[0] === undefined ? [] : [params[0]])
      return viewFamiliarFollowers(ctx, viewer, [...new Set(wanted)].slice(0, maxBatch))
    },
  }),
]
