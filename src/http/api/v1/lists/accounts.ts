import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { Empty } from '#entities/empty.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isId } from '#lib/ids.ts'
import { parseInteger } from '#lib/text/truthy.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { addToList, removeFromList } from '#domain/reading/lists/members.ts'
import { listMembers } from '#domain/reading/lists/queries.ts'
import { cursor, pageOf, pathId, texts } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { asId, noId, type AccountId, type ListId } from '#lib/id.ts'

const standard = 40

/** 0 asks for all, and makes the answer one page. */
const limit = z
  .preprocess((value) => parseInteger(value) ?? standard, z.number())
  .transform((value) => Math.min(value, standard * 2))

/** What is no id names an account that is not there, so that a wrong list is refused as a whole. */
const accountIds = texts().transform((values = []) =>
  values.map((value) => (isId(value) ? asId<AccountId>(value) : noId<AccountId>())),
)

function change(
  method: 'POST' | 'DELETE',
  command: (ctx: Ctx, viewer: Viewer, listId: ListId, ids: readonly AccountId[]) => Promise<void>,
) {
  return route({
    method,
    path: '/api/v1/lists/:id/accounts',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:lists'],
    params: z.object({ id: pathId<ListId>(), account_ids: accountIds }),
    async handle({ ctx, viewer, params }) {
      await command(ctx, viewer, params.id, params.account_ids)
      return {}
    },
  })
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/lists/:id/accounts',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:lists'],
    params: z.object({ id: pathId<ListId>(), limit, max_id: cursor(), since_id: cursor(), min_id: cursor() }),
    async handle({ ctx, viewer, params }) {
      const page = params.limit === 0 ? null : pageOf(params)
      const found = await listMembers(ctx, { accountId: viewer.accountId, listId: params.id }, page)
      return listed(found, await viewAccounts(ctx, found.items), 'since_id')
    },
  }),
  change('POST', addToList),
  change('DELETE', removeFromList),
]
