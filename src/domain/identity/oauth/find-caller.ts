import { sql, type RawBuilder } from 'kysely'
import type { Reading } from '#ports/cache.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { OrNulls } from '#db/schema/types.ts'
import type { CallerToken, Refusal, UserSettings, Viewer } from '#domain/identity/accounts/viewer.ts'
import { lacksFactor } from '#domain/identity/two-factor/factor-state.ts'
import { hashSecret, nameSecret } from '#lib/secrets.ts'
import type { AccountId, ApplicationId, OauthTokenId, UserId } from '#lib/id.ts'

export interface ViewerRow {
  account_id: AccountId
  user_id: UserId
  username: string
  locked: boolean
  silenced_at: Date | null
  suspended_at: Date | null
  memorial: boolean
  moved_to_account_id: AccountId | null
  confirmed_at: Date | null
  approved: boolean
  disabled: boolean
  locale: string
  settings: UserSettings
  chosen_languages: string[] | null
  filters_version: number
  permissions: string
  rank: number
  lacks_factor: boolean
  last_active_at: Date | null
}

/** The columns of `ViewerRow`, from a user, its account and its role (left joined), by what these are called. */
export function viewerColumns(rows: { user: string; account: string; role: string }): RawBuilder<unknown> {
  const [u, a, r] = [sql.id(rows.user), sql.id(rows.account), sql.id(rows.role)]
  return sql`
  ${a}.id as account_id, ${u}.id as user_id, ${a}.username, ${a}.locked, ${a}.silenced_at, ${a}.suspended_at, ${a}.memorial,
  ${a}.moved_to_account_id, ${u}.confirmed_at, ${u}.approved, ${u}.disabled, ${u}.locale, ${u}.settings, ${u}.chosen_languages,
  ${u}.filters_version, ${u}.last_active_at,
  coalesce(${r}.permissions, 0) | coalesce((select permissions from roles where id = -99), 0) as permissions,
  coalesce(${r}.position, -1) as rank, ${lacksFactor(rows.user, rows.role)} as lacks_factor`
}

/** With nobody behind it where it is an app's own. */
type TokenRow = TokenColumns & OrNulls<ViewerRow>

interface TokenColumns {
  token_id: OauthTokenId
  application_id: ApplicationId | null
  scopes: string[]
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

export type FoundToken =
  | { state: 'unknown' | 'revoked' | 'expired' }
  | {
      state: 'valid'
      token: CallerToken
      viewer: Viewer | null
      lastActiveAt: Date | null
      lastUsedAt: Date | null
    }

/** Where tokens are found: the database, and what was read from it a moment ago. */
type CallerReader = Reader & Pick<Ctx, 'caches'>

/** With its end, which comes without anything changing, in milliseconds since the epoch. */
interface ReadToken {
  readonly found: FoundToken
  readonly endsAt: number
}

/**
 * Who holds this bearer token (RFC 6750): from memory while nothing of it has changed. What was revoked, suspended or
 * changed here opens nothing from the moment at which that is committed; elsewhere once the bus or the
 * database has told, and after five seconds in any case.
 */
export async function findToken(reader: CallerReader, secret: string): Promise<FoundToken> {
  const read = () => readToken(reader, hashSecret(secret))
  const { found, endsAt } = (await reader.caches.callers.get(nameSecret(secret), read)) as ReadToken
  return found.state === 'valid' && endsAt <= reader.clock.now() ? { state: 'expired' } : found
}

/** One query. What opens nothing is not kept: whoever guesses could fill the memory. */
async function readToken(reader: Reader, hash: Buffer): Promise<Reading<ReadToken>> {
  const { rows } = await sql<TokenRow>`
    select t.id as token_id, t.application_id, t.scopes, t.expires_at, t.revoked_at, t.last_used_at, ${viewerColumns({ user: 'u', account: 'a', role: 'r' })}
    from oauth_tokens t
    left join users u on u.id = t.user_id
    left join accounts a on a.id = u.account_id
    left join roles r on r.id = u.role_id
    where t.token_hash = ${hash}`.execute(reader.db)
  const row = rows[0]
  const endsAt = row?.expires_at?.getTime() ?? Infinity
  if (!row) return { value: { found: { state: 'unknown' }, endsAt }, changesWith: null }
  if (row.revoked_at) return { value: { found: { state: 'revoked' }, endsAt }, changesWith: null }
  return { value: { found: toFoundToken(row), endsAt }, changesWith: changesOf(row) }
}

function toFoundToken(row: TokenRow): FoundToken {
  return {
    state: 'valid',
    token: { id: row.token_id, applicationId: row.application_id, scopes: row.scopes },
    viewer: row.user_id === null ? null : toViewer(row),
    lastActiveAt: row.last_active_at,
    lastUsedAt: row.last_used_at,
  }
}

/** What the triggers of these tables call the rows that were read. */
function changesOf({ token_id, user_id, account_id }: TokenRow): string[] {
  const token = `token ${token_id}`
  return user_id === null ? [token] : [token, `user ${user_id}`, `account ${account_id}`, 'roles']
}

export function toViewer(row: ViewerRow): Viewer {
  // Whoever must protect their login first has no power until then.
  const isPowerless = row.disabled || row.lacks_factor
  return {
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    locked: row.locked,
    silenced: row.silenced_at !== null,
    permissions: isPowerless ? 0n : BigInt(row.permissions),
    rank: isPowerless ? -1 : row.rank,
    locale: row.locale,
    settings: row.settings,
    chosenLanguages: row.chosen_languages,
    filtersVersion: row.filters_version,
    refusal: refusalOf(row),
  }
}

/** Why a login may not act, in the order in which Mastodon says it. */
export function refusalOf(row: ViewerRow): Refusal | null {
  if (row.suspended_at || row.memorial || row.moved_to_account_id) return 'disabled'
  if (row.disabled) return 'disabled'
  if (!row.confirmed_at) return 'unconfirmed'
  if (!row.approved) return 'pending'
  return row.lacks_factor ? 'factorless' : null
}
