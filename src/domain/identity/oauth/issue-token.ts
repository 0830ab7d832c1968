import type { Tx } from '#ports/ctx.ts'
import { hashSecret, newSecret } from '#lib/secrets.ts'
import type { ApplicationId, OauthGrantId, OauthTokenId, UserId } from '#lib/id.ts'

export interface NewToken {
  applicationId: ApplicationId | null
  userId: UserId | null
  scopes: readonly string[]
  grantId?: OauthGrantId | null
  expiresAt?: Date | null
  /** A refresh token is wanted beside it. */
  refreshable?: boolean
}

export interface IssuedToken {
  id: OauthTokenId
  /** Told once: only its hash is kept. */
  secret: string
  refreshSecret: string | null
  scopes: readonly string[]
  createdAt: Date
  /** Null: until it is revoked. */
  expiresAt: Date | null
}

/** Makes an access token (RFC 6749). */
export async function issueToken(tx: Tx, token: NewToken): Promise<IssuedToken> {
  const secret = newSecret()
  const refreshSecret = token.refreshable ? newSecret() : null
  const createdAt = new Date(tx.clock.now())
  const id = tx.newId<OauthTokenId>()
  await tx.db
    .insertInto('oauth_tokens')
    .values({
      id,
      token_hash: hashSecret(secret),
      refresh_hash: refreshSecret === null ? null : hashSecret(refreshSecret),
      application_id: token.applicationId,
      user_id: token.userId,
      grant_id: token.grantId ?? null,
      scopes: [...token.scopes],
      expires_at: token.expiresAt ?? null,
      created_at: createdAt,
    })
    .execute()
  return { id, secret, refreshSecret, scopes: token.scopes, createdAt, expiresAt: token.expiresAt ?? null }
}
