// A quiet page of one's own month, and whether one wants such numbers at all.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { setWantsStatistics, wantsStatistics } from '#domain/reading/statistics/setting.ts'
import type { MonthStatistics } from '#entities/personal/statistics.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewMonthStatistics } from '#views/reading/statistics.ts'
import { isTicked } from '../kit/controls.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderCheckbox, renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { numberText, renderTime } from '../public/post-parts.ts'
import { leadToSaved, renderSettings } from './settings-page.ts'

const path = '/settings/statistics'
const kinds = ['statuses', 'favourites', 'reblogs', 'replies', 'quotes', 'followers'] as const

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const isWanted = wantsStatistics(viewer)
  const form = renderForm(call, {
    action: path,
    fields: [
      renderCheckbox({
        name: 'enabled',
        label: t.statistics.enabled,
        hint: t.statistics.enabledHint,
        checked: isWanted,
      }),
    ],
    submit: t.save,
    quiet: true,
  })
  const month = isWanted ? await renderMonth(call, viewer) : ''
  return renderSettings(call, { title: t.places[path].name, body: html`${month} ${form}` })
}

const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7)

/** The month so many before or after this one. */
function besideMonth(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return date.toISOString().slice(0, 7)
}

async function renderMonth(call: PageCall, viewer: Viewer): Promise<Html> {
  const t = textsIn(call.language).pages.settings.statistics
  const current = monthOf(call.ctx.clock.now())
  const asked = textParam(call.params, 'month')
  const found = await viewMonthStatistics(call.ctx, viewer, asked === '' ? current : asked)
  const { month, totals } = found
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(call.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const link = (other: string, label: string) => html`<a href="${path}?month=${other}">${label}</a>`
  return html`<p>${t.hint}</p>
    <h2>${name}</h2>
    <p class="actions">
      ${link(besideMonth(month, -1), t.before)} ${month < current ? link(besideMonth(month, 1), t.after) : ''}
    </p>
    <dl class="numbers">
      ${kinds.map(
        (kind) =>
          html`<div>
            <dt>${t.kinds[kind]}</dt>
            <dd>${numberText(call.language, totals[kind])}</dd>
          </div>`,
      )}
    </dl>
    ${found.complete ? '' : html`<p class="soft">${t.incomplete}</p>`} ${renderTop(call, viewer, found)}
    ${renderDays(call, found)}`
}

function renderTop(
  call: PageCall,
  { username }: Viewer,
  { top_statuses: statuses }: MonthStatistics,
): Html | string {
  if (statuses.length === 0) return ''
  const t = textsIn(call.language).pages.settings.statistics
  const row = (status: MonthStatistics['top_statuses'][number]) => {
    const came = t.came({
      favourites: status.favourites_count,
      boosts: status.reblogs_count,
      replies: status.replies_count,
    })
    return html`<li>
      <a href="/@${username}/${status.id}">${renderTime(call.language, status.created_at, 'exact')}</a>
      <span class="soft">${came}</span>
    </li>`
  }
  return html`<h2>${t.top}</h2>
    <ul class="rows">
      ${statuses.map(row)}
    </ul>`
}

function renderDays(call: PageCall, { days }: MonthStatistics): Html {
  const t = textsIn(call.language).pages.settings.statistics
  return html`<details>
    <summary>${t.days}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="${t.days}">
      <table>
        <thead>
          <tr>
            <th scope="col">${t.day}</th>
            ${kinds.map((kind) => html`<th scope="col">${t.kinds[kind]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${days.map(
            (day) =>
              html`<tr>
                <th scope="row">${Number(day.day.slice(-2))}</th>
                ${kinds.map((kind) => html`<td>${day[kind]}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  await setWantsStatistics(call.ctx, viewer, isTicked(call.params, 'enabled'))
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/statistics', handle: forViewer(show) },
  { method: 'POST', path: '/settings/statistics', handle: forViewer(save) },
]
