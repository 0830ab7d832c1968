// The access token of this server's own web app: one for each session, that ends with it.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { hashSecret } from '#lib/secrets.ts'
import type { OauthTokenId, SessionId, UserId } from '#lib/id.ts'

/** All that people do themselves. Staff work on pages, which look at the session. */
export const webAppScopes = ['read', 'write', 'follow', 'push'] as const

export interface SessionOfToken {
  readonly id: SessionId
  readonly userId: UserId
  /** Known to the browser alone: the database has its hash. */
  readonly secret: string
}

/**
 * Returns the token with which the web app calls the API in this session; null when the session has ended meanwhile. The
 * same for as long as it holds, since it follows from its id and from what only the browser and only the server know; a
 * new one after it was revoked. It expires when the session does.
 */
export async function getSessionToken(ctx: Ctx, session: SessionOfToken): Promise<string | null> {
  const known = await findSessionToken(ctx, session.id)
  if (known !== null) return deriveToken(ctx, session, known)
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ expires_at: Date }>`
      select expires_at from sessions where id = ${session.id} for update`.execute(tx.db)
    const locked = rows[0]
    if (!locked) return null
    const made = await findSessionToken(tx, session.id)
    if (made !== null) return deriveToken(ctx, session, made)
    const id = tx.newId<OauthTokenId>()
    const token = deriveToken(ctx, session, id)
    await tx.db
      .insertInto('oauth_tokens')
      .values({
        id,
        token_hash: hashSecret(token),
        user_id: session.userId,
        session_id: session.id,
        scopes: [...webAppScopes],
        expires_at: locked.expires_at,
        created_at: new Date(tx.clock.now()),
      })
      .execute()
    return token
  })
}

async function findSessionToken(reader: Reader, sessionId: SessionId): Promise<OauthTokenId | null> {
  const { rows } = await sql<{ id: OauthTokenId }>`
    select id from oauth_tokens where session_id = ${sessionId} and revoked_at is null`.execute(reader.db)
  return rows[0]?.id ?? null
}

function deriveToken(ctx: Ctx, session: SessionOfToken, tokenId: OauthTokenId): string {
  return createHmac('sha256', ctx.secrets.secretKeyBase)
    .update(`session-token\0${tokenId}\0${session.secret}`)
    .digest('base64url')
}
