import { z } from 'zod'
import { Relationship } from '#entities/relationship.ts'
import { blockAccount, unblockAccount } from '#domain/social/relationships/block.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

const common = {
  method: 'POST',
  auth: 'user',
  scopes: ['follow', 'write', 'write:blocks'],
  params: z.object({ id: pathId<AccountId>() }),
} as const

export const routes = [
  route({
    ...common,
    path: '/api/v1/accounts/:id/block',
    returns: Relationship,
    async handle({ ctx, viewer, params: { id } }) {
      await blockAccount(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  }),
  route({
    ...common,
    path: '/api/v1/accounts/:id/unblock',
    returns: Relationship,
    async handle({ ctx, viewer, params: { id } }) {
      await unblockAccount(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  }),
]
