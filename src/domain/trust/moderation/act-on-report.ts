// What staff do about the statuses that a report names.
import type { Ctx } from '#ports/ctx.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { getReport, type StaffReportRow } from './reports/staff-reports.ts'
import { takeAction } from './take-action.ts'
import type { ReportId, StatusId } from '#lib/id.ts'

export const statusActions = ['delete_statuses', 'mark_statuses_as_sensitive'] as const

export interface StatusAction {
  type: (typeof statusActions)[number] | undefined
  /** Of those that the report names; without them all. */
  statusIds?: readonly StatusId[] | undefined
  /** To the person concerned. */
  text?: string | undefined
  /** They are told by mail, too; by default they are. */
  mail?: boolean | undefined
}

/**
 * Deletes reported statuses or marks what they carry as sensitive, as a strike, and settles the report. Throws `not_found`
 * for the report, for statuses that it does not name and when none is left; `forbidden` as `takeAction` does.
 */
export async function actOnReport(
  ctx: Ctx,
  staff: ActingStaff,
  reportId: ReportId,
  { type, statusIds, text, mail }: StatusAction,
): Promise<StaffReportRow> {
  if (type === undefined) throw invalid('type', 'blank')
  const report = await getReport(ctx, reportId)
  const named = new Set(report.status_ids)
  if (statusIds?.some((id) => !named.has(id))) throw notFound()
  await takeAction(ctx, staff, report.target_account_id, { type, reportId, statusIds, text, mail })
  return getReport(ctx, reportId)
}
