import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from './viewer.ts'

const hour = 3_600_000

/** Feeds are kept for people seen within this time, in milliseconds. */
export const activeFor = 14 * 24 * hour

/**
 * Remembers that the user was here today: for the counts of active users, and because feeds are written only for
 * people who read them. Writes at most once an hour.
 */
export async function recordActivity(ctx: Ctx, viewer: Viewer, lastActiveAt: Date | null): Promise<void> {
  const now = ctx.clock.now()
  if (viewer.refusal || (lastActiveAt && now - lastActiveAt.getTime() < hour)) return
  const time = new Date(now)
  const updated = await sql`
    update users set last_active_at = ${time}
    where id = ${viewer.userId} and (last_active_at is null or last_active_at < ${new Date(now - hour)})
    returning id`.execute(ctx.db)
  if (updated.rows.length === 0) return
  await sql`
    insert into user_activity (user_id, day) values (${viewer.userId}, ${time.toISOString().slice(0, 10)})
    on conflict do nothing`.execute(ctx.db)
}
