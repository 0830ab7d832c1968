import { html } from 'hono/html'
import type { StrikeRow } from '#domain/trust/moderation/strikes.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderBadge, renderMoment } from '../kit/parts.ts'

/** What staff decided about somebody, newest first. */
export function renderStrikes(call: DeskCall, strikes: readonly StrikeRow[]): Html {
  const t = textsIn(call.language).pages.admin
  if (strikes.length === 0) return html`<p class="soft">${t.account.noStrikes}</p>`
  return html`<ul class="rows">
    ${strikes.map(
      (strike) =>
        html`<li>
          <div>
            <strong>${t.decisions[strike.action].name}</strong> ${renderStanding(call, strike)}
            ${strike.text === '' ? '' : html`<p class="said" dir="auto">${strike.text}</p>`}
            <small class="soft">${renderMoment(call, strike.created_at)}</small>
          </div>
        </li>`,
    )}
  </ul>`
}

function renderStanding(call: DeskCall, { overruled_at: overruled, appeal }: StrikeRow): Html | string {
  const t = textsIn(call.language).pages.admin.appeals
  if (overruled) return renderBadge(t.overruled, 'good')
  return appeal ? renderBadge(t.states[appeal.state], appeal.state === 'pending' ? 'main' : 'plain') : ''
}
