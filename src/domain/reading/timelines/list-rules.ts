// What enters the feed of a list. One condition serves fan-out and rebuilding.
import { sql, type RawBuilder } from 'kysely'
import { stillThere, allowedByFollow, type FeedRows } from './home-rules.ts'

/** What they are called in a statement. `follow`: of the list's owner to the author, left joined as `original` is. */
export interface ListFeedRows extends FeedRows {
  list: string
}

/** Replies to oneself and to the owner always; to others as the list's policy says. */
function replyPolicy({ status, list }: ListFeedRows): RawBuilder<boolean> {
  const [s, l] = [sql.id(status), sql.id(list)]
  return sql`(
  ${s}.in_reply_to_account_id is null or ${s}.in_reply_to_account_id in (${s}.account_id, ${l}.account_id)
  or (${l}.replies_policy = 'followed' and exists (select 1 from follows lr
    where lr.account_id = ${l}.account_id and lr.target_account_id = ${s}.in_reply_to_account_id offset 0))
  or (${l}.replies_policy = 'list' and exists (select 1 from list_accounts lm
    where lm.list_id = ${l}.id and lm.account_id = ${s}.in_reply_to_account_id offset 0)))`
}

/**
 * Owners in their own list need no follow; whom they have only asked to follow is not heard yet. What is direct is not for
 * lists.
 */
export function entersList(rows: ListFeedRows, now: Date): RawBuilder<boolean> {
  const [s, l, f] = [sql.id(rows.status), sql.id(rows.list), sql.id(rows.follow)]
  return sql`(
  ${stillThere(rows)} and ${s}.visibility in ('public', 'unlisted', 'private') and ${replyPolicy(rows)}
  and (${s}.account_id = ${l}.account_id or (${f}.id is not null and ${allowedByFollow(rows, now)})))`
}
