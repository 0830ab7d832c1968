// Requests to quote a local status (https://w3id.org/fep/044f).
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { visibleTo } from '../visibility.ts'
import { quoteAnswerFor } from '../quote-policy.ts'
import { acceptQuote, findQuoteParties, refuseQuote } from './remote-quote.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The status whose quote was asked for by a request with this id. */
export async function findQuoteByRequest(reader: Reader, uri: string): Promise<StatusId | null> {
  const { rows } = await sql<{
    status_id: StatusId
  }>`select status_id from quotes where uri = ${uri}`.execute(reader.db)
  return rows[0]?.status_id ?? null
}

export interface QuoteRequest {
  /** The status that quotes. */
  statusId: StatusId
  /** Who asks, and is its author. */
  accountId: AccountId
  quotedId: StatusId
  requestUri: string
}

/**
 * Accepts or refuses a quote as the policy of the local status says, and emits `quote.answered`. Again answers again.
 * False when the one status does not quote the other, or is not by whoever asks.
 */
export async function answerQuoteRequest(ctx: Ctx, request: QuoteRequest): Promise<boolean> {
  const { statusId, accountId, quotedId, requestUri } = request
  const parties = await findQuoteParties(ctx, { statusId })
  if (!parties?.quotedLocal || parties.quotedId !== quotedId || parties.quotingAccountId !== accountId)
    return false
  const { rows } = await sql<{ answer: string }>`
    select ${quoteAnswerFor(accountId, 's')} as answer from statuses s
    where s.id = ${quotedId} and ${visibleTo(accountId, 's')}`.execute(ctx.db)
  if (rows[0]?.answer === 'automatic') await acceptQuote(ctx, { statusId, approvalUri: null })
  else await refuseQuote(ctx, statusId)
  await ctx.transaction((tx) => tx.emit({ type: 'quote.answered', statusId, requestUri }))
  return true
}
