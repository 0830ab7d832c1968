import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { Relationship } from '#entities/relationship.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { authorizeFollowRequest, rejectFollowRequest } from '#domain/social/relationships/follow-requests.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import { pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { viewRelationship } from '#views/social/relationships.ts'
import type { AccountId } from '#lib/id.ts'

function decision<const Path extends `/api/v1/follow_requests/:account_id/${string}`>(
  path: Path,
  command: (ctx: Ctx, viewer: Viewer, followerId: AccountId) => Promise<void>,
) {
  return route({
    method: 'POST',
    path,
    returns: Relationship,
    auth: 'user',
    scopes: ['follow', 'write', 'write:follows'],
    params: z.object({ account_id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params: { account_id: id } }) {
      await command(ctx, viewer, id)
      return viewRelationship(ctx, viewer, id)
    },
  })
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/follow_requests',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['follow', 'read', 'read:follows'],
    params: z.object(paging(40)),
    async handle({ ctx, viewer, params }) {
      const page = await listRelated(ctx, 'requests', viewer.accountId, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items), 'since_id')
    },
  }),
  decision('/api/v1/follow_requests/:account_id/authorize', authorizeFollowRequest),
  decision('/api/v1/follow_requests/:account_id/reject', rejectFollowRequest),
]
