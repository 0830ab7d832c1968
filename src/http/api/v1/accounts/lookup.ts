import { z } from 'zod'
import { Account } from '#entities/account.ts'
import { getAccountByAcct } from '#domain/identity/accounts/lookup.ts'
import { requiredText } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAccount } from '#views/identity/accounts.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/lookup',
    returns: Account,
    auth: 'optional',
    scopes: ['read', 'read:accounts'],
    caching: 'anonymous',
    params: z.object({ acct: requiredText() }),
    async handle({ ctx, params }) {
      const account = await getAccountByAcct(ctx, params.acct)
      return viewAccount(ctx, account.id)
    },
  }),
]
