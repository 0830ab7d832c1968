import { sql, type RawBuilder } from 'kysely'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from './mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

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
