import { sql, type Selectable } from 'kysely'
import type { AnnualReportsTable } from '#db/schema/collections.ts'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { findCampaign } from './campaign.ts'
import { isYearWorthTelling, type ReportData } from './summarise.ts'
import type { AccountId, AnnualReportId } from '#lib/id.ts'

/** A finished report. */
export interface ReportRow extends Pick<
  Selectable<AnnualReportsTable>,
  'id' | 'account_id' | 'year' | 'schema_version'
> {
  data: ReportData
}

/**
 * `available`: there is one · `generating`: it is being made · `eligible`: it can be had for the asking · `ineligible`:
 * it cannot be had (now).
 */
export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** After so long in the making, in milliseconds, a report may be asked for anew. */
export const stalledAfter = 3_600_000

const columns = sql`id, account_id, year, schema_version, data`

/** The reports that an account has not looked at, newest first. Each person has at most one a year. */
export async function listUnreadReports(reader: Reader, accountId: AccountId): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ${columns} from annual_reports
    where account_id = ${accountId} and data is not null and viewed_at is null order by year desc`.execute(
    reader.db,
  )
  return rows
}

/** An account's report of a year. Throws `not_found`, also while it is being made. */
export async function getReport(reader: Reader, accountId: AccountId, year: number): Promise<ReportRow> {
  const { rows } = await sql<ReportRow>`
    select ${columns} from annual_reports
    where account_id = ${accountId} and year = ${year} and data is not null`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** How it stands with an account's report of a year. */
export async function getReportState(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<ReportState> {
  const since = new Date(reader.clock.now() - stalledAfter)
  const { rows } = await sql<{ state: ReportState }>`
    select case when data is not null then 'available' else 'generating' end as state from annual_reports
    where account_id = ${accountId} and year = ${year} and (data is not null or created_at > ${since})`.execute(
    reader.db,
  )
  if (rows[0]) return rows[0].state
  const open = (await findCampaign(reader)) === year && (await isYearWorthTelling(reader, accountId, year))
  return open ? 'eligible' : 'ineligible'
}

/** The years of reports by id. */
export async function loadReportYears(
  reader: Reader,
  ids: readonly AnnualReportId[],
): Promise<Map<AnnualReportId, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: AnnualReportId; year: number }>`
    select id, year from annual_reports where id = any(${ids}::bigint[])`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, row.year]))
}
