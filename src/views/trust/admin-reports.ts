import type { Rule } from '#entities/instance/rule.ts'
import type { AdminReport } from '#entities/admin/report.ts'
import type { AdminAccount, AdminNote } from '#entities/admin/account.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import { loadRules } from '#domain/server/instance/rules.ts'
import type { NoteRow } from '#domain/trust/moderation/notes.ts'
import type { StaffReportRow } from '#domain/trust/moderation/reports/staff-reports.ts'
import { pick, valueOf } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { viewAdminAccounts } from '../identity/admin-accounts.ts'
import { renderRepresentative } from '../identity/representative.ts'
import { renderRule } from '../server/instance-texts.ts'
import { loadReportedViews } from '../content/statuses.ts'
import { asId, type AccountId, type AnyId, type RuleId, type StatusId } from '#lib/id.ts'

interface Parts {
  accounts: ReadonlyMap<AccountId, AdminAccount>
  statuses: ReadonlyMap<StatusId, Status>
  rules: ReadonlyMap<RuleId, Rule>
  /** Stands for who is gone. */
  representative: AdminAccount
}

/** Admin::Reports as the viewer, one of staff, sees them, by a constant number of queries. */
export async function viewAdminReports(
  ctx: Ctx,
  viewerId: AccountId,
  reports: readonly StaffReportRow[],
): Promise<AdminReport[]> {
  const parts = await loadParts(ctx, viewerId, reports)
  return reports.map((report) => renderAdminReport(report, parts))
}

export async function viewAdminReport(
  ctx: Ctx,
  viewerId: AccountId,
  report: StaffReportRow,
): Promise<AdminReport> {
  const parts = await loadParts(ctx, viewerId, [report])
  return renderAdminReport(report, parts)
}

async function loadParts(ctx: Ctx, viewerId: AccountId, reports: readonly StaffReportRow[]): Promise<Parts> {
  const idsOf = <Id extends AnyId>(find: (report: StaffReportRow) => readonly (Id | null)[]): Id[] => [
    ...new Set(reports.flatMap(find).filter((id) => id !== null)),
  ]
  const accountIds = idsOf((report) => [
    report.account_id,
    report.target_account_id,
    report.assigned_account_id,
    report.action_taken_by_account_id,
  ])
  const accounts = await viewAdminAccounts(ctx, accountIds)
  const rules = await loadRules(
    ctx,
    idsOf((report) => report.rule_ids),
  )
  return {
    accounts: new Map(accounts.map((account) => [asId<AccountId>(account.id), account])),
    statuses: await loadReportedViews(
      ctx,
      viewerId,
      idsOf((report) => report.status_ids),
    ),
    rules: new Map(rules.map((rule) => [rule.id, renderRule(rule)])),
    representative: renderRepresentative(ctx.config),
  }
}

/** Admin::Report (https://docs.joinmastodon.org/entities/Admin_Report/), with the ids of reported collections. */
function renderAdminReport(
  report: StaffReportRow,
  { accounts, statuses, rules, representative }: Parts,
): AdminReport {
  const account = (id: AccountId | null) => (id === null ? null : (accounts.get(id) ?? null))
  return {
    id: report.id,
    action_taken: report.action_taken_at !== null,
    action_taken_at: report.action_taken_at && formatTime(report.action_taken_at),
    category: report.category,
    comment: report.comment,
    forwarded: report.forwarded,
    created_at: formatTime(report.created_at),
    updated_at: formatTime(report.updated_at),
    account: account(report.account_id) ?? representative,
    target_account: account(report.target_account_id) ?? representative,
    assigned_account: account(report.assigned_account_id),
    action_taken_by_account: account(report.action_taken_by_account_id),
    statuses: pick(report.status_ids, statuses),
    rules: pick(report.rule_ids, rules),
    collection_ids: report.collection_ids,
  }
}

/** What staff tell each other, with who wrote it. */
export async function viewNotes(ctx: Ctx, notes: readonly NoteRow[]): Promise<AdminNote[]> {
  const authors = await loadAccountViews(ctx, [...new Set(notes.flatMap((note) => note.account_id ?? []))])
  return notes.map((note) => ({
    id: note.id,
    text: note.text,
    account: valueOf(authors, note.account_id) ?? null,
    report_id: note.report_id,
    target_account_id: note.target_account_id,
    ...(note.domain !== null && { domain: note.domain }),
    created_at: formatTime(note.created_at),
  }))
}

export async function viewNote(ctx: Ctx, note: NoteRow): Promise<AdminNote> {
  const [view] = await viewNotes(ctx, [note])
  return view as AdminNote
}
