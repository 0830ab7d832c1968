// Accounts by their handles: which one a text, a form or a WebFinger client means.
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Config, Reader } from '#ports/ctx.ts'
import { normaliseDomain, parseAcct, type Acct } from '#lib/acct.ts'
import { notFound } from '#lib/errors.ts'
import { ownDomains } from '#lib/net/own-domains.ts'
import { findAccountByHandle, type AccountFacts } from './queries.ts'
import { presentAccount } from './presence.ts'
import type { AccountId } from '#lib/id.ts'

/** Whether a normalised domain, or none, is this server's. */
export function isOwnDomain(config: Config, domain: string | null): boolean {
  if (domain === null) return true
  return ownDomains(config).some((own) => domain === normaliseDomain(own))
}

/** A handle with this server's own domain left out. Null when the text is no handle. */
export function readHandle(config: Config, text: string): Acct | null {
  const acct = parseAcct(text)
  if (!acct) return null
  return isOwnDomain(config, acct.domain) ? { username: acct.username, domain: null } : acct
}

/** The account of `user` or `user@domain`, suspended ones too. Asks no other server. Throws `not_found`. */
export async function getAccountByAcct(reader: Reader, text: string): Promise<AccountFacts> {
  const handle = readHandle(reader.config, text)
  const account = handle && (await findAccountByHandle(reader, handle.username, handle.domain))
  if (!account) throw notFound()
  return account
}

/** Those of the ids whom others may know of, in the same order. Suspended ones too. */
export async function listPresentAccounts(reader: Reader, ids: readonly AccountId[]): Promise<AccountId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a where a.id = any(${ids}::bigint[]) and ${presentAccount('a')}`.execute(
    reader.db,
  )
  const present = new Set(rows.map((row) => row.id))
  return ids.filter((id) => present.has(id))
}

export interface LocalAccount {
  id: AccountId
  username: string
  avatar_key: string | null
  /** Suspended, or deleted for good: the name stays taken, but nobody answers to it. */
  gone: boolean
  deleted: boolean
}

/** The confirmed local account of this name, also when it is gone: WebFinger (RFC 7033) answers 410 then. */
export async function findLocalAccount(reader: Reader, username: string): Promise<LocalAccount | null> {
  const { rows } = await sql<LocalAccount>`
    select a.id, a.username, a.avatar_key, (a.deleted_at is not null or a.suspended_at is not null) as gone,
      a.deleted_at is not null as deleted
    from accounts a left join users u on u.account_id = a.id
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ''
      and (a.deleted_at is not null or (u.confirmed_at is not null and u.approved))`.execute(reader.db)
  return rows[0] ?? null
}

export type NamedAccount = Pick<Selectable<AccountsTable>, 'id' | 'username' | 'domain' | 'url'>

/** The accounts that handles name, in one query. Unknown, suspended and absent ones are left out. */
export async function findNamedAccounts(reader: Reader, handles: readonly Acct[]): Promise<NamedAccount[]> {
  if (handles.length === 0) return []
  const names = handles.map((handle) => handle.username.toLowerCase())
  const domains = handles.map((handle) => (isOwnDomain(reader.config, handle.domain) ? '' : handle.domain))
  const { rows } = await sql<NamedAccount>`
    select distinct a.id, a.username, a.domain, a.url
    from unnest(${names}::text[], ${domains}::text[]) w (username, domain)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
    where a.suspended_at is null and ${presentAccount('a')}`.execute(reader.db)
  return rows
}
