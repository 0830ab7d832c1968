import { z } from 'zod'
import { Relationship } from '#entities/relationship.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { followAccount, removeFollower, unfollowAccount } from '#domain/social/relationships/follow.ts'
import { hasFollowOrRequest } from '#domain/social/relationships/queries.ts'
import { pathId, texts, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

const scopes = ['follow', 'write', 'write:follows']

/** A route that ends a follow and shows how the two then stand. */
function parting<const Path extends `/api/v1/accounts/:id/${string}`>(
  path: Path,
  command: (ctx: Ctx, viewer: Viewer, id: AccountId) => Promise<void>,
) {
  return route({
    method: 'POST',
    path,
    returns: Relationship,
    auth: 'user',
    scopes,
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      await command(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  })
}

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/accounts/:id/follow',
    returns: Relationship,
    auth: 'user',
    scopes,
    params: z.object({ id: pathId<AccountId>(), reblogs: truthy(), notify: truthy(), languages: texts() }),
    async handle({ ctx, viewer, params: { id, ...options }, limits }) {
      const follow = () => followAccount(ctx, viewer, id, options)
      const isOpen = (await hasFollowOrRequest(ctx, viewer.accountId, id))
        ? await follow()
        : await limits.spend('follows', follow)
      const relationship = await viewRelationship(ctx, viewer, id)
      // As Mastodon: an open account elsewhere will say yes, and apps need not ask again.
      return isOpen ? { ...relationship, following: true, requested: false } : relationship
    },
  }),
  parting('/api/v1/accounts/:id/unfollow', unfollowAccount),
  parting('/api/v1/accounts/:id/remove_from_followers', removeFollower),
]
