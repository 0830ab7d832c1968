import { listStaleAccounts, requestRefresh } from '#domain/identity/accounts/remote/refresh-remote.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** Reads the document of an account of another server again. Without an answer everything stays as it was. */
export async function refreshAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.remote.refreshAccount(accountId, { anew: true })
}

const week = 7 * 86_400_000
/** Accounts in one run: some thousands a day. */
const max = 200

/** Has those accounts of other servers read again that people here follow and that were not read for a week. */
export async function refreshStaleAccounts(ctx: Ctx): Promise<void> {
  for (const id of await listStaleAccounts(ctx, { age: week, limit: max }))
    await requestRefresh(ctx, id, week)
}
