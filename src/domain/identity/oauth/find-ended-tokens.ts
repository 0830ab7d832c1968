import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { lacksFactor } from '#domain/identity/two-factor/factor-state.ts'
import type { OauthTokenId } from '#lib/id.ts'

/**
 * Those of these tokens that open nothing any more: revoked, expired, deleted, or of a login that may not act (see
 * `refusalOf`). One query.
 */
export async function findEndedTokens(reader: Reader, ids: readonly OauthTokenId[]): Promise<OauthTokenId[]> {
  const { rows } = await sql<{ id: OauthTokenId }>`
    select w.id from unnest(${ids}::bigint[]) w (id)
    where not exists (
      select 1 from oauth_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
      left join roles r on r.id = u.role_id
      where t.id = w.id and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > ${new Date(reader.clock.now())})
        and u.confirmed_at is not null and u.approved and not u.disabled
        and a.suspended_at is null and a.deleted_at is null and not a.memorial and a.moved_to_account_id is null
        and not ${lacksFactor('u', 'r')}
      offset 0)`.execute(reader.db)
  return rows.map((row) => row.id)
}
