import { z } from 'zod'
import { Relationship } from '#entities/relationship.ts'
import { muteAccount, unmuteAccount } from '#domain/social/relationships/mute.ts'
import { integer, pathId, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

const scopes = ['follow', 'write', 'write:mutes']

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/accounts/:id/mute',
    returns: Relationship,
    auth: 'user',
    scopes,
    params: z.object({ id: pathId<AccountId>(), notifications: truthy(), duration: integer() }),
    async handle({ ctx, viewer, params: { id, ...options } }) {
      await muteAccount(ctx, viewer, id, options)
      return viewRelationship(ctx, viewer, id)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/accounts/:id/unmute',
    returns: Relationship,
    auth: 'user',
    scopes,
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      await unmuteAccount(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  }),
]
