import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const day = 86_400_000
const unconfirmedFor = 7 * day
const addressKeptFor = 365 * day
const batch = 500

/**
 * Deletes the accounts of users who never confirmed their address within a week (their names are free again), and
 * links and sessions that have expired. Nobody has ever seen such an account, so nothing follows from it. Addresses
 * from which people signed up are forgotten after a year.
 */
export async function deleteStale(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  for (;;) {
    const { rows } = await sql`
      delete from accounts where id in (
        select account_id from users
        where confirmed_at is null and created_at < ${new Date(now - unconfirmedFor)} limit ${batch})
      returning id`.execute(ctx.db)
    if (rows.length < batch) break
  }
  await sql`delete from user_tokens where expires_at <= ${new Date(now)}`.execute(ctx.db)
  await sql`delete from sessions where expires_at <= ${new Date(now)}`.execute(ctx.db)
  await sql`
    update users set sign_up_ip = null
    where sign_up_ip is not null and created_at < ${new Date(now - addressKeptFor)}`.execute(ctx.db)
}
