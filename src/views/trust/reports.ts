import type { Report } from '#entities/report.ts'
import type { Ctx } from '#ports/ctx.ts'
import { loadReports } from '#domain/trust/moderation/reports/reports.ts'
import { notFound } from '#lib/errors.ts'
import { viewAccount } from '../identity/accounts.ts'
import { renderReport } from '../reading/render-notification.ts'
import type { ReportId } from '#lib/id.ts'

/** Report, as whoever made it sees it. Throws `not_found`. */
export async function viewReport(ctx: Ctx, id: ReportId): Promise<Report> {
  const report = (await loadReports(ctx, [id])).get(id)
  if (!report) throw notFound()
  return renderReport(report, await viewAccount(ctx, report.target_account_id))
}
