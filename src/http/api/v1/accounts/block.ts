import { z } from 'zod'
import { blockAccount, unblockAccount } from '#domain/social/relationships/block.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'

const common = {
  method: 'POST',
  auth: 'user',
  scopes: ['follow', 'write', 'write:blocks'],
  params: z.object({ id: pathId() }),
} as const

export const routes = [
  route({
    ...common,
    path: '/api/v1/accounts/:id/block',
    async handle({ ctx, viewer, params: { id } }) {
      await blockAccount(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  }),
  route({
    ...common,
    path: '/api/v1/accounts/:id/unblock',
    async handle({ ctx, viewer, params: { id } }) {
      await unblockAccount(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  }),
]
