// What only staff know of accounts.
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { groupBy, keyBy } from '#lib/collections.ts'
import { everyoneId, type HeldRole } from '#domain/identity/accounts/permissions.ts'
import type { AccountId, ApplicationId, UserId } from '#lib/id.ts'

export interface AdminAccountRow extends Pick<
  Selectable<AccountsTable>,
  'id' | 'username' | 'domain' | 'created_at'
> {
  suspended: boolean
  silenced: boolean
  sensitized: boolean
  /** Null: an account of another server. */
  user: {
    email: string
    confirmed: boolean
    approved: boolean
    disabled: boolean
    locale: string
    sign_up_reason: string | null
    created_by_application_id: ApplicationId | null
    invited_by_account_id: AccountId | null
    role: HeldRole
  } | null
}

/** Accounts by id, deleted ones left out. One query. */
export async function loadAdminAccounts(
  reader: Reader,
  ids: readonly AccountId[],
): Promise<Map<AccountId, AdminAccountRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AdminAccountRow>`
    select a.id, a.username, a.domain, a.created_at, a.suspended_at is not null as suspended,
      a.silenced_at is not null as silenced, a.sensitized_at is not null as sensitized,
      case when u.id is not null then jsonb_build_object('email', u.email, 'confirmed', u.confirmed_at is not null,
        'approved', u.approved, 'disabled', u.disabled, 'locale', u.locale, 'sign_up_reason', u.sign_up_reason,
        'created_by_application_id', u.created_by_application_id::text, 'invited_by_account_id', i.account_id::text,
        'role', jsonb_build_object('id', r.id::text, 'name', r.name, 'color', r.color, 'highlighted', r.highlighted,
          'permissions', (r.permissions | e.permissions)::text, 'collection_limit', r.collection_limit)) end as "user"
    from accounts a
    left join users u on u.account_id = a.id
    left join roles e on e.id = ${everyoneId}
    left join roles r on r.id = coalesce(u.role_id, ${everyoneId})
    left join invites i on i.id = u.invite_id
    where a.id = any(${[...new Set(ids)]}::bigint[]) and a.deleted_at is null`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

export interface UsedAddress {
  account_id: AccountId
  ip: string
  used_at: Date
}

/** Addresses that are told of one account. */
const maxAddresses = 20
/** Sign-ins that are looked at for them. */
const maxSignIns = 100

/** From where the users of these accounts came, by account, newest first. One query. */
export async function loadUsedAddresses(
  reader: Reader,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, UsedAddress[]>> {
  if (accountIds.length === 0) return new Map()
  const { rows } = await sql<UsedAddress>`
    select u.account_id, x.ip, x.used_at
    from users u cross join lateral (
      select t.ip, max(t.used_at) as used_at from (
        select u.sign_up_ip as ip, u.created_at as used_at
        union all (
          select s.ip, s.last_seen_at from sessions s
          where s.user_id = u.id order by s.last_seen_at desc limit ${maxSignIns})
        union all (
          select i.ip, i.created_at from sign_ins i
          where i.user_id = u.id order by i.id desc limit ${maxSignIns})) t
      where t.ip is not null group by t.ip order by 2 desc, 1 limit ${maxAddresses}) x
    where u.account_id = any(${[...new Set(accountIds)]}::bigint[])
    order by u.account_id, x.used_at desc, x.ip`.execute(reader.db)
  return groupBy(rows, (row) => row.account_id)
}

/** The user behind an account; null where it has none. */
export async function findUserId(reader: Reader, accountId: AccountId): Promise<UserId | null> {
  const { rows } = await sql<{ id: UserId }>`
    select id from users where account_id = ${accountId}`.execute(reader.db)
  return rows[0]?.id ?? null
}
