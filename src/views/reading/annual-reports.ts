import type { AnnualReport, AsyncRefresh, WrappedAnnualReports } from '#entities/annual-report.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { ReportRow, ReportState } from '#domain/reading/annual-reports/queries.ts'
import { viewAccounts } from '../identity/accounts.ts'
import { viewStatuses } from '../content/statuses.ts'

/** WrappedAnnualReports (https://docs.joinmastodon.org/entities/AnnualReport/): reports, and all that they name. */
export async function viewAnnualReports(
  ctx: Ctx,
  viewer: Viewer,
  reports: readonly ReportRow[],
): Promise<WrappedAnnualReports> {
  const statusIds = reports.flatMap(({ data: { top_statuses: top } }) =>
    [top.by_reblogs, top.by_favourites, top.by_replies].filter((id) => id !== null),
  )
  const accountIds = [...new Set(reports.map((report) => report.account_id))]
  const [accounts, statuses] = await Promise.all([
    viewAccounts(ctx, accountIds),
    viewStatuses(ctx, viewer, [...new Set(statusIds)]),
  ])
  return { annual_reports: reports.map(renderReport), accounts, statuses }
}

/** AnnualReport. This server has no page where others could look at one. */
function renderReport(report: ReportRow): AnnualReport {
  return {
    year: report.year,
    data: report.data,
    schema_version: report.schema_version,
    share_url: null,
    account_id: report.account_id,
  }
}

/** Under which name a report in the making is asked after, as an AsyncRefresh. */
export const reportRefreshId = (year: number) => `annual-report-${year}`

/** The year that a name of `reportRefreshId` means; null for others. */
export function parseReportRefreshId(id: string): number | null {
  const year = /^annual-report-(\d{4})$/.exec(id)?.[1]
  return year === undefined ? null : Number(year)
}

/** AsyncRefresh (https://docs.joinmastodon.org/entities/AsyncRefresh/) of a report that is or was in the making. */
export function renderReportRefresh(year: number, state: ReportState): AsyncRefresh {
  const status = state === 'generating' ? 'running' : 'finished'
  return { async_refresh: { id: reportRefreshId(year), status, result_count: null } }
}
