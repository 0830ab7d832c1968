import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getReportState, stalledAfter, type ReportState } from './queries.ts'
import { schemaVersion } from './summarise.ts'
import type { AnnualReportId } from '#lib/id.ts'

/**
 * Has the viewer's report of a year made, where it can be had. Idempotent. Returns how it stands with it then:
 * never `eligible`.
 */
export async function requestReport(ctx: Ctx, viewer: Viewer, year: number): Promise<ReportState> {
  const state = await getReportState(ctx, viewer.accountId, year)
  if (state !== 'eligible') return state
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: AnnualReportId }>`
      insert into annual_reports (id, account_id, year, schema_version, created_at)
      values (${tx.newId()}, ${viewer.accountId}, ${year}, ${schemaVersion}, ${new Date(now)})
      on conflict (account_id, year) do update set created_at = excluded.created_at
      where annual_reports.data is null and annual_reports.created_at <= ${new Date(now - stalledAfter)}
      returning id`.execute(tx.db)
    const asked = rows[0]
    if (asked) await tx.emit({ type: 'annual-report.requested', reportId: asked.id })
  })
  return 'generating'
}
