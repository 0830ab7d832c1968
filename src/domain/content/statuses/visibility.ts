// The visibility gate: who may see a status. Once as a predicate, once as SQL; a property test compares the two.
import { sql, type RawBuilder } from 'kysely'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import type { AccountId } from '#lib/id.ts'

export type StatusVisibility = 'public' | 'unlisted' | 'private' | 'direct' | 'limited'

/** What `canSee` needs to know of one status and one viewer. */
export interface VisibilityFacts {
  viewerId: AccountId | null
  authorId: AccountId
  visibility: StatusVisibility
  /** The author is neither suspended nor deleted. */
  authorAvailable: boolean
  /** The author blocks the viewer. */
  blockedByAuthor: boolean
  followsAuthor: boolean
  /** Named by the status, silently or not. */
  mentioned: boolean
  /** For this server's people alone. */
  localOnly: boolean
  /** The viewer is one of them. */
  viewerIsLocal: boolean
}

/** May this viewer see this status? A boost needs it of itself and of what it boosts. */
export function canSee(facts: VisibilityFacts): boolean {
  if (!facts.authorAvailable) return false
  if (facts.localOnly && !facts.viewerIsLocal) return false
  const open = facts.visibility === 'public' || facts.visibility === 'unlisted'
  if (facts.viewerId === null) return open
  if (facts.viewerId === facts.authorId) return true
  if (facts.blockedByAuthor) return false
  if (open || facts.mentioned) return true
  return facts.visibility === 'private' && facts.followsAuthor
}

/**
 * `canSee` as a condition on `statuses` under the name `alias`. `offset 0` keeps a subquery
 * one index look-up a row: without it the database may read a whole table into a hash to look at one page. It says nothing of what a boost boosts: see
 * `visibleWithOriginal`. `viewerId` may be a column, for many viewers at once. `author`: the name of the joined row of
 * the status's account, which is looked up where there is none. `authorId`: whom all of them are by, who is looked up once.
 */
export function visibleTo(
  viewerId: AccountId | RawBuilder<AccountId> | null,
  alias: string,
  author?: string,
  authorId?: AccountId,
): RawBuilder<boolean> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  const present = (name: string) =>
    sql`${sql.ref(`${name}.suspended_at`)} is null and ${sql.ref(`${name}.deleted_at`)} is null`
  const by = authorId === undefined ? s('account_id') : sql`${authorId}`
  const authorPresent = author
    ? present(author)
    : sql`exists (select 1 from accounts va where va.id = ${by} and ${present('va')} offset 0)`
  const available = sql`${s('deleted_at')} is null and ${authorPresent}`
  if (viewerId === null) {
    return sql`(${s('visibility')} in ('public', 'unlisted') and not ${s('local_only')} and ${available})`
  }
  const near = sql`(not ${s('local_only')} or exists (
    select 1 from accounts vl where vl.id = ${viewerId} and vl.domain is null offset 0))`
  return sql`(${available} and ${near} and (${s('account_id')} = ${viewerId} or (
    (${s('visibility')} in ('public', 'unlisted')
      or exists (select 1 from mentions vm where vm.status_id = ${s('id')} and vm.account_id = ${viewerId} offset 0)
      or (${s('visibility')} = 'private' and exists (
        select 1 from follows vf where vf.account_id = ${viewerId} and vf.target_account_id = ${s('account_id')} offset 0)))
    and not ${isBlocked({ blocker: s('account_id'), blocked: viewerId })})))`
}

/** `visibleTo` for the status and, when it is a boost, for what it boosts. */
export function visibleWithOriginal(
  viewerId: AccountId | null,
  alias: string,
  authorId?: AccountId,
): RawBuilder<boolean> {
  return sql`(${visibleTo(viewerId, alias, undefined, authorId)} and (${sql.ref(`${alias}.reblog_of_id`)} is null or exists (
    select 1 from statuses vo where vo.id = ${sql.ref(`${alias}.reblog_of_id`)} and ${visibleTo(viewerId, 'vo')} offset 0)))`
}
