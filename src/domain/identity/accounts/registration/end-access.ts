import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { OauthTokenId, SessionId, UserId } from '#lib/id.ts'

/**
 * Ends the user's sessions, tokens, unused authorization codes and reset links: after their password changed, whoever
 * had got in is out. `keepSessionId` names the session in which the change was made. Streams end with their token.
 */
export async function endAccess(
  tx: Tx,
  userId: UserId,
  keepSessionId: SessionId | null = null,
): Promise<void> {
  const now = new Date(tx.clock.now())
  const { rows } = await sql<{ id: OauthTokenId }>`
    update oauth_tokens set revoked_at = ${now}
    where user_id = ${userId} and revoked_at is null
      and (session_id is null or session_id is distinct from ${keepSessionId}::bigint)
    returning id`.execute(tx.db)
  await sql`
    update oauth_grants set expires_at = ${now}
    where user_id = ${userId} and used_at is null and expires_at > ${now}`.execute(tx.db)
  await sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${keepSessionId}::bigint`.execute(
    tx.db,
  )
  await sql`delete from user_tokens where user_id = ${userId} and purpose = 'reset'`.execute(tx.db)
  for (const { id } of rows) await tx.emit({ type: 'token.revoked', tokenId: id })
}
