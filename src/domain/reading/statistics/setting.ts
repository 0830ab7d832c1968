// Whether somebody wants to see numbers of their own at all.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden } from '#lib/errors.ts'

/** They are shown unless somebody has said no. */
export const wantsStatistics = ({ settings }: Pick<Viewer, 'settings'>): boolean =>
  settings.statistics ?? true

/** Throws `forbidden` for who wants no numbers. */
export function assertWantsStatistics(viewer: Viewer): void {
  if (!wantsStatistics(viewer)) throw forbidden('statistics_off')
}

/** Shows somebody their numbers, or no longer. Nothing is kept or lost by it: they are counted when they are asked for. */
export async function setWantsStatistics(reader: Reader, viewer: Viewer, wanted: boolean): Promise<void> {
  await sql`
    update users set settings = settings || ${JSON.stringify({ statistics: wanted })}::jsonb
    where id = ${viewer.userId}`.execute(reader.db)
}
