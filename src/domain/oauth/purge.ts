import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { revokeTokens } from './revoke.ts'
import { purgeSignIns } from './sign-ins.ts'

const day = 86_400_000
/** Expired and revoked tokens are remembered for this long, so that clients learn why they stopped. */
const memory = 90 * day
const atOnce = 1000

/**
 * Deletes sessions that ended, codes that were never used, and tokens that have been dead for long. Each at most a
 * thousand in one go, until none is left. A used code stays as long as a token from it lives, so that a second use
 * can revoke it. Sign-ins are forgotten after a year.
 */
export async function purgeOauth(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  while ((await purgeSessions(ctx, now)) === atOnce);
  while ((await purgeTokens(ctx, now)) === atOnce);
  await purgeSignIns(ctx)
  await sql`
    delete from oauth_grants g where g.expires_at < ${new Date(now - day)}
      and not exists (select 1 from oauth_tokens t where t.grant_id = g.id)`.execute(ctx.db)
}

async function purgeSessions(ctx: Ctx, now: number): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: Id }>`
      select id from sessions where expires_at < ${new Date(now)} limit ${atOnce} for update skip locked`.execute(
      tx.db,
    )
    const ids = rows.map((row) => row.id)
    await revokeTokens(tx, sql`session_id = any(${ids}::bigint[])`)
    await sql`delete from sessions where id = any(${ids}::bigint[])`.execute(tx.db)
    return ids.length
  })
}

async function purgeTokens(ctx: Ctx, now: number): Promise<number> {
  const before = new Date(now - memory)
  const { rows } = await sql`
    delete from oauth_tokens where id in (
      select id from oauth_tokens
      where revoked_at < ${before} or (expires_at < ${before} and refresh_hash is null)
      limit ${atOnce} for update skip locked)
    returning id`.execute(ctx.db)
  return rows.length
}
