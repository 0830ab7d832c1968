// One report with all that is needed to decide about it.
import { html } from 'hono/html'
import type { AdminReport } from '#entities/admin/report.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { categories } from '#domain/trust/moderation/reports/reports.ts'
import { listNotes } from '#domain/trust/moderation/notes.ts'
import {
  getReport,
  listReports,
  type StaffReportRow,
} from '#domain/trust/moderation/reports/staff-reports.ts'
import { listStrikes } from '#domain/trust/moderation/strikes.ts'
import { asId, type AccountId, type ReportId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAdminReport, viewNotes } from '#views/trust/admin-reports.ts'
import { renderForm, renderSelect } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { decisionKeys, decisionTypes, isAboutStatuses } from '../decisions/decision.ts'
import { decisionPaths, renderNotes } from '../decisions/notes.ts'
import { renderStrikes } from '../decisions/strikes.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { idParam } from '../kit/params.ts'
import { renderAct, renderMoment, renderPanel, renderPerson } from '../kit/parts.ts'
import { renderFacts } from '../kit/table.ts'
import { renderState } from './reports.ts'
import { renderThreads } from './threads.ts'

/** Earlier things that are shown of somebody. */
const fewest = 10

/** When it last changed, for pages that are open elsewhere. */
export const markOf = (report: Pick<AdminReport, 'updated_at'>): string => report.updated_at

export async function showReport(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const { ctx, viewer } = call
  const row = await getReport(ctx, idParam<ReportId>(call))
  const report = await viewAdminReport(ctx, viewer.accountId, row)
  const notes = await listNotes(ctx, { reportId: row.id }, { limit: 40 })
  const path = `/admin/reports/${report.id}`
  const body = html`<p
      class="notice"
      role="status"
      data-watch="${path}/state"
      data-mark="${markOf(report)}"
      hidden
    ></p>
    ${renderDecisions(call, report)}
    <div class="panels wide-first">
      <div>
        ${await renderThreads(call, report)}
        ${renderPanel(t.report.notes, renderNotes(call, await viewNotes(ctx, notes.items), decisionPaths(`${path}/notes`)))}
      </div>
      <div>
        ${renderPanel(t.report.title, renderReport(call, report))} ${await renderTarget(call, report)}
      </div>
    </div>`
  return renderDesk(call, {
    title: t.report.name({ id: report.id }),
    beside: renderState(call, report),
    trail: [['/admin/reports', t.sections.reports]],
    body,
    withPosts: true,
  })
}

/** One button and one key for each thing that may be decided. */
function renderDecisions(call: DeskCall, report: AdminReport): Html {
  const t = textsIn(call.language).pages.admin
  const path = `/admin/reports/${report.id}`
  const isMine = report.assigned_account?.id === call.viewer.accountId
  if (report.action_taken)
    return html`<div class="decisions">
      ${renderAct(call, { action: `${path}/reopen`, label: t.report.reopen, key: 'o' })}
    </div>`
  const possible = decisionTypes.filter(
    (type) =>
      (!isAboutStatuses(type) || report.statuses.length > 0) &&
      (type !== 'disable' ||
        (report.target_account.domain === null && hasPermission(call.viewer, 'manage_users'))),
  )
  return html`<div class="decisions" role="group" aria-label="${t.report.decide}">
    ${renderAct(call, { action: `${path}/resolve`, label: t.report.resolve, key: 'r' })}
    ${renderAct(call, {
      action: isMine ? `${path}/unassign` : `${path}/assign`,
      label: isMine ? t.report.unassign : t.report.assign,
      key: 'a',
    })}
    ${possible.map(
      (type) =>
        html`<div class="act" data-key="${decisionKeys[type]}">
          <a class="button quiet" href="${path}/decide?type=${type}">${t.decisions[type].name}</a
          ><kbd aria-hidden="true">${decisionKeys[type]}</kbd>
        </div>`,
    )}
  </div>`
}

function renderReport(call: DeskCall, report: AdminReport): Html {
  const t = textsIn(call.language).pages.admin
  const by = report.account.domain ?? null
  const facts = renderFacts([
    [t.reports.by, by === null ? renderPerson(call, report.account.account) : html`<bdi>${by}</bdi>`],
    [t.reports.at, renderMoment(call, report.created_at)],
    [
      t.report.says,
      report.comment === '' ? null : html`<span class="said" dir="auto">${report.comment}</span>`,
    ],
    [
      t.report.rules,
      report.rules.length === 0
        ? null
        : html`${report.rules.map(({ text }) => html`<p dir="auto">${text}</p>`)}`,
    ],
    [t.report.forwarded, report.forwarded ? t.yes : null],
    [
      t.reports.assignee,
      report.assigned_account ? renderPerson(call, report.assigned_account.account) : t.reports.nobody,
    ],
  ])
  const category = renderForm(call, {
    action: `/admin/reports/${report.id}/category`,
    fields: [
      renderSelect({
        name: 'category',
        label: t.reports.why,
        value: report.category,
        choices: categories.map((value) => ({ value, label: t.categories[value] })),
      }),
    ],
    submit: t.save,
    quiet: true,
  })
  return html`${facts} ${category}`
}

/** Whom it is about, with what was decided before and what else was reported. */
async function renderTarget(call: DeskCall, report: AdminReport): Promise<Html> {
  const t = textsIn(call.language).pages.admin
  const { account, domain } = report.target_account
  const id = asId<AccountId>(account.id)
  const strikes = await listStrikes(call.ctx, id, { limit: fewest })
  const waiting = await listReports(call.ctx, { targetAccountId: id }, { limit: fewest + 1 })
  const others = waiting.items.filter((one) => one.id !== report.id)
  const settled = await listReports(call.ctx, { targetAccountId: id, resolved: true }, { limit: fewest })
  const notes = await listNotes(call.ctx, { targetAccountId: id }, { limit: fewest })
  const body = html`${renderPerson(call, account)}
    ${renderFacts([
      [t.account.joined, renderMoment(call, account.created_at)],
      [t.account.posts, String(account.statuses_count)],
      [t.account.followers, String(account.followers_count)],
      [
        t.accounts.domain,
        domain === null || !hasPermission(call.viewer, 'manage_federation')
          ? domain
          : html`<a href="/admin/instances/${domain}"><bdi>${domain}</bdi></a>`,
      ],
      [t.report.others, renderOthers(call, others)],
      [t.report.earlier, renderOthers(call, settled.items)],
    ])}
    <h3>${t.account.strikes}</h3>
    ${renderStrikes(call, strikes.items)}
    ${
      notes.items.length === 0
        ? ''
        : html`<h3>${t.account.notes}</h3>
            ${renderNotes(call, await viewNotes(call.ctx, notes.items), null)}`
    }`
  return renderPanel(t.report.target, body)
}

function renderOthers(
  call: DeskCall,
  reports: readonly Pick<StaffReportRow, 'id' | 'category'>[],
): Html | null {
  const words = textsIn(call.language).pages.admin.categories
  if (reports.length === 0) return null
  return html`${reports.map(
    ({ id, category }) => html`<a href="/admin/reports/${id}">${words[category]}</a> `,
  )}`
}
