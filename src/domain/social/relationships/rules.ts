import { sql, type RawBuilder } from 'kysely'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from './mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * The condition that posts of this account are shown to the viewer among those of others who talk with each other: as
 * `notFilteredFor`, and a limited account is met by its followers alone. `offset 0` makes one index look-up of each.
 * `id`: the account's, where the row does not have it.
 */
export function passesStatusFilter(
  viewerId: AccountId | null,
  alias: string,
  now: Date,
  id: RawBuilder<unknown> = sql`${sql.ref(`${alias}.id`)}`,
): RawBuilder<boolean> {
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  if (viewerId === null) return sql`(${a('silenced_at')} is null)`
  return sql`(${isUnblocked(viewerId, id)}
    and not ${isMuted({ muter: viewerId, muted: id }, now)}
    and (${a('domain')} is null or not exists (
      select 1 from account_domain_blocks wd where wd.account_id = ${viewerId} and wd.domain = ${a('domain')} offset 0))
    and (${a('silenced_at')} is null or exists (
      select 1 from follows wf where wf.account_id = ${viewerId} and wf.target_account_id = ${id} offset 0)))`
}

/**
 * The condition that the viewer meets this account in lists: neither blocks the other, and the viewer has neither
 * muted it at `now` nor hidden its domain. `alias` names a row of `accounts`. A stranger meets everyone.
 */
export function notFilteredFor(viewerId: AccountId | null, alias: string, now: Date): RawBuilder<boolean> {
  if (viewerId === null) return sql`true`
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(
    ${isUnblocked(viewerId, a('id'))}
    and not ${isMuted({ muter: viewerId, muted: a('id') }, now)}
    and not exists (select 1 from account_domain_blocks wd where wd.account_id = ${viewerId} and wd.domain = ${a('domain')}))`
}
