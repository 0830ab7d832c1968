import { sql, type Selectable } from 'kysely'
import type { ApplicationsTable } from '#db/schema/oauth.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { hashSecret } from '#lib/secrets.ts'
import type { Application } from './applications.ts'
import { refuseOauth } from './oauth-error.ts'
import type { ApplicationId, OauthTokenId, UserId } from '#lib/id.ts'

/** Revokes the tokens of a condition on `oauth_tokens` that are not revoked yet. Emits `token.revoked` for each. */
export async function revokeTokens(tx: Tx, which: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ id: OauthTokenId }>`
    update oauth_tokens set revoked_at = ${new Date(tx.clock.now())}
    where ${which} and revoked_at is null returning id`.execute(tx.db)
  for (const { id } of rows) await tx.emit({ type: 'token.revoked', tokenId: id })
}

/**
 * Revokes all tokens of a user but the excepted one, and the codes that were not turned into tokens yet: for a
 * changed password.
 */
export async function revokeUserTokens(
  tx: Tx,
  userId: UserId,
  options: { except?: OauthTokenId | null } = {},
): Promise<void> {
  await revokeTokens(tx, sql`user_id = ${userId} and id is distinct from ${options.except ?? null}::bigint`)
  await sql`delete from oauth_grants where user_id = ${userId} and used_at is null`.execute(tx.db)
}

/**
 * Revokes an access or refresh token of the application (RFC 7009). Unknown and revoked ones are no error. Throws
 * OauthError `unauthorized_client` for a token of another application.
 */
export async function revokeToken(ctx: Ctx, application: Application, secret: string): Promise<void> {
  const hash = hashSecret(secret)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: OauthTokenId; application_id: ApplicationId | null }>`
      select id, application_id from oauth_tokens where token_hash = ${hash}
      union all
      select id, application_id from oauth_tokens where refresh_hash = ${hash}`.execute(tx.db)
    const token = rows[0]
    if (!token) return
    if (token.application_id !== application.id) throw notYours()
    await revokeTokens(tx, sql`id = ${token.id}`)
  })
}

/** The answer to whoever wants to revoke what is not theirs. */
export const notYours = () => refuseOauth('unauthorized_client', 'revocation_unauthorized')

export interface AuthorizedApplication extends Pick<
  Selectable<ApplicationsTable>,
  'id' | 'name' | 'website' | 'scopes'
> {
  createdAt: Date
  /** At most a day old. Null: never. */
  lastUsedAt: Date | null
}

/** The applications that hold a token of this user, newest first, at most 200. */
export async function listAuthorizedApplications(ctx: Ctx, userId: UserId): Promise<AuthorizedApplication[]> {
  const { rows } = await sql<AuthorizedApplication>`
    select a.id, a.name, a.website, held.scopes, held.created_at as "createdAt",
      held.last_used_at as "lastUsedAt"
    from (
      select t.application_id, array_agg(distinct scope) as scopes, min(t.created_at) as created_at,
        max(t.last_used_at) as last_used_at
      from oauth_tokens t, unnest(t.scopes) scope
      where t.user_id = ${userId} and t.revoked_at is null
        and (t.expires_at is null or t.refresh_hash is not null or t.expires_at > ${new Date(ctx.clock.now())})
      group by t.application_id
    ) held
    join applications a on a.id = held.application_id
    order by held.created_at desc, a.id desc limit 200`.execute(ctx.db)
  return rows
}

/** Takes back what the user gave an application: all its tokens and open codes. */
export async function revokeApplication(
  ctx: Ctx,
  userId: UserId,
  applicationId: ApplicationId,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await revokeTokens(tx, sql`user_id = ${userId} and application_id = ${applicationId}`)
    await sql`
      delete from oauth_grants
      where user_id = ${userId} and application_id = ${applicationId} and used_at is null`.execute(tx.db)
  })
}
