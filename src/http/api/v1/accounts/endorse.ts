import { z } from 'zod'
import { Relationship } from '#entities/relationship.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { endorseAccount, unendorseAccount } from '#domain/social/relationships/endorse.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

function action<const Path extends `/api/v1/accounts/:id/${string}`>(
  path: Path,
  command: (ctx: Ctx, viewer: Viewer, id: AccountId) => Promise<void>,
) {
  return route({
    method: 'POST',
    path,
    returns: Relationship,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      await command(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  })
}

export const routes = [
  action('/api/v1/accounts/:id/endorse', endorseAccount),
  action('/api/v1/accounts/:id/unendorse', unendorseAccount),
  action('/api/v1/accounts/:id/pin', endorseAccount),
  action('/api/v1/accounts/:id/unpin', unendorseAccount),
]
