import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { listActors } from '#domain/content/statuses/lists.ts'
import { getVisibleOriginal } from '#domain/content/statuses/queries.ts'
import { pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import type { StatusId } from '#lib/id.ts'

/** Who did this to a status. */
function actors<const Path extends `/api/v1/statuses/:id/${string}`>(
  path: Path,
  kind: 'favourited' | 'reblogged',
) {
  return route({
    method: 'GET',
    path,
    returns: listOf(Account),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:accounts', 'read:statuses'],
    params: z.object({ id: pathId<StatusId>(), ...paging(40) }),
    async handle({ ctx, viewer, params }) {
      const viewerId = viewer?.accountId ?? null
      const status = await getVisibleOriginal(ctx, viewerId, params.id)
      const page = await listActors(ctx, { kind, statusId: status.id, viewerId }, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items), 'since_id')
    },
  })
}

export const routes = [
  actors('/api/v1/statuses/:id/favourited_by', 'favourited'),
  actors('/api/v1/statuses/:id/reblogged_by', 'reblogged'),
]
