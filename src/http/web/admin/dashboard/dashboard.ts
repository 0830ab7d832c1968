// How the server is doing: what waits first, then people, then the machine.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { countWaiting, type Waiting } from '#domain/maintenance/dashboard/count-waiting.ts'
import { checkSurroundings } from '#domain/maintenance/dashboard/findings.ts'
import { parseSpan } from '#domain/maintenance/dashboard/days.ts'
import { readDimensions, type Dimension } from '#domain/maintenance/dashboard/dimensions.ts'
import { readMeasures, type Measure } from '#domain/maintenance/dashboard/measures.ts'
import { readRetention, type Cohort } from '#domain/maintenance/dashboard/retention.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderDimension } from '#views/maintenance/admin-dashboard.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderBars, renderShares } from '../kit/chart.ts'
import { renderDesk, sectionsFor, waitingText } from '../kit/desk.ts'
import { wordParam } from '../kit/params.ts'
import { renderPanel, renderTabs } from '../kit/parts.ts'
import { sectionPath } from '../kit/sections.ts'
import { renderMachine } from './machine.ts'

const day = 86_400_000
/** Days of which numbers are shown. */
const spans = { week: 7, month: 30, quarter: 90 } as const
const monthsShown = 6

const measures = ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports'] as const
const shares = ['sources', 'languages', 'servers', 'space_usage', 'software_versions'] as const
type Share = (typeof shares)[number]
const isShare = (key: string): key is Share => shares.some((one) => one === key)

async function show(call: DeskCall): Promise<Response> {
  const { ctx } = call
  const t = textsIn(call.language).pages.admin
  const now = ctx.clock.now()
  const chosen = wordParam(call, 'span', ['week', 'month', 'quarter']) ?? 'month'
  const date = (time: number) => new Date(time).toISOString()
  const span = parseSpan(now, { start: date(now - (spans[chosen] - 1) * day), end: date(now) })
  const waiting = await countWaiting(ctx, call.viewer)
  const numbers = await readMeasures(ctx, measures, span, {})
  const dimensions = await readDimensions(ctx, shares, { span, limit: 8, subjects: {} })
  const months = parseSpan(now, { start: firstMonth(now), end: date(now) })
  const cohorts = await readRetention(ctx, months, 'month')
  const tabs = renderTabs(
    call,
    (['week', 'month', 'quarter'] as const).map((one) => ({
      label: t.dashboard.spans[one],
      changes: { span: one === 'month' ? null : one },
    })),
  )
  const body = html`${renderWaiting(call, waiting)} ${tabs}
    <div class="panels">
      ${numbers.map((measure) => renderMeasure(call, measure))}
      ${dimensions.map((dimension) => renderShare(call, dimension))}
    </div>
    ${renderCohorts(call, cohorts)}
    ${hasPermission(call.viewer, 'view_devops') ? await renderMachine(call) : ''}`
  return renderDesk(call, { title: t.sections.dashboard, body, waiting })
}

function firstMonth(now: number): string {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (monthsShown - 1), 1)).toISOString()
}

function renderWaiting(call: DeskCall, waiting: Waiting): Html {
  const t = textsIn(call.language).pages.admin
  const links = sectionsFor(call).flatMap(({ name, waiting: kind }) => {
    const count = kind === undefined ? 0 : (waiting[kind] ?? 0)
    if (kind === undefined || count === 0) return []
    const path = kind === 'sign_ups' ? `${sectionPath(name)}?status=pending` : sectionPath(name)
    return [
      html`<li>
        <a href="${path}"><strong>${waitingText(count)}</strong> ${t.dashboard.waiting[kind]({ count })}</a>
      </li>`,
    ]
  })
  const list =
    links.length === 0
      ? html`<p class="soft">${t.dashboard.nothingWaits}</p>`
      : html`<ul class="waits">
          ${links}
        </ul>`
  return renderPanel(t.dashboard.waits, list)
}

function renderMeasure(call: DeskCall, { key, total, previous, days }: Measure): Html {
  const t = textsIn(call.language).pages.admin.dashboard
  const name = t.measures[key as (typeof measures)[number]]
  const number = new Intl.NumberFormat(call.language)
  const before =
    previous === undefined ? '' : html`<p class="soft">${t.before({ count: number.format(previous) })}</p>`
  return renderPanel(
    name,
    html`<p class="total">${number.format(total)}</p>
      ${before} ${renderBars(call, name, days)}`,
  )
}

function renderShare(call: DeskCall, dimension: Dimension): Html {
  const t = textsIn(call.language).pages.admin.dashboard
  const { key, data } = renderDimension(dimension, call.language)
  if (!isShare(key)) return html``
  const number = new Intl.NumberFormat(call.language)
  const isVersions = key === 'software_versions'
  const parts = data.map((part) => ({
    name: part.human_key,
    value: isVersions ? 0 : Number(part.value),
    shown: part.human_value ?? number.format(Number(part.value)),
  }))
  const body =
    parts.length === 0 ? html`<p class="soft">${t.noNumbers}</p>` : renderShares(t.shares[key], parts)
  return renderPanel(t.shares[key], body)
}

/** Of those who signed up in a month, how many were still here in each later one. */
function renderCohorts(call: DeskCall, cohorts: readonly Cohort[]): Html {
  const t = textsIn(call.language).pages.admin.dashboard
  const month = new Intl.DateTimeFormat(call.language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const percent = new Intl.NumberFormat(call.language, { style: 'percent', maximumFractionDigits: 0 })
  const number = new Intl.NumberFormat(call.language)
  const rows = cohorts.map(
    ({ period, periods }) =>
      html`<tr>
        <th scope="row">${month.format(new Date(period))}</th>
        <td class="number">${number.format(periods[0]?.users ?? 0)}</td>
        ${Array.from({ length: cohorts.length }, (_, index) => periods[index]).map((one) =>
          one === undefined
            ? html`<td></td>`
            : html`<td class="number rate-${Math.round(one.rate * 10)}">${percent.format(one.rate)}</td>`,
        )}
      </tr>`,
  )
  return renderPanel(
    t.retention,
    html`<p class="soft">${t.retentionHint}</p>
      <div class="scroll" tabindex="0" role="group" aria-label="${t.retention}">
        <table class="cohorts">
          <thead>
            <tr>
              <th scope="col">${t.month}</th>
              <th scope="col" class="number">${t.people}</th>
              ${cohorts.map((_, index) => html`<th scope="col" class="number">${t.monthsLater({ count: index })}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>`,
  )
}

/** Looks at the machine anew: a question, which changes nothing. The page shows what was found. */
async function look(call: DeskCall): Promise<Response> {
  await checkSurroundings(call.ctx)
  return show(call)
}

export const pages: readonly Page[] = [
  adminPage({ method: 'POST', path: '/admin/dashboard/doctor', permission: 'view_devops', handle: look }),
  adminPage({ path: '/admin/dashboard', permission: 'view_dashboard', handle: show }),
]
