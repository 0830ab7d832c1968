// What enters the feed of a list. One condition serves fan-out and rebuilding.
import { sql, type RawBuilder } from 'kysely'
import { stillThere, allowedByFollow } from './home-rules.ts'

/** Replies to oneself and to the owner always; to others as the list's policy says. */
const replyPolicy: RawBuilder<boolean> = sql`(
  s.in_reply_to_account_id is null or s.in_reply_to_account_id in (s.account_id, l.account_id)
  or (l.replies_policy = 'followed' and exists (select 1 from follows lr
    where lr.account_id = l.account_id and lr.target_account_id = s.in_reply_to_account_id offset 0))
  or (l.replies_policy = 'list' and exists (select 1 from list_accounts lm
    where lm.list_id = l.id and lm.account_id = s.in_reply_to_account_id offset 0)))`

/**
 * The condition on `statuses s`, what it boosts `o`, `lists l` and the `follows f` of the list's owner to the author;
 * `o` and `f` are left joined. Owners in their own list need no follow; whom they have only asked to follow is not
 * heard yet. What is direct is not for lists.
 */
export const entersList = (now: Date): RawBuilder<boolean> => sql`(
  ${stillThere} and s.visibility in ('public', 'unlisted', 'private') and ${replyPolicy}
  and (s.account_id = l.account_id or (f.id is not null and ${allowedByFollow(now)})))`
