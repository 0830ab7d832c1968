// Users as whoever runs the server names them.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { activeFor } from './record-activity.ts'
import type { AccountId, UserId } from '#lib/id.ts'

export interface LocalUser {
  userId: UserId
  accountId: AccountId
  username: string
}

const columns = sql`u.id as "userId", a.id as "accountId", a.username`

/** The user with this name, with or without `@`, whatever their state. Throws `not_found`. */
export async function getLocalUser(reader: Reader, name: string): Promise<LocalUser> {
  const username = name.replace(/^@/, '')
  const { rows } = await sql<LocalUser>`
    select ${columns} from users u join accounts a on a.id = u.account_id
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ''`.execute(reader.db)
  if (!rows[0]) throw notFound('no_local_account', { username })
  return rows[0]
}

/** The user with this address, whatever their state. Throws `not_found`. */
export async function getLocalUserByEmail(reader: Reader, email: string): Promise<LocalUser> {
  const { rows } = await sql<LocalUser>`
    select ${columns} from users u join accounts a on a.id = u.account_id
    where lower(u.email) = lower(${email.trim()})`.execute(reader.db)
  if (!rows[0]) throw notFound('unknown_address', { email })
  return rows[0]
}

export interface ListedUser extends LocalUser {
  email: string
  role: string | null
  /** Why they may not sign in, or `active`. */
  state: 'active' | 'unconfirmed' | 'pending' | 'disabled'
}

/** All users, oldest first; with `active` those who may sign in and have been there in the last weeks. */
export async function listLocalUsers(reader: Reader, { active }: { active: boolean }): Promise<ListedUser[]> {
  const since = new Date(reader.clock.now() - activeFor)
  const { rows } = await sql<ListedUser>`
    select ${columns}, u.email, r.name as role,
      case when u.disabled then 'disabled' when u.confirmed_at is null then 'unconfirmed'
        when not u.approved then 'pending' else 'active' end as state
    from users u join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id
    where not ${active}::boolean or (u.confirmed_at is not null and u.approved and not u.disabled
      and u.last_active_at > ${since})
    order by u.id`.execute(reader.db)
  return rows
}

/** Whether anybody has all permissions. */
export async function hasOwner(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from users u join roles r on r.id = u.role_id where r.permissions & 1 = 1) as found`.execute(
    reader.db,
  )
  return rows[0]?.found === true
}
