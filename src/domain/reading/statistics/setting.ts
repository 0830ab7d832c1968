// Whether somebody wants to see numbers of their own at all.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden } from '#lib/errors.ts'
import { dropReactionCounts } from './keep-counts.ts'

/** They are shown unless somebody has said no. */
export const wantsStatistics = ({ settings }: Pick<Viewer, 'settings'>): boolean =>
  settings.statistics ?? true

/** Throws `forbidden` for who wants no numbers. */
export function assertWantsStatistics(viewer: Viewer): void {
  if (!wantsStatistics(viewer)) throw forbidden('statistics_off')
}

/**
 * Shows somebody their numbers, or no longer: then none are kept, and they are counted anew when they are wanted again.
 * Idempotent.
 */
export async function setWantsStatistics(ctx: Ctx, viewer: Viewer, wanted: boolean): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`
      update users set settings = settings || ${JSON.stringify({ statistics: wanted })}::jsonb
      where id = ${viewer.userId}`.execute(tx.db)
    if (!wanted) await dropReactionCounts(tx, viewer.accountId)
  })
}
