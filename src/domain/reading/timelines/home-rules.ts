// What enters a home feed, and what of that holds for list feeds too. One condition serves fan-out (one status, many
// followers), merging a newly followed account and rebuilding a whole feed, so the three cannot disagree.
import { sql, type RawBuilder } from 'kysely'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'

/** What a status, what it boosts (left joined) and the follow whose `account_id` receives it are called in a statement. */
export interface FeedRows {
  status: string
  original: string
  follow: string
}

const named = ({ status, original, follow }: FeedRows) => ({
  s: sql.id(status),
  o: sql.id(original),
  f: sql.id(follow),
})

/** Neither the status nor what it boosts is deleted. */
export function stillThere(rows: FeedRows): RawBuilder<boolean> {
  const { s, o } = named(rows)
  return sql`(${s}.deleted_at is null and (${o}.id is null or ${o}.deleted_at is null))`
}

/**
 * The receiver neither mutes, at `now`, nor blocks any of these accounts, a query for `id`. Each is looked up by itself: to read
 * all that somebody mutes for each status made building the feed of a person with 4,000 mutes a hundred times slower.
 */
export function notMutedOrBlocked(
  receiver: RawBuilder<unknown>,
  accounts: RawBuilder<unknown>,
  now: Date,
): RawBuilder<boolean> {
  return sql`not exists (
    select 1 from (${accounts}) concerned
    where ${isMuted({ muter: receiver, muted: sql`concerned.id` }, now)}
      or ${isBlocked({ blocker: receiver, blocked: sql`concerned.id` })}
    offset 0)`
}

/** What holds of all that a follow brings into any feed of the follower. `offset 0` as in `visibleTo`. */
export function allowedByFollow(rows: FeedRows, now: Date): RawBuilder<boolean> {
  const { s, o, f } = named(rows)
  return sql`(
  not (${s}.reply and ${s}.in_reply_to_account_id is null)
  and (${f}.languages is null or coalesce(${o}.language, ${s}.language) is null
    or coalesce(${o}.language, ${s}.language) = any(${f}.languages))
  and (${o}.id is null or (${f}.show_reblogs
    and not ${isBlocked({ blocker: sql`${o}.account_id`, blocked: sql`${f}.account_id` })}
    and not exists (select 1 from account_domain_blocks hidden_domain join accounts booster on booster.domain = hidden_domain.domain
      where hidden_domain.account_id = ${f}.account_id and booster.id = ${o}.account_id offset 0)))
  and ${notMutedOrBlocked(
    sql`${f}.account_id`,
    sql`
    select ${s}.account_id as id union all select ${o}.account_id
    union all select mention.account_id from mentions mention where mention.status_id = coalesce(${o}.id, ${s}.id)`,
    now,
  )})`
}

/** The receiver has put the author into a list that keeps them out of home. */
function keptInList(rows: FeedRows): RawBuilder<boolean> {
  const { s, f } = named(rows)
  return sql`exists (
  select 1 from list_accounts list_entry join lists kept_list on kept_list.id = list_entry.list_id
  where list_entry.account_id = ${s}.account_id and list_entry.owner_id = ${f}.account_id and kept_list.exclusive offset 0)`
}

/** Visibility is part of the condition: a direct status enters the feeds of followers it names. */
export function entersHome(rows: FeedRows, now: Date): RawBuilder<boolean> {
  const { s, f } = named(rows)
  return sql`(
  ${stillThere(rows)}
  and (${s}.visibility in ('public', 'unlisted', 'private')
    or exists (select 1 from mentions mention where mention.status_id = ${s}.id and mention.account_id = ${f}.account_id offset 0))
  and (${s}.in_reply_to_account_id is null or ${s}.in_reply_to_account_id in (${s}.account_id, ${f}.account_id)
    or exists (select 1 from follows parent_follow
      where parent_follow.account_id = ${f}.account_id and parent_follow.target_account_id = ${s}.in_reply_to_account_id offset 0))
  and ${allowedByFollow(rows, now)} and not ${keptInList(rows)})`
}
