// Accounts as staff look for them.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { normaliseAddress } from '#lib/net/cidr.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { bitsAllowing } from '#domain/identity/accounts/permissions.ts'
import type { AccountId, RoleId } from '#lib/id.ts'

/** All that is given must hold. */
export interface AccountFilter {
  local?: boolean | undefined
  remote?: boolean | undefined
  /** Not suspended. */
  active?: boolean | undefined
  pending?: boolean | undefined
  disabled?: boolean | undefined
  silenced?: boolean | undefined
  suspended?: boolean | undefined
  sensitized?: boolean | undefined
  /** With a role that allows to manage reports. */
  staff?: boolean | undefined
  roleIds?: readonly RoleId[] | undefined
  /** By this account. */
  invitedBy?: AccountId | undefined
  /** How the name begins. */
  username?: string | undefined
  /** What the display name has in it; one or two letters begin a word of it. */
  displayName?: string | undefined
  /** Just this domain. */
  domain?: string | undefined
  /** How the address begins. */
  email?: string | undefined
  /** From where they signed up or in. */
  ip?: string | undefined
}

const seesReports = bitsAllowing('manage_reports')

/** The ids of accounts, deleted ones left out, newest first. */
export async function listAccounts(
  reader: Reader,
  filter: AccountFilter,
  page: PageRequest,
): Promise<Page<AccountId>> {
  const conditions = [sql`a.deleted_at is null`, inPage('a.id', page), ...conditionsOf(filter)]
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a where ${sql.join(conditions, sql` and `)} ${orderAndLimit('a.id', page)}`.execute(
    reader.db,
  )
  return toPage(
    rows.map((row) => row.id),
    page,
    (id) => id,
  )
}

function conditionsOf(filter: AccountFilter): RawBuilder<unknown>[] {
  return [...statesOf(filter), ...namesOf(filter), ...loginsOf(filter)]
}

function statesOf(filter: AccountFilter): RawBuilder<unknown>[] {
  const conditions: [boolean | undefined, RawBuilder<unknown>][] = [
    [filter.local, sql`a.domain is null`],
    [filter.remote, sql`a.domain is not null`],
    [filter.active, sql`a.suspended_at is null`],
    [filter.silenced, sql`a.silenced_at is not null`],
    [filter.suspended, sql`a.suspended_at is not null`],
    [filter.sensitized, sql`a.sensitized_at is not null`],
    [filter.pending, ofUsers(sql`not u.approved`)],
    [filter.disabled, ofUsers(sql`u.disabled`)],
  ]
  return conditions.flatMap(([wanted, condition]) => (wanted ? [condition] : []))
}

/**
 * Many names begin with one or two letters, and are soon met among the newest. Of more letters all are looked up first:
 * the newest may all be of other servers.
 */
function isNamed(beginning: string): RawBuilder<unknown> {
  if (beginning.length < 3) return startsWith(sql`lower(a.username)`, beginning)
  return sql`a.id = any(array(select n.id from accounts n where ${startsWith(sql`lower(n.username)`, beginning)}))`
}

/** One or two letters are in most names, and in no index: they begin a word. Of other scripts they may be a name. */
const isShort = (word: string) => /^[\da-z]{1,2}$/i.test(word)

/** What is written in part is looked up by an index of its own, in the forms that use it whatever the parameter. */
function namesOf({ username, displayName, domain }: AccountFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  const name = username?.trim().replace(/^@/, '').toLowerCase()
  if (name) conditions.push(isNamed(name))
  const words = displayName?.trim().split(/\s+/).filter(Boolean) ?? []
  for (const word of words.slice(0, 10)) {
    const part = sql`${isShort(word) ? '% ' : '%'} || replace(btrim(search_name(${word})), '_', '\\_') || '%'`
    conditions.push(sql`(a.search_names like ${part} and search_name(a.display_name) like ${part})`)
  }
  if (domain?.trim()) conditions.push(sql`a.domain = ${normaliseDomain(domain.trim()) ?? ''}`)
  return conditions
}

function loginsOf({ email, ip, staff, roleIds, invitedBy }: AccountFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (email?.trim()) conditions.push(ofUsers(startsWith(sql`lower(u.email)`, email.trim().toLowerCase())))
  if (ip?.trim()) conditions.push(usedBy(normaliseAddress(ip)))
  if (staff)
    conditions.push(
      ofUsers(sql`u.role_id in (select r.id from roles r where r.permissions & ${seesReports}::bigint <> 0)`),
    )
  if (roleIds && roleIds.length > 0) conditions.push(ofUsers(sql`u.role_id = any(${roleIds}::bigint[])`))
  if (invitedBy !== undefined) {
    conditions.push(
      ofUsers(sql`u.invite_id = any(array(select i.id from invites i where i.account_id = ${invitedBy}))`),
    )
  }
  return conditions
}

const ofUsers = (condition: RawBuilder<unknown>) =>
  sql`a.id = any(array(select u.account_id from users u where ${condition}))`

/** From which address somebody signed up, or has signed in as far as that is remembered. */
function usedBy(ip: string): RawBuilder<unknown> {
  return sql`a.id = any(array(
    select u.account_id from users u where u.sign_up_ip = ${ip}
    union select u.account_id from sessions s join users u on u.id = s.user_id where s.ip = ${ip}
    union select u.account_id from sign_ins i join users u on u.id = i.user_id where i.ip = ${ip}))`
}

/** What `like 'prefix%'` means, in a form whose index is used whatever the parameter turns out to be. */
function startsWith(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  return sql`(${column} ~>=~ ${prefix} and ${column} ~<~ ${`${prefix}\u{10FFFF}`})`
}
