// Why staff decided something, as its page shows it. Whoever reported is never named.
import type { Status } from '#entities/status.ts'
import { html } from 'hono/html'
import { loadRules } from '#domain/server/instance/rules.ts'
import type { StrikeRow } from '#domain/trust/moderation/strikes.ts'
import { pick } from '#lib/collections.ts'
import { stripHtml } from '#lib/html/html.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { loadReportedViews } from '#views/content/statuses.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'
import type { PageCall } from '../kit/page.ts'
import { renderTime } from '../public/post-parts.ts'
import type { Html } from '../kit/html.ts'

/** The rules that were broken, or the kind of the report. */
export async function renderRules(call: PageCall, strike: StrikeRow): Promise<Html | string> {
  const t = textsIn(call.language).pages.strikes
  const rules = await loadRules(call.ctx, strike.rule_ids)
  if (rules.length === 0) {
    const category = pickText(t.category, strike.category ?? '')
    return category === undefined ? '' : html`<p>${t.why}: ${category}</p>`
  }
  const texts = rules.map((rule) => rule.translations[call.language]?.text ?? rule.text)
  return html`<h2>${t.rules}</h2>
    <ul>
      ${texts.map((text) => html`<li dir="auto">${text}</li>`)}
    </ul>`
}

const maxTextLength = 1000

/** The posts concerned, in words alone: their pictures may be what is wrong with them. */
export async function renderPosts(call: PageCall, strike: StrikeRow): Promise<Html | string> {
  if (strike.status_ids.length === 0) return ''
  const t = textsIn(call.language).pages.strikes
  const views = await loadReportedViews(call.ctx, strike.target_account_id, strike.status_ids)
  const posts = pick(strike.status_ids, views)
  const isDeleted = strike.action === 'delete_statuses'
  return html`<h2>${t.posts}</h2>
    ${posts.length === 0 ? html`<p>${t.gone}</p>` : posts.map((post) => renderPost(call, post, isDeleted))}`
}

function renderPost(call: PageCall, post: Status, isDeleted: boolean): Html {
  const t = textsIn(call.language).pages.strikes
  const text = truncatePlain(stripHtml(post.content).trim(), maxTextLength)
  const count = post.media_attachments.length
  const more = [
    renderTime(call.language, post.created_at),
    ...(count > 0 ? [html`${t.attachments({ n: count })}`] : []),
    ...(isDeleted || !post.url ? [] : [html`<a href="${post.url}">${t.openPost}</a>`]),
  ]
  return html`<blockquote>
    ${post.spoiler_text === '' ? '' : html`<p dir="auto"><strong>${post.spoiler_text}</strong></p>`}
    <span class="said" dir="auto">${text}</span>
    <p class="soft">${more.map((part, index) => html`${index === 0 ? '' : ' · '}${part}`)}</p>
  </blockquote>`
}
