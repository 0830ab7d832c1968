// What staff do with one report.
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { actOnReport } from '#domain/trust/moderation/act-on-report.ts'
import { createNote } from '#domain/trust/moderation/notes.ts'
import { categories } from '#domain/trust/moderation/reports/reports.ts'
import {
  assignReport,
  getReport,
  reopenReport,
  resolveReport,
  updateReport,
} from '#domain/trust/moderation/reports/staff-reports.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import type { AccountId, ReportId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAdminReport } from '#views/trust/admin-reports.ts'
import { redirectWith } from '../../kit/flash.ts'
import { textParam } from '../../kit/form.ts'
import type { Page } from '../../kit/page.ts'
import {
  decisionTypes,
  isAboutStatuses,
  isPreview,
  readDecision,
  renderDecision,
  type DecisionType,
} from '../decisions/decision.ts'
import { toFlash } from '../decisions/flash.ts'
import { adminPage, tryForm, type DeskCall } from '../kit/admin-page.ts'
import { idParam, wordParam } from '../kit/params.ts'
import { markOf, showReport } from './report.ts'

const permission = 'manage_reports'
const list = '/admin/reports'
const pathOf = (id: ReportId) => `${list}/${id}`

type Change = (ctx: Ctx, viewer: Viewer, id: ReportId) => Promise<unknown>

/** Does something that the next page offers to take back by the other. */
const change =
  (
    work: Change,
    said: 'resolve' | 'reopen' | 'assign' | 'unassign',
    back: 'resolve' | 'reopen' | 'assign' | 'unassign',
  ) =>
  async (call: DeskCall): Promise<Response> => {
    const id = idParam<ReportId>(call)
    await work(call.ctx, call.viewer, id)
    const t = textsIn(call.language).pages.admin.did
    // Whoever settled one goes on with the next.
    const next = said === 'resolve' ? list : pathOf(id)
    return redirectWith(call, next, { text: t[said]({ id }), undo: { action: `${pathOf(id)}/${back}` } })
  }

const assignToSelf: Change = (ctx, viewer, id) => assignReport(ctx, viewer, id, viewer.accountId)
const unassign: Change = (ctx, viewer, id) => assignReport(ctx, viewer, id, null)

async function changeCategory(call: DeskCall): Promise<Response> {
  const id = idParam<ReportId>(call)
  const category = wordParam(call, 'category', categories)
  await updateReport(call.ctx, call.viewer, id, { category })
  return redirectWith(call, pathOf(id), { text: textsIn(call.language).pages.admin.did.saved })
}

async function writeNote(call: DeskCall): Promise<Response> {
  const id = idParam<ReportId>(call)
  await createNote(call.ctx, call.viewer, { reportId: id }, textParam(call.params, 'text'))
  return redirectWith(call, pathOf(id), { text: textsIn(call.language).pages.admin.did.noted })
}

/** What a page that is open elsewhere asks: whether somebody else decided meanwhile. */
async function describeState(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.report
  const row = await getReport(call.ctx, idParam<ReportId>(call))
  const report = await viewAdminReport(call.ctx, call.viewer.accountId, row)
  const who = report.action_taken_by_account ?? report.assigned_account
  const name = who?.username ?? ''
  const text = report.action_taken ? t.nowSettled({ name }) : who ? t.nowAssigned({ name }) : t.nowChanged
  return Response.json({ mark: markOf(report), text }, { headers: { 'cache-control': 'private, no-store' } })
}

/** The page on which a decision about it is written down. */
async function askDecision(call: DeskCall, problem: string | null = null): Promise<Response> {
  const row = await getReport(call.ctx, idParam<ReportId>(call))
  const report = await viewAdminReport(call.ctx, call.viewer.accountId, row)
  const type = wordParam(call, 'type', decisionTypes) ?? 'none'
  const t = textsIn(call.language).pages.admin
  return renderDecision(call, {
    type,
    target: report.target_account,
    action: `${pathOf(row.id)}/decide`,
    back: pathOf(row.id),
    trail: [
      [list, t.sections.reports],
      [pathOf(row.id), t.report.name({ id: row.id })],
    ],
    statuses: report.statuses,
    problem,
  })
}

async function decide(call: DeskCall): Promise<Response> {
  if (isPreview(call)) return askDecision(call)
  const id = idParam<ReportId>(call)
  const { target_account_id: accountId } = await getReport(call.ctx, id)
  const type = wordParam(call, 'type', decisionTypes) ?? 'none'
  const problem = await tryForm(call, () => carryOut(call, { id, accountId, type }))
  return problem === null
    ? redirectWith(call, list, toFlash(call, accountId, type))
    : askDecision(call, problem)
}

async function carryOut(
  call: DeskCall,
  { id, accountId, type }: { id: ReportId; accountId: AccountId; type: DecisionType },
): Promise<void> {
  const { text, mail, statusIds, ...input } = readDecision(call, accountId)
  // Statuses that a report names are the report's operation, as in the API; presets go with it.
  if (isAboutStatuses(type) && input.presetId === undefined) {
    const named = type as Extract<DecisionType, 'delete_statuses' | 'mark_statuses_as_sensitive'>
    await actOnReport(call.ctx, call.viewer, id, { type: named, statusIds, text, mail })
  } else {
    await takeAction(call.ctx, call.viewer, accountId, { ...input, text, mail, statusIds, reportId: id })
  }
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/reports/:id{[0-9]+}', permission, handle: showReport }),
  adminPage({ path: '/admin/reports/:id{[0-9]+}/state', permission, handle: describeState }),
  adminPage({ path: '/admin/reports/:id{[0-9]+}/decide', permission, handle: (call) => askDecision(call) }),
  adminPage({ method: 'POST', path: '/admin/reports/:id{[0-9]+}/decide', permission, handle: decide }),
  adminPage({
    method: 'POST',
    path: '/admin/reports/:id{[0-9]+}/resolve',
    permission,
    handle: change(resolveReport, 'resolve', 'reopen'),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/reports/:id{[0-9]+}/reopen',
    permission,
    handle: change(reopenReport, 'reopen', 'resolve'),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/reports/:id{[0-9]+}/assign',
    permission,
    handle: change(assignToSelf, 'assign', 'unassign'),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/reports/:id{[0-9]+}/unassign',
    permission,
    handle: change(unassign, 'unassign', 'assign'),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/reports/:id{[0-9]+}/category',
    permission,
    handle: changeCategory,
  }),
  adminPage({ method: 'POST', path: '/admin/reports/:id{[0-9]+}/notes', permission, handle: writeNote }),
]
