// The grants of the token endpoint (RFC 6749 sections 4.1.3, 4.3, 4.4 and 6).
import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { OauthGrantsTable, OauthTokensTable } from '#db/schema/oauth.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { hashSecret, sameSecret } from '#lib/secrets.ts'
import type { Application } from './applications.ts'
import { grantableScopes } from './authorization.ts'
import { issueToken, type IssuedToken, type NewToken } from './issue-token.ts'
import { hasSamePassword } from './login.ts'
import { invalidGrant, invalidScope } from './oauth-error.ts'
import { revokeTokens } from './revoke.ts'
import { recordSignIn, type SignIn } from './sign-ins.ts'
import { covers, offlineAccess, parseScopes } from './scopes.ts'

/** How long a token lives that can be refreshed, in milliseconds. Others live until they are revoked. */
const refreshableLifetime = 86_400_000

type GrantRow = Pick<
  Selectable<OauthGrantsTable>,
  | 'id'
  | 'application_id'
  | 'user_id'
  | 'redirect_uri'
  | 'scopes'
  | 'code_challenge'
  | 'used_at'
  | 'expires_at'
>

export interface CodeExchange {
  code: string
  redirectUri: string
  /** PKCE: wanted when, and only when, the request for the code had a challenge. `''` is none. */
  codeVerifier: string
}

/**
 * Turns a code into a token, once. A code that comes a second time has been stolen or leaked, so the tokens that it
 * was turned into are revoked (RFC 6749 section 4.1.2). Throws OauthError `invalid_grant`.
 */
export async function exchangeCode(
  ctx: Ctx,
  application: Application,
  input: CodeExchange,
): Promise<IssuedToken> {
  const issued = await ctx.transaction(async (tx) => {
    const { rows } = await sql<GrantRow>`
      select id, application_id, user_id, redirect_uri, scopes, code_challenge, used_at, expires_at
      from oauth_grants where code_hash = ${hashSecret(input.code)} and application_id = ${application.id}
      for update`.execute(tx.db)
    const grant = rows[0]
    if (!grant) return null
    if (grant.used_at) {
      await revokeTokens(tx, sql`grant_id = ${grant.id}`)
      return null
    }
    if (!fits(grant, input, tx.clock.now())) return null
    await sql`update oauth_grants set used_at = ${new Date(tx.clock.now())} where id = ${grant.id}`.execute(
      tx.db,
    )
    return issue(tx, application, { userId: grant.user_id, scopes: grant.scopes, grantId: grant.id })
  })
  if (!issued) throw invalidGrant()
  return issued
}

function fits(grant: GrantRow, input: CodeExchange, now: number): boolean {
  if (grant.expires_at.getTime() <= now || grant.redirect_uri !== input.redirectUri) return false
  return verifierFits(grant.code_challenge, input.codeVerifier)
}

/** RFC 7636 section 4.6. A verifier without a challenge is a code that was injected or a downgrade (RFC 9700). */
export function verifierFits(challenge: string | null, verifier: string): boolean {
  if (challenge === null) return verifier === ''
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  return sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)
}

function issue(
  tx: Tx,
  application: Application,
  token: Omit<NewToken, 'applicationId'>,
): Promise<IssuedToken> {
  const refreshable = token.userId !== null && token.scopes.includes(offlineAccess)
  const expiresAt = refreshable ? new Date(tx.clock.now() + refreshableLifetime) : null
  return issueToken(tx, { ...token, applicationId: application.id, refreshable, expiresAt })
}

/** A token of the application itself. Throws OauthError `invalid_scope`. */
export async function issueApplicationToken(
  ctx: Ctx,
  application: Application,
  asked: string,
): Promise<IssuedToken> {
  const scopes = grantableScopes(application, asked)
  if (scopes === null) throw invalidScope()
  return ctx.transaction((tx) => issue(tx, application, { userId: null, scopes }))
}

/**
 * A token for a user whose password was checked by the caller. Throws OauthError `invalid_scope`, and `invalid_grant` when
 * the password was changed since.
 */
export async function issueUserToken(
  ctx: Ctx,
  application: Application,
  user: SignIn & { asked: string; passwordHash: string },
): Promise<IssuedToken> {
  const scopes = grantableScopes(application, user.asked)
  if (scopes === null) throw invalidScope()
  return ctx.transaction(async (tx) => {
    if (!(await hasSamePassword(tx, user))) throw invalidGrant()
    await recordSignIn(tx, user)
    return issue(tx, application, { userId: user.userId, scopes })
  })
}

type RefreshRow = Pick<Selectable<OauthTokensTable>, 'id' | 'user_id' | 'grant_id' | 'scopes' | 'revoked_at'>

/**
 * A new token for a refresh token, which is used up with the token beside it. One that comes again has leaked: all
 * tokens of its grant are revoked (RFC 9700 section 4.14.2). Throws OauthError `invalid_grant` or `invalid_scope`.
 */
export async function refreshToken(
  ctx: Ctx,
  application: Application,
  input: { refreshToken: string; asked: string },
): Promise<IssuedToken> {
  const outcome = await ctx.transaction(async (tx) => {
    const { rows } = await sql<RefreshRow>`
      select id, user_id, grant_id, scopes, revoked_at from oauth_tokens
      where refresh_hash = ${hashSecret(input.refreshToken)} and application_id = ${application.id}
      for update`.execute(tx.db)
    const row = rows[0]
    if (!row) return invalidGrant()
    if (row.revoked_at) {
      if (row.grant_id !== null) await revokeTokens(tx, sql`grant_id = ${row.grant_id}`)
      return invalidGrant()
    }
    const asked = parseScopes(input.asked)
    if (asked === null || !covers(row.scopes, asked)) return invalidScope()
    await revokeTokens(tx, sql`id = ${row.id}`)
    const scopes = asked.length > 0 ? [...new Set([...asked, offlineAccess])] : row.scopes
    return issue(tx, application, { userId: row.user_id, scopes, grantId: row.grant_id })
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}
