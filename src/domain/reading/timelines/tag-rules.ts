// What followed hashtags bring into a home feed.
import { sql, type RawBuilder } from 'kysely'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { notMutedOrBlocked } from './home-rules.ts'
import type { AccountId, TagId } from '#lib/id.ts'

/** Statuses taken of one tag when a feed is merged or rebuilt. */
const perTag = 200

/** What the followed tags of an account, or one of them, bring into its feed. */
export function taggedStatuses(
  accountId: AccountId,
  now: Date,
  tagId: TagId | null = null,
): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from tag_follows tf
    cross join lateral (
      select l.id, l.account_id, l.reblog_of_id from status_tags st join statuses l on l.id = st.status_id
      where st.tag_id = tf.tag_id and ${tagEligible('l')} order by st.status_id desc limit ${perTag}) s
    where tf.account_id = ${accountId} ${tagId === null ? sql`` : sql`and tf.tag_id = ${tagId}`}
      and ${entersByTag('s', sql`tf.account_id`, now)}`
}

/**
 * Posts of a tag as far as they are counted, to see whether they or others are fewer: some ten milliseconds, where the
 * wrong choice of two that look as many took seconds with a million posts.
 */
export const maxCounted = 100_000

/** How many posts there are with a tag, up to `maxCounted`, or to fewer. */
export const countOf = (
  tagId: RawBuilder<unknown>,
  most: RawBuilder<unknown> = sql.lit(maxCounted),
): RawBuilder<number> => sql`(select count(*)::int from (
  select 1 from status_tags where tag_id = ${tagId} limit ${most}) counted)`

/** Statuses that followed hashtags bring: public, no boosts. */
export function tagEligible(alias: string): RawBuilder<boolean> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${s('visibility')} = 'public' and ${s('reblog_of_id')} is null and ${s('deleted_at')} is null)`
}

/** Who wrote it and whom it names are welcome to the receiver. */
export function entersByTag(alias: string, receiver: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${s('account_id')} <> ${receiver}
    and ${notMutedOrBlocked(
      receiver,
      sql`select ${s('account_id')} as id
        union all select tm.account_id from mentions tm where tm.status_id = ${s('id')}`,
      now,
    )}
    and not ${isBlocked({ blocker: s('account_id'), blocked: receiver })}
    and not exists (select 1 from account_domain_blocks td join accounts ta on ta.domain = td.domain
      where td.account_id = ${receiver} and ta.id = ${s('account_id')} offset 0))`
}
