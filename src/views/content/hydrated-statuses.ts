import type { Account } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountLine } from '#domain/identity/accounts/load.ts'
import type { StatusLine } from '#domain/content/statuses/load-lines.ts'
import { loadStatusStates, type StatusState } from '#domain/content/statuses/load-viewer-state.ts'
import type { StatusStatic } from '../render/status.ts'
import { hydrateAccountStatics, renderLine } from '../identity/hydrate-accounts.ts'
import { hydrateStatusStatics } from './status-statics.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What statuses are put together from. What the viewer may not see has no state. */
export interface HydratedStatuses {
  states: ReadonlyMap<StatusId, StatusState>
  statics: ReadonlyMap<StatusId, StatusStatic>
  /** Their authors, rendered: once each, however many of the statuses they wrote. */
  accounts: ReadonlyMap<AccountId, Account>
}

/** The parts of further statuses of a page, and of what they boost: one query when the rest is kept. */
export async function loadStatusParts(
  ctx: Ctx,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<HydratedStatuses> {
  return hydrateStatuses(ctx, await loadStatusStates(ctx, viewerId, ids, false))
}

/** The rest of the parts of statuses whose states were read. */
export async function hydrateStatuses(
  ctx: Ctx,
  states: ReadonlyMap<StatusId, StatusState>,
): Promise<HydratedStatuses> {
  const lines: StatusLine[] = []
  const authors = new Map<AccountId, AccountLine>()
  for (const { line, author } of states.values()) {
    lines.push(line)
    authors.set(author.id, author)
  }
  const statics = await hydrateStatusStatics(ctx, lines)
  return { states, statics, accounts: await hydrateAuthors(ctx, authors) }
}

async function hydrateAuthors(
  ctx: Ctx,
  authors: ReadonlyMap<AccountId, AccountLine>,
): Promise<Map<AccountId, Account>> {
  const statics = await hydrateAccountStatics(ctx, authors.values())
  const accounts = new Map<AccountId, Account>()
  for (const [id, author] of authors) {
    const fixed = statics.get(id)
    if (fixed) accounts.set(id, renderLine(fixed, author))
  }
  return accounts
}
