import type { Ctx } from '#ports/ctx.ts'
import { filterVisible } from '#domain/content/statuses/lists.ts'
import { loadQuoteBarriers, type QuoteBarrier, type QuoteRow } from '#domain/content/statuses/quotes/load.ts'
import type { StatusStatic } from '../render/status.ts'
import { loadStatusParts, type HydratedStatuses } from './hydrated-statuses.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface QuotedParts {
  /** What is quoted. */
  hydrated: HydratedStatuses
  /** Of what that quotes in turn, which is told of by its id alone: what the viewer may see. */
  visibleBeyond: ReadonlySet<StatusId>
  /** By author, of both. */
  barriers: ReadonlyMap<AccountId, QuoteBarrier>
}

const none: QuotedParts = {
  hydrated: { states: new Map(), statics: new Map(), accounts: new Map() },
  visibleBeyond: new Set(),
  barriers: new Map(),
}

/**
 * What the quotes of these statuses show, one level deep, and why the viewer may not want to see it. `redraft`: also
 * of quotes that nobody consented to.
 */
export async function hydrateQuoted(
  ctx: Ctx,
  viewerId: AccountId | null,
  statics: Iterable<StatusStatic>,
  redraft: boolean,
): Promise<QuotedParts> {
  const quotes = quotesOf(statics).filter((quote) => redraft || quote.state === 'accepted')
  if (quotes.length === 0) return none
  const hydrated = await loadStatusParts(ctx, viewerId, quotedIds(quotes))
  const further = quotesOf(hydrated.statics.values()).filter((quote) => quote.state === 'accepted')
  const authorIds = [...quotes, ...further].flatMap((quote) => quote.quoted_account_id ?? [])
  const [visibleBeyond, barriers] = await Promise.all([
    filterVisible(ctx, viewerId, quotedIds(further)),
    loadQuoteBarriers(ctx, viewerId, authorIds),
  ])
  return { hydrated, visibleBeyond: new Set(visibleBeyond), barriers }
}

function quotesOf(statics: Iterable<StatusStatic>): QuoteRow[] {
  return [...statics].flatMap((fixed) => fixed.quote ?? [])
}

function quotedIds(quotes: readonly QuoteRow[]): StatusId[] {
  return quotes.flatMap((quote) => quote.quoted_status_id ?? [])
}
