import { z } from 'zod'
import { Account } from '#entities/account.ts'
import { findOrFetchAccount } from '#domain/reading/search/resolve-named.ts'
import { followAccount } from '#domain/social/relationships/follow.ts'
import { hasFollowOrRequest } from '#domain/social/relationships/queries.ts'
import { text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAccount } from '#views/identity/accounts.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/follows',
    returns: Account,
    auth: 'user',
    scopes: ['follow', 'write', 'write:follows'],
    params: z.object({ uri: text() }),
    async handle({ ctx, viewer, params, limits }) {
      const id = await findOrFetchAccount(ctx, viewer.accountId, (params.uri ?? '').replace(/^acct:/i, ''))
      if (!(await hasFollowOrRequest(ctx, viewer.accountId, id))) {
        await limits.spend('follows', () => followAccount(ctx, viewer, id))
      }
      return viewAccount(ctx, id)
    },
  }),
]
