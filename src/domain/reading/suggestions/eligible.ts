import { sql, type RawBuilder } from 'kysely'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

/** Somebody who wants to be found and followed by all, in the words of the index of such accounts. */
export function findableAccount(alias: string): RawBuilder<boolean> {
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${a('discoverable')} and ${a('silenced_at')} is null and ${a('suspended_at')} is null
    and ${a('deleted_at')} is null and ${a('moved_to_account_id')} is null
    and not ${a('locked')} and not ${a('memorial')})`
}

/**
 * Somebody whom the viewer could follow and has not refused: nobody they follow or asked to follow, block, mute, hide
 * by domain or have dismissed, nor anybody who blocks them.
 */
export function newTo(viewerId: AccountId, alias: string, now: Date): RawBuilder<boolean> {
  const id = sql.ref(`${alias}.id`)
  const between = (table: string) => sql`not exists (
    select 1 from ${sql.table(table)} x where x.account_id = ${viewerId} and x.target_account_id = ${id} offset 0)`
  const tables = ['follows', 'follow_requests', 'suggestion_dismissals']
  return sql`(${id} <> ${viewerId} and ${sql.join(tables.map(between), sql` and `)}
    and not ${isMuted({ muter: viewerId, muted: id }, now)}
    and ${isUnblocked(viewerId, id)}
    and not exists (
      select 1 from account_domain_blocks d
      where d.account_id = ${viewerId} and d.domain = ${sql.ref(`${alias}.domain`)} offset 0))`
}

/** Somebody whom staff did not take out of the suggestions. */
export const notSuppressed = (alias: string): RawBuilder<boolean> => sql`not exists (
  select 1 from suppressed_recommendations z where z.account_id = ${sql.ref(`${alias}.id`)} offset 0)`
