import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const day = 86_400_000
const unconfirmedFor = 7 * day
const batch = 500

/**
 * Deletes the accounts of users who never confirmed their address within a week (their names are free again), and
 * links that have expired. Nobody has ever seen such an account, so nothing follows from it. Returns how many went.
 */
export async function deleteStale(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  let gone = 0
  for (;;) {
    const { rows } = await sql`
      delete from accounts where id in (
        select account_id from users
        where confirmed_at is null and created_at < ${new Date(now - unconfirmedFor)}
        order by created_at limit ${batch})
      returning id`.execute(ctx.db)
    gone += rows.length
    if (rows.length < batch) break
  }
  for (;;) {
    const { rows } = await sql`
      delete from user_tokens where id in (
        select id from user_tokens where expires_at <= ${new Date(now)} order by expires_at limit ${batch})
      returning id`.execute(ctx.db)
    gone += rows.length
    if (rows.length < batch) return gone
  }
}
