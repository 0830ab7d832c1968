import { sql, type RawBuilder } from 'kysely'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted, mutesAnybody } from './mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * The condition that the viewer meets this account in lists: neither blocks the other, and the viewer has neither
 * muted it at `now` nor hidden its domain. `alias` names a row of `accounts`; `id` is the account's, where the row does not
 * have it. A stranger meets everyone. `offset 0` makes one index look-up of each.
 */
export function notFilteredFor(
  viewerId: AccountId | null,
  alias: string,
  now: Date,
  id: RawBuilder<unknown> = sql`${sql.ref(`${alias}.id`)}`,
): RawBuilder<boolean> {
  if (viewerId === null) return sql`true`
  const domain = sql.ref(`${alias}.domain`)
  return sql`(
    ${isUnblocked(viewerId, id)}
    and not ${isMuted({ muter: viewerId, muted: id }, now)}
    and (${domain} is null or not exists (
      select 1 from account_domain_blocks wd where wd.account_id = ${viewerId} and wd.domain = ${domain} offset 0)))`
}

/**
 * The condition that posts of this account are shown to the viewer among those of others who talk with each other: as
 * `notFilteredFor`, and a limited account is met by its followers alone.
 */
export function passesStatusFilter(
  viewerId: AccountId | null,
  alias: string,
  now: Date,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const silenced = sql.ref(`${alias}.silenced_at`)
  if (viewerId === null) return sql`(${silenced} is null)`
  return sql`(${notFilteredFor(viewerId, alias, now, id)} and (${silenced} is null or exists (
    select 1 from follows wf where wf.account_id = ${viewerId} and wf.target_account_id = ${id} offset 0)))`
}

/**
 * Which of these accounts the viewer does not want to meet, as an array: the others of `notFilteredFor`. Of those who
 * avoid nobody no account is looked at.
 */
export function avoidedAmong(
  viewerId: AccountId,
  accountIds: readonly AccountId[],
  now: Date,
): RawBuilder<AccountId[]> {
  return sql`array(
    select av.id from accounts av where av.id = any(${accountIds}::bigint[])
      and not ${notFilteredFor(viewerId, 'av', now)} and ${avoidsAnybody(viewerId)})`
}

/** The condition that there is anybody whom the viewer blocks or mutes or who blocks them, or a server that they hide. */
export const avoidsAnybody = (viewerId: AccountId): RawBuilder<boolean> => sql`(
  exists (select 1 from blocks where account_id = ${viewerId})
  or exists (select 1 from blocks where target_account_id = ${viewerId})
  or ${mutesAnybody(viewerId)}
  or exists (select 1 from account_domain_blocks where account_id = ${viewerId}))`
