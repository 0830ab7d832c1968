import { z } from 'zod'
import { Relationship } from '#entities/relationship.ts'
import { noteAccount } from '#domain/social/relationships/note.ts'
import { pathId, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/accounts/:id/note',
    returns: Relationship,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: z.object({ id: pathId<AccountId>(), comment: text() }),
    async handle({ ctx, viewer, params: { id, comment } }) {
      await noteAccount(ctx, viewer, id, comment ?? '')
      return viewRelationship(ctx, viewer, id)
    },
  }),
]
