import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'

/** Notes that the viewer has looked at their report of a year. Idempotent. Throws `not_found`. */
export async function markReportRead(ctx: Ctx, viewer: Viewer, year: number): Promise<void> {
  const { rows } = await sql`
    update annual_reports set viewed_at = coalesce(viewed_at, ${new Date(ctx.clock.now())})
    where account_id = ${viewer.accountId} and year = ${year} and data is not null returning id`.execute(
    ctx.db,
  )
  if (rows.length === 0) throw notFound()
}
