import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { summariseYear } from './summarise.ts'
import type { AccountId, AnnualReportId } from '#lib/id.ts'

/** Makes a report that was asked for; one that is made stays as it is. Emits `annual-report.generated`. */
export async function generateReport(ctx: Ctx, reportId: AnnualReportId): Promise<void> {
  const { rows } = await sql<{ account_id: AccountId; year: number }>`
    select account_id, year from annual_reports where id = ${reportId} and data is null`.execute(ctx.db)
  const asked = rows[0]
  if (!asked) return
  const data = await summariseYear(ctx, asked.account_id, asked.year)
  await ctx.transaction(async (tx) => {
    const made = await sql`
      update annual_reports set data = ${JSON.stringify(data)}::jsonb
      where id = ${reportId} and data is null returning id`.execute(tx.db)
    if (made.rows.length > 0) await tx.emit({ type: 'annual-report.generated', reportId })
  })
}
