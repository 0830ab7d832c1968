import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { unauthorized } from '#lib/errors.ts'
import { hashSecret, newSecret } from '#lib/secrets.ts'
import { hasSamePassword } from './login.ts'
import { revokeTokens } from './revoke.ts'
import { toViewer, viewerColumns, type ViewerRow } from './find-caller.ts'
import { recordSignIn, type SignIn } from './sign-ins.ts'
import type { SessionId, UserId } from '#lib/id.ts'

const day = 86_400_000

/** A browser stays signed in for this long after it was last seen, in milliseconds. */
export const sessionLifetime = 30 * day
/** How often the end of a session is moved on, in milliseconds. When it was last seen is known as well as this. */
const renewAfter = 3_600_000

export interface FoundSession {
  readonly id: SessionId
  readonly viewer: Viewer
  readonly lastActiveAt: Date | null
  /** It is worth to move its end on: see `renewSession`. */
  readonly renewable: boolean
}

interface SessionRow extends ViewerRow {
  session_id: SessionId
  last_seen_at: Date
}

/**
 * Whose browser session this secret is, or null. Logins that were disabled, suspended, made a memorial or deleted
 * have none; one whose account moved away may still sign in. One query.
 */
export async function findSession(reader: Reader, secret: string): Promise<FoundSession | null> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<SessionRow>`
    select s.id as session_id, s.last_seen_at, ${viewerColumns({ user: 'u', account: 'a', role: 'r' })}
    from sessions s
    join users u on u.id = s.user_id
    join accounts a on a.id = u.account_id
    left join roles r on r.id = u.role_id
    where s.token_hash = ${hashSecret(secret)} and s.expires_at > ${now}
      and not u.disabled and a.suspended_at is null and a.deleted_at is null and not a.memorial`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  return {
    id: row.session_id,
    viewer: toViewer(row),
    lastActiveAt: row.last_active_at,
    renewable: now.getTime() - row.last_seen_at.getTime() >= renewAfter,
  }
}

/**
 * Opens a session for somebody who has just signed in. `secret` is told once: only its hash is kept. `passwordHash`: of
 * the login that was found; null: there was none. Throws `unauthorized` when the password was changed since (AUTH-12).
 */
export async function startSession(
  tx: Tx,
  session: SignIn & { passwordHash: string | null },
): Promise<{ id: SessionId; secret: string }> {
  const { userId, passwordHash } = session
  if (passwordHash !== null && !(await hasSamePassword(tx, { userId, passwordHash })))
    throw unauthorized('password_just_changed')
  await recordSignIn(tx, session)
  const secret = newSecret()
  const id = tx.newId<SessionId>()
  const now = new Date(tx.clock.now())
  await tx.db
    .insertInto('sessions')
    .values({
      id,
      token_hash: hashSecret(secret),
      user_id: session.userId,
      ip: session.address,
      user_agent: session.userAgent?.slice(0, 300) ?? null,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + sessionLifetime),
    })
    .execute()
  return { id, secret }
}

/** Moves the end of a session on, and of the token that was made for it. */
export async function renewSession(reader: Reader, id: SessionId): Promise<void> {
  const now = reader.clock.now()
  await sql`
    with renewed as (
      update sessions set last_seen_at = ${new Date(now)}, expires_at = ${new Date(now + sessionLifetime)}
      where id = ${id} returning id, expires_at
    )
    update oauth_tokens t set expires_at = r.expires_at from renewed r
    where t.session_id = r.id and t.revoked_at is null`.execute(reader.db)
}

/** Ends one session, with the tokens that were made for it. Unknown ones are no error. */
export async function endSession(tx: Tx, id: SessionId): Promise<void> {
  await endSessions(tx, sql`id = ${id}`)
}

/** Ends a session of this user. Unknown ones, and those of others, are no error. */
export async function endOwnSession(tx: Tx, userId: UserId, id: SessionId): Promise<void> {
  await endSessions(tx, sql`id = ${id} and user_id = ${userId}`)
}

/** Ends the sessions of a user but the excepted one, with the tokens that were made for them. */
export async function endAllSessions(
  tx: Tx,
  userId: UserId,
  options: { except?: SessionId | null } = {},
): Promise<void> {
  await endSessions(tx, sql`user_id = ${userId} and id is distinct from ${options.except ?? null}::bigint`)
}

async function endSessions(tx: Tx, which: ReturnType<typeof sql>): Promise<void> {
  await revokeTokens(tx, sql`session_id in (select id from sessions where ${which})`)
  await sql`delete from sessions where ${which}`.execute(tx.db)
}

export interface ListedSession {
  id: SessionId
  address: string
  /** As it was sent. */
  userAgent: string
  createdAt: Date
  /** At most an hour old. */
  lastSeenAt: Date
}

const maxListed = 200

/** Where a user is signed in, last seen first, at most 200. */
export async function listSessions(reader: Reader, userId: UserId): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, coalesce(ip, '') as address, coalesce(user_agent, '') as "userAgent", created_at as "createdAt",
      last_seen_at as "lastSeenAt"
    from sessions where user_id = ${userId} and expires_at > ${new Date(reader.clock.now())}
    order by last_seen_at desc, id desc limit ${maxListed}`.execute(reader.db)
  return rows
}
