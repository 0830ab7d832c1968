import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { Refusal } from '#domain/identity/accounts/viewer.ts'
import { hasFactor, lacksFactor } from '#domain/identity/two-factor/factor-state.ts'
import { nobodysHash, verifyPassword } from '#lib/passwords.ts'
import type { UserId } from '#lib/id.ts'

export interface Login {
  readonly userId: UserId
  readonly passwordHash: string
  /** Why this login may not be used now. An account that moved away may still sign in. */
  readonly refusal: Refusal | null
  /** A second factor: `on` asked for, `off`, or `missing`: there is none although the role demands one. */
  readonly factor: 'on' | 'off' | 'missing'
}

interface LoginRow {
  user_id: UserId
  password_hash: string
  confirmed: boolean
  approved: boolean
  closed: boolean
  has_factor: boolean
  lacks_factor: boolean
}

const columns = sql`u.id as user_id, u.password_hash, u.confirmed_at is not null as confirmed, u.approved,
  u.disabled or a.suspended_at is not null or a.deleted_at is not null or a.memorial as closed,
  ${hasFactor('u')} as has_factor, ${lacksFactor('u', 'r')} as lacks_factor`
const source = sql`users u join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id`

/** The login with this e-mail address or username, in any case. Null when there is none. One query either way. */
export async function findLogin(reader: Reader, name: string): Promise<Login | null> {
  const wanted = name.trim().toLowerCase().replaceAll('\0', '')
  const { rows } = await sql<LoginRow>`
    select ${columns} from ${source}
    where u.id in (
      select id from users where lower(email) = ${wanted}
      union all
      select u2.id from accounts a2 join users u2 on u2.account_id = a2.id
      where lower(a2.username) = ${wanted.replace(/^@/, '')} and coalesce(a2.domain, '') = ''
    ) limit 1`.execute(reader.db)
  return rows[0] ? toLogin(rows[0]) : null
}

/** The login of this user, or null. */
export async function findLoginById(reader: Reader, userId: UserId): Promise<Login | null> {
  const { rows } = await sql<LoginRow>`select ${columns} from ${source} where u.id = ${userId}`.execute(
    reader.db,
  )
  return rows[0] ? toLogin(rows[0]) : null
}

function toLogin(row: LoginRow): Login {
  const factor = row.has_factor ? 'on' : row.lacks_factor ? 'missing' : 'off'
  return { userId: row.user_id, passwordHash: row.password_hash, refusal: refusalOf(row), factor }
}

function refusalOf(row: LoginRow): Refusal | null {
  if (row.closed) return 'disabled'
  if (!row.confirmed) return 'unconfirmed'
  return row.approved ? null : 'pending'
}

/** The longest password that is looked at, in characters: hashing more only costs time. */
const maxPasswordLength = 1024

/** Whether it is the password of this login. For nobody it takes as long and is false. */
export async function checkPassword(login: Login | null, password: string): Promise<boolean> {
  const right = await verifyPassword(password.slice(0, maxPasswordLength), login?.passwordHash ?? nobodysHash)
  return right && login !== null
}

/**
 * Whether the password is the one that it was when the login was found: what was begun with an older one would outlive
 * its change (AUTH-12). A change that comes now waits for this transaction.
 */
export async function hasSamePassword(
  tx: Tx,
  { userId, passwordHash }: Pick<Login, 'userId' | 'passwordHash'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and password_hash = ${passwordHash} for share`.execute(tx.db)
  return rows.length > 0
}
