import type { Account } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { pick } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { loadAccountLines } from '#domain/identity/accounts/load.ts'
import { hydrateAccountStatics } from './hydrate-accounts.ts'
import { renderAccount } from '../render/account.ts'

/** Accounts by id, rendered. Missing ones are left out. */
export async function loadAccountViews(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, Account>> {
  const lines = await loadAccountLines(ctx, ids)
  const statics = await hydrateAccountStatics(ctx, lines.values())
  const views = new Map<Id, Account>()
  for (const line of lines.values()) {
    const fixed = statics.get(line.id)
    if (fixed) views.set(line.id, renderAccount(fixed, line))
  }
  return views
}

/** Accounts in the order of `ids`. */
export async function viewAccounts(ctx: Ctx, ids: readonly Id[]): Promise<Account[]> {
  const views = await loadAccountViews(ctx, ids)
  return pick(ids, views)
}

export async function viewAccount(ctx: Ctx, id: Id): Promise<Account> {
  const view = (await loadAccountViews(ctx, [id])).get(id)
  if (!view) throw notFound()
  return view
}
