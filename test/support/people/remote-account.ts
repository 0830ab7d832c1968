// An account of another server as ingestion leaves it, for tests that are not about federation.
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

let made = 0

export interface RemoteAccount {
  readonly accountId: AccountId
  readonly acct: string
  readonly domain: string
}

export async function remoteAccount(ctx: Ctx, domain = 'away.example'): Promise<RemoteAccount> {
  const accountId = ctx.newId<AccountId>()
  const username = `remote${++made}`
  const url = `https://${domain}/@${username}`
  await ctx.db
    .insertInto('accounts')
    .values({ id: accountId, username, domain, uri: `https://${domain}/users/${username}`, url })
    .execute()
  return { accountId, acct: `${username}@${domain}`, domain }
}
