import { z } from 'zod'
import { ids, truthy } from '#http/kit/params/fields.ts'
import { listOf } from '#entities/entity.ts'
import { Relationship } from '#entities/relationship.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationships } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/relationships',
    returns: listOf(Relationship),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:follows'],
    params: z.object({ id: ids<AccountId>(), with_suspended: truthy() }),
    handle: ({ ctx, viewer, params }) =>
      viewRelationships(ctx, viewer, params.id ?? [], { withSuspended: params.with_suspended }),
  }),
]
