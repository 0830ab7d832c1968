import type { Account } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import { pick } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { loadAccountLines } from '#domain/identity/accounts/load.ts'
import { hydrateAccountStatics, renderLine } from './hydrate-accounts.ts'
import type { AccountId } from '#lib/id.ts'

/** Accounts by id, rendered. Missing ones are left out. */
export async function loadAccountViews(
  ctx: Ctx,
  ids: readonly AccountId[],
): Promise<Map<AccountId, Account>> {
  const lines = await loadAccountLines(ctx, ids)
  const statics = await hydrateAccountStatics(ctx, lines.values())
  const views = new Map<AccountId, Account>()
  for (const line of lines.values()) {
    const fixed = statics.get(line.id)
    if (fixed) views.set(line.id, renderLine(fixed, line))
  }
  return views
}

/** Accounts in the order of `ids`. */
export async function viewAccounts(ctx: Ctx, ids: readonly AccountId[]): Promise<Account[]> {
  const views = await loadAccountViews(ctx, ids)
  return pick(ids, views)
}

export async function viewAccount(ctx: Ctx, id: AccountId): Promise<Account> {
  const view = (await loadAccountViews(ctx, [id])).get(id)
  if (!view) throw notFound()
  return view
}
