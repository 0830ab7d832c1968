// The access token of this server's own web app: one for each session, that ends with it.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
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
 * new one after it was revoked, or when the server has another key. It expires when the session does.
 */
export async function getSessionToken(ctx: Ctx, session: SessionOfToken): Promise<string | null> {
  const known = await findSessionToken(ctx, ctx, session)
  if (known?.holds) return known.token
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ expires_at: Date }>`
      select expires_at from sessions where id = ${session.id} for update`.execute(tx.db)
    const locked = rows[0]
    if (!locked) return null
    const made = await findSessionToken(ctx, tx, session)
    if (made !== null) return made.holds ? made.token : renewToken(tx, made)
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

interface KnownToken {
  id: OauthTokenId
  token: string
  /** Not where it followed from another key of the server: the API would refuse it. */
  holds: boolean
}

async function findSessionToken(
  ctx: Ctx,
  reader: Reader,
  session: SessionOfToken,
): Promise<KnownToken | null> {
  const { rows } = await sql<{ id: OauthTokenId; token_hash: Buffer }>`
    select id, token_hash from oauth_tokens where session_id = ${session.id} and revoked_at is null`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  const token = deriveToken(ctx, session, row.id)
  return { id: row.id, token, holds: row.token_hash.equals(hashSecret(token)) }
}

async function renewToken(tx: Tx, { id, token }: KnownToken): Promise<string> {
  await sql`update oauth_tokens set token_hash = ${hashSecret(token)} where id = ${id}`.execute(tx.db)
  return token
}

function deriveToken(ctx: Ctx, session: SessionOfToken, tokenId: OauthTokenId): string {
  return createHmac('sha256', ctx.secrets.secretKeyBase)
    .update(`session-token\0${tokenId}\0${session.secret}`)
    .digest('base64url')
}
