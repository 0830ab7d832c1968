// Who follows an account, whom it follows, and whom it features: read by others.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import { listNetwork, type NetworkList } from '#domain/social/relationships/lists.ts'
import { pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import type { AccountId } from '#lib/id.ts'

function network<const Path extends `/api/v1/accounts/:id/${string}`>(path: Path, kind: NetworkList) {
  return route({
    method: 'GET',
    path,
    returns: listOf(Account),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    caching: 'anonymous',
    params: z.object({ id: pathId<AccountId>(), ...paging(40) }),
    async handle({ ctx, viewer, params }) {
      const account = await getAccountFacts(ctx, params.id)
      const query = { kind, account, viewerId: viewer?.accountId ?? null }
      const page = await listNetwork(ctx, query, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items), 'since_id')
    },
  })
}

export const routes = [
  network('/api/v1/accounts/:id/followers', 'followers'),
  network('/api/v1/accounts/:id/following', 'following'),
  network('/api/v1/accounts/:id/endorsements', 'endorsements'),
]
