import type { Quote, Status } from '#entities/status.ts'
import type { QuoteBarrier, QuoteRow } from '#domain/content/statuses/quotes/load.ts'

/**
 * Quote (https://docs.joinmastodon.org/entities/Quote/). `quoted`: what is quoted as the viewer sees it, or null when
 * they may not; `barrier`: why they may not want to. Only an accepted quote shows anything, but for `redraft`: who
 * deletes a status gets all that is needed to write it again.
 */
export function renderQuote(
  quote: QuoteRow,
  quoted: Status | null,
  { barrier, redraft }: { barrier: QuoteBarrier | undefined; redraft: boolean },
): Quote {
  const state = stateOf(quote, quoted !== null, barrier)
  const shown = quote.state === 'accepted' || redraft
  return { state, quoted_status: shown ? quoted : null }
}

/** ShallowQuote (https://docs.joinmastodon.org/entities/ShallowQuote/): the quote of something that is quoted. */
export function renderShallowQuote(
  quote: QuoteRow,
  visible: boolean,
  barrier: QuoteBarrier | undefined,
): Quote {
  const shown = quote.state === 'accepted' && visible
  return { state: stateOf(quote, visible, barrier), quoted_status_id: shown ? quote.quoted_status_id : null }
}

function stateOf(quote: QuoteRow, visible: boolean, barrier: QuoteBarrier | undefined): Quote['state'] {
  if (quote.state !== 'accepted') return quote.state
  if (quote.quoted_status_id === null) return 'deleted'
  return visible ? (barrier ?? 'accepted') : 'unauthorized'
}
