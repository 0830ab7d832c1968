import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { hashSecret } from '#lib/secrets.ts'
import type { ApplicationId } from '#lib/id.ts'

export interface Introspected {
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  username: string | null
}

/** What an application may know of a token of its own (RFC 7662), or null when it is not active or not its own. */
export async function introspectToken(
  reader: Reader,
  applicationId: ApplicationId,
  secret: string,
): Promise<Introspected | null> {
  const { rows } = await sql<Introspected>`
    select t.scopes, t.created_at as "createdAt", t.expires_at as "expiresAt", a.username
    from oauth_tokens t
    left join users u on u.id = t.user_id
    left join accounts a on a.id = u.account_id
    where t.token_hash = ${hashSecret(secret)} and t.application_id = ${applicationId} and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${new Date(reader.clock.now())})`.execute(reader.db)
  return rows[0] ?? null
}
