// What staff decided about oneself, and saying something against it: an extension, also for those who are shut out.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AccountWarning } from '#entities/report.ts'
import { createAppeal } from '#domain/trust/moderation/appeals.ts'
import { getStrike, listStrikes } from '#domain/trust/moderation/strikes.ts'
import { pageOf, paging, pathId, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStrike, viewStrikes } from '#views/trust/strikes.ts'
import type { AccountWarningId } from '#lib/id.ts'

const one = z.object({ id: pathId<AccountWarningId>() })
const read = ['read', 'read:accounts']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/strikes',
    returns: listOf(AccountWarning),
    auth: 'any-user',
    scopes: read,
    params: z.object(paging(40)),
    async handle({ ctx, viewer, params }) {
      const page = await listStrikes(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewStrikes(ctx, viewer.accountId, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/strikes/:id',
    returns: AccountWarning,
    auth: 'any-user',
    scopes: read,
    params: one,
    handle: async ({ ctx, viewer, params }) =>
      viewStrike(ctx, await getStrike(ctx, viewer.accountId, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/strikes/:id/appeal',
    returns: AccountWarning,
    auth: 'any-user',
    scopes: ['write', 'write:accounts'],
    params: one.extend({ text: text() }),
    async handle({ ctx, viewer, params: { id, text: words } }) {
      await createAppeal(ctx, viewer.accountId, id, words)
      return viewStrike(ctx, await getStrike(ctx, viewer.accountId, id))
    },
  }),
]
