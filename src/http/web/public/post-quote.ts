import type { Quote, Status } from '#entities/status.ts'
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'

/** The post that a post quotes, made by `renderQuoted`, or a line that says why it is not there. */
export function renderQuote(
  language: Language,
  quote: Quote | null,
  renderQuoted: (post: Status) => Html,
): Html | string {
  if (!quote) return ''
  const why = explain(language, quote)
  if (!quote.quoted_status) return html`<p class="quoted lost">${why}</p>`
  const quoted = html`<blockquote class="quoted" cite="${quote.quoted_status.url ?? quote.quoted_status.uri}">
    ${renderQuoted(quote.quoted_status)}
  </blockquote>`
  if (quote.state === 'accepted') return quoted
  return html`<details class="veil">
    <summary>${why}</summary>
    ${quoted}
  </details>`
}

function explain(language: Language, quote: Quote): string {
  const t = textsIn(language).pages.public
  // A quote in a quote is told of by its id alone.
  if (quote.state === 'accepted') return quote.quoted_status_id ? t.quotesAnother : t.quoteHidden
  const texts: Record<string, string> = {
    pending: t.quotePending,
    rejected: t.quoteRefused,
    revoked: t.quoteRefused,
    deleted: t.quoteDeleted,
    blocked_account: t.quoteBlocked,
    blocked_domain: t.quoteBlockedDomain,
    muted_account: t.quoteMuted,
  }
  return texts[quote.state] ?? t.quoteHidden
}

const fallback = /<p class="quote-inline">.*?<\/p>/s

/** The text without the address of what is quoted, which is there for those who do not show quotes. */
export function withoutFallback(post: Status): string {
  return post.quote?.quoted_status ? post.content.replace(fallback, '') : post.content
}
