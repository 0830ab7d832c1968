import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { listPresentAccounts } from '#domain/identity/accounts/lookup.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { requestRefresh } from '#domain/identity/accounts/remote/refresh-remote.ts'
import { ids, pathId } from '#http/kit/params/fields.ts'
import { gone, unprocessable } from '#lib/errors.ts'
import { route } from '#http/kit/route.ts'
import { viewAccount, viewAccounts } from '#views/identity/accounts.ts'
import type { AccountId } from '#lib/id.ts'

/** Accounts that may be asked for at once. */
const maxBatch = 40

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts',
    returns: listOf(Account),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    caching: 'anonymous',
    params: z.object({ id: ids<AccountId>() }),
    async handle({ ctx, params }) {
      const wanted = [...new Set(params.id)]
      if (wanted.length > maxBatch) throw unprocessable()
      return viewAccounts(ctx, await listPresentAccounts(ctx, wanted))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id',
    returns: Account,
    auth: 'optional',
    scopes: ['read', 'read:accounts'],
    caching: 'anonymous',
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      const account = await getAccountLine(ctx, params.id)
      // The specification's own rule (section 7), where Mastodon answers a blanked account.
      if (account.suspended) throw gone()
      if (viewer && account.domain !== null) await requestRefresh(ctx, account.id)
      return viewAccount(ctx, account.id)
    },
  }),
]
