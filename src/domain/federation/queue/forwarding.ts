// Who hears of a status of another server only through somebody of this one, so that news of it is passed on to them
// (https://www.w3.org/TR/activitypub/#inbox-forwarding).
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { groupBy } from '#lib/collections.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * What there is news of: a reply that is new, a status that changed or went, or the consent to a quote that was taken
 * back. By their addresses.
 */
export type ForwardedFact = { reply: string } | { status: string } | { stamp: string }

/**
 * Inboxes of other servers to which news is passed on, by the local account in whose name: one whom a status answers,
 * who boosted or who quoted it. Each inbox once, none of `host`, where the news is from. Only of what is open to all.
 */
export async function listForwarding(
  reader: Reader,
  fact: ForwardedFact,
  host: string,
): Promise<Map<AccountId, string[]>> {
  const { rows } = await sql<{ sender_id: AccountId; inbox: string }>`
    with via as (${concerned(fact)})
    select min(l.id) as sender_id, coalesce(a.shared_inbox_url, a.inbox_url) as inbox
    from accounts l
    join follows f on f.target_account_id = l.id
    join accounts a on a.id = f.account_id
    where l.id in (select account_id from via) and l.domain is null and l.suspended_at is null and l.deleted_at is null
      and a.domain is not null and a.inbox_url is not null and a.suspended_at is null and a.deleted_at is null
      and a.uri_host is distinct from ${host}
    group by 2`.execute(reader.db)
  const bySender = groupBy(rows, (row) => row.sender_id)
  return new Map(bySender.entries().map(([id, list]) => [id, list.map((row) => row.inbox)]))
}

function concerned(fact: ForwardedFact): RawBuilder<unknown> {
  if ('stamp' in fact) {
    return sql`
      select s.account_id from quotes q join statuses s on s.id = q.status_id
      where q.approval_uri = ${fact.stamp} and s.local and s.visibility in ('public', 'unlisted')`
  }
  const uri = 'reply' in fact ? fact.reply : fact.status
  const about = sql`select t.id, t.in_reply_to_account_id, t.deleted_at from statuses t
    where t.uri = ${uri} and not t.local and t.visibility in ('public', 'unlisted')`
  const answered = sql`select t.in_reply_to_account_id as account_id from (${about}) t`
  if ('reply' in fact) return answered
  return sql`${answered}
    union select b.account_id from (${about}) t join statuses b on b.reblog_of_id = t.id
      where b.local and not b.local_only and (b.deleted_at is null or b.deleted_at = t.deleted_at)
    union select w.account_id from (${about}) t
      join quotes q on q.quoted_status_id = t.id join statuses w on w.id = q.status_id
      where w.local and not w.local_only and w.deleted_at is null`
}
