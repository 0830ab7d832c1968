import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { revokeTokens } from './revoke.ts'
import type { SessionId } from '#lib/id.ts'

const day = 86_400_000
/** Expired and revoked tokens are remembered for this long, so that clients learn why they stopped. */
const memory = 90 * day
const atOnce = 1000

/**
 * Deletes sessions that ended, codes that were never used, and tokens that have been dead for long. Each at most a
 * thousand in one go, until none is left. A used code stays as long as a token from it lives, so that a second use
 * can revoke it. Returns how many went.
 */
export async function purgeOauth(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  let gone = 0
  for (const purge of [purgeSessions, purgeRevoked, purgeExpired, purgeGrants]) {
    for (let count = atOnce; count === atOnce; gone += count) count = await purge(ctx, now)
  }
  return gone
}

async function purgeSessions(ctx: Ctx, now: number): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: SessionId }>`
      select id from sessions where expires_at < ${new Date(now)}
      order by expires_at limit ${atOnce} for update skip locked`.execute(tx.db)
    const ids = rows.map((row) => row.id)
    await revokeTokens(tx, sql`session_id = any(${ids}::bigint[])`)
    await sql`delete from sessions where id = any(${ids}::bigint[])`.execute(tx.db)
    return ids.length
  })
}

function purgeRevoked(ctx: Ctx, now: number): Promise<number> {
  return purgeTokens(ctx, sql`revoked_at < ${new Date(now - memory)} order by revoked_at`)
}

/** What can be refreshed is not dead. */
function purgeExpired(ctx: Ctx, now: number): Promise<number> {
  return purgeTokens(
    ctx,
    sql`expires_at < ${new Date(now - memory)} and refresh_hash is null order by expires_at`,
  )
}

async function purgeTokens(ctx: Ctx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    delete from oauth_tokens where id = any(array(
      select id from oauth_tokens where ${which} limit ${atOnce} for update skip locked))
    returning id`.execute(ctx.db)
  return rows.length
}

async function purgeGrants(ctx: Ctx, now: number): Promise<number> {
  const { rows } = await sql`
    delete from oauth_grants where id in (
      select g.id from oauth_grants g
      where g.expires_at < ${new Date(now - day)}
        and not exists (select 1 from oauth_tokens t where t.grant_id = g.id offset 0)
      order by g.expires_at limit ${atOnce})
    returning id`.execute(ctx.db)
  return rows.length
}
