// What may trend at all. Looked at when scores are made, and again when they are shown: statuses are edited meanwhile.
import { sql, type RawBuilder } from 'kysely'

/** An account whose posts count: neither limited, suspended, deleted nor marked as sensitive. */
export function inGoodStanding(alias: string): RawBuilder<boolean> {
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${a('silenced_at')} is null and ${a('suspended_at')} is null and ${a('deleted_at')} is null
    and ${a('sensitized_at')} is null)`
}

/** A status whose hashtags and links count: an own one for all the world, with nothing to warn of. */
export function showsWell(alias: string): RawBuilder<boolean> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${s('visibility')} = 'public' and ${s('reblog_of_id')} is null and ${s('deleted_at')} is null
    and not ${s('local_only')} and not ${s('sensitive')} and ${s('spoiler_text')} = '')`
}

/** A status that may trend itself: also no reply, by somebody who wants to be found. */
export function trendableStatus(status: string, author: string): RawBuilder<boolean> {
  return sql`(${showsWell(status)} and not ${sql.ref(`${status}.reply`)} and ${inGoodStanding(author)}
    and ${sql.ref(`${author}.discoverable`)} is true)`
}

/** Nor does it show, by a quote, what may not trend. */
export function calmQuote(status: string): RawBuilder<boolean> {
  return sql`not exists (
    select 1 from quotes q join statuses qs on qs.id = q.quoted_status_id join accounts qa on qa.id = qs.account_id
    where q.status_id = ${sql.ref(`${status}.id`)} and q.state = 'accepted' and qs.deleted_at is null
      and not (${showsWell('qs')} and ${inGoodStanding('qa')}) offset 0)`
}
