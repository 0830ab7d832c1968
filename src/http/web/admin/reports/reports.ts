// The reports, as a list.
import { html } from 'hono/html'
import type { AdminReport } from '#entities/admin/report.ts'
import { categories } from '#domain/trust/moderation/reports/reports.ts'
import {
  listReports,
  reopenReport,
  resolveReport,
  type ReportFilter,
} from '#domain/trust/moderation/reports/staff-reports.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { asId, type AccountId, type ReportId } from '#lib/id.ts'
import { stripHtml } from '#lib/html/html.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { viewAdminReports } from '#views/trust/admin-reports.ts'
import { redirectWith } from '../../kit/flash.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { requireTicked } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { renderFilters } from '../kit/filters.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { optionalId, wordParam } from '../kit/params.ts'
import { renderBadge, renderMoment, renderPerson, renderTabs } from '../kit/parts.ts'
import { renderBulk } from '../kit/table.ts'

const path = '/admin/reports'
const permission = 'manage_reports'

function filterOf(call: DeskCall): ReportFilter {
  const assigned = wordParam(call, 'assigned', ['me', 'nobody'])
  return {
    resolved: textParam(call.params, 'resolved') === '1',
    category: wordParam(call, 'category', categories),
    origin: wordParam(call, 'origin', ['local', 'remote']),
    targetDomain: textParam(call.params, 'by_target_domain'),
    accountId: optionalId<AccountId>(call, 'account_id'),
    targetAccountId: optionalId<AccountId>(call, 'target_account_id'),
    ...(assigned && { assigneeId: assigned === 'me' ? call.viewer.accountId : null }),
  }
}

async function show(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const filter = filterOf(call)
  const page = await listReports(call.ctx, filter, pageOf(call))
  const reports = await viewAdminReports(call.ctx, call.viewer.accountId, page.items)
  const actions = filter.resolved
    ? [{ value: 'reopen', label: t.report.reopen }]
    : [{ value: 'resolve', label: t.report.resolve }]
  const table = renderBulk(
    call,
    {
      caption: t.sections.reports,
      columns: [
        { label: t.reports.about },
        { label: t.reports.why },
        { label: t.reports.by },
        { label: t.reports.at },
        { label: t.reports.state },
      ],
      rows: reports.map((report) => renderRow(call, report)),
      none: filter.resolved ? t.reports.noneResolved : t.reports.none,
    },
    { action: `${path}/bulk`, actions },
  )
  const tabs = renderTabs(call, [
    { label: t.reports.waiting, changes: { resolved: null } },
    { label: t.reports.resolved, changes: { resolved: '1' } },
  ])
  const body = html`${tabs} ${renderFilterForm(call)} ${table} ${renderPager(call, page)}`
  return renderDesk(call, { title: t.sections.reports, body })
}

function renderFilterForm(call: DeskCall): Html {
  const t = textsIn(call.language).pages.admin
  const any = { value: '', label: t.any }
  return renderFilters(
    call,
    [
      {
        name: 'category',
        label: t.reports.why,
        choices: [any, ...categories.map((value) => ({ value, label: t.categories[value] }))],
      },
      {
        name: 'origin',
        label: t.accounts.origin,
        choices: [
          any,
          { value: 'local', label: t.accounts.local },
          { value: 'remote', label: t.accounts.remote },
        ],
      },
      { name: 'by_target_domain', label: t.accounts.domain },
      {
        name: 'assigned',
        label: t.reports.assignee,
        choices: [any, { value: 'me', label: t.reports.me }, { value: 'nobody', label: t.reports.nobody }],
      },
    ],
    ['resolved', 'account_id', 'target_account_id'],
  )
}

const maxWords = 120

function renderRow(call: DeskCall, report: AdminReport) {
  const t = textsIn(call.language).pages.admin
  const said = report.comment || stripHtml(report.statuses[0]?.content ?? '')
  const count = report.statuses.length
  return {
    id: report.id,
    label: t.reports.name({ id: report.id, name: `@${report.target_account.account.acct}` }),
    cells: [
      renderPerson(call, report.target_account.account),
      html`<a href="${path}/${report.id}">${t.categories[report.category]}</a> ${
          count === 0 ? '' : html`<span class="soft">${t.reports.posts({ count })}</span>`
        }
        <div class="soft" dir="auto">${truncatePlain(said.trim(), maxWords)}</div>`,
      html`<bdi>@${report.account.account.acct}</bdi>`,
      renderMoment(call, report.created_at),
      renderState(call, report),
    ],
  }
}

/** Whether it waits, for whom, or who settled it. */
export function renderState(call: DeskCall, report: AdminReport): Html {
  const t = textsIn(call.language).pages.admin.reports
  const by = report.action_taken_by_account
  if (report.action_taken) return renderBadge(by ? t.settledBy({ name: by.username }) : t.settled, 'good')
  const { assigned_account: assigned } = report
  return assigned ? renderBadge(t.assignedTo({ name: assigned.username }), 'main') : renderBadge(t.open)
}

/** Settles or reopens all that are ticked: both can be taken back. */
async function changeMany(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.reports
  const ids = requireTicked(call)
  const action = wordParam(call, 'action', ['resolve', 'reopen']) ?? 'resolve'
  const change = action === 'resolve' ? resolveReport : reopenReport
  for (const id of ids) await change(call.ctx, call.viewer, asId<ReportId>(id))
  const count = ids.length
  return redirectWith(call, action === 'resolve' ? path : `${path}?resolved=1`, {
    text: action === 'resolve' ? t.didResolve({ count }) : t.didReopen({ count }),
  })
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/reports', permission, handle: show }),
  adminPage({ method: 'POST', path: '/admin/reports/bulk', permission, handle: changeMany }),
]
