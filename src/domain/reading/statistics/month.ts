// What somebody wrote in a month, and what came of it: from the counters that posts have anyway.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import { timeToId } from '#lib/ids.ts'
import type { ReactionCounts } from './status.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface MonthDay extends ReactionCounts {
  /** `2026-02-01` */
  day: string
  statuses: number
  /** Of these, answers to others. */
  answers: number
  boosts: number
  /** New ones, as far as they still follow. */
  followers: number
}

export interface MonthStatistics {
  /** Every day of the month (of UTC). What came of posts counts for the day of the post. */
  days: MonthDay[]
  /** Those of which most came, the first first. */
  topStatusIds: StatusId[]
  /** All of it was counted. */
  complete: boolean
}

/** The newest posts, and followers, of a month that are counted. */
const maxCounted = 20_000
const maxTop = 5
const dayMs = 86_400_000

interface Month {
  /** In milliseconds. */
  from: number
  to: number
}

/** The month of `2026-02`, or null where that is none. */
export function parseMonth(text: string): Month | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined) return null
  return { from: Date.UTC(Number(year), Number(month) - 1), to: Date.UTC(Number(year), Number(month)) }
}

/** By three queries, whatever the month was like. Direct messages do not count. */
export async function summariseMonth(
  reader: Reader,
  accountId: AccountId,
  month: Month,
): Promise<MonthStatistics> {
  const posts = keyBy(await countPosts(reader, accountId, month), (row) => row.day)
  const followers = keyBy(await countFollowers(reader, accountId, month), (row) => row.day)
  const days = Array.from({ length: Math.round((month.to - month.from) / dayMs) }, (_, index) => {
    const day = new Date(month.from + index * dayMs).toISOString().slice(0, 10)
    return { ...(posts.get(day) ?? nothingOn(day)), followers: followers.get(day)?.followers ?? 0 }
  })
  const total = (key: 'statuses' | 'boosts' | 'followers') => days.reduce((sum, one) => sum + one[key], 0)
  return {
    days,
    topStatusIds: await listTop(reader, accountId, month),
    complete: total('statuses') + total('boosts') < maxCounted && total('followers') < maxCounted,
  }
}

type PostDay = Omit<MonthDay, 'followers'>

const nothingOn = (day: string): PostDay => ({
  day,
  statuses: 0,
  answers: 0,
  boosts: 0,
  favourites: 0,
  reblogs: 0,
  replies: 0,
  quotes: 0,
})

/** `s`, newest first: a range of the index of an account's statuses. */
function ownStatuses(accountId: AccountId, { from, to }: Month): RawBuilder<unknown> {
  return sql`
    select o.id, o.created_at, o.reblog_of_id, o.reply, o.in_reply_to_account_id, o.account_id from statuses o
    where o.account_id = ${accountId} and o.deleted_at is null and o.visibility <> 'direct'
      and o.id >= ${timeToId(from)}::bigint and o.id < ${timeToId(to)}::bigint
    order by o.id desc limit ${maxCounted}`
}

const dayOf = (time: RawBuilder<unknown>) => sql`((${time} at time zone 'UTC')::date)::text`

async function countPosts(reader: Reader, accountId: AccountId, month: Month): Promise<PostDay[]> {
  const { rows } = await sql<PostDay>`
    select ${dayOf(sql`s.created_at`)} as day, count(*) filter (where s.reblog_of_id is null)::int as statuses,
      count(*) filter (where s.reply and s.in_reply_to_account_id is distinct from s.account_id)::int as answers,
      count(*) filter (where s.reblog_of_id is not null)::int as boosts,
      coalesce(sum(t.favourites_count), 0)::int as favourites, coalesce(sum(t.reblogs_count), 0)::int as reblogs,
      coalesce(sum(t.replies_count), 0)::int as replies, coalesce(sum(t.quotes_count), 0)::int as quotes
    from (${ownStatuses(accountId, month)}) s left join status_stats t on t.status_id = s.id
    group by 1`.execute(reader.db)
  return rows
}

async function countFollowers(
  reader: Reader,
  accountId: AccountId,
  { from, to }: Month,
): Promise<{ day: string; followers: number }[]> {
  const { rows } = await sql<{ day: string; followers: number }>`
    select ${dayOf(sql`f.created_at`)} as day, count(*)::int as followers
    from (
      select created_at from follows
      where target_account_id = ${accountId} and id >= ${timeToId(from)}::bigint and id < ${timeToId(to)}::bigint
      order by id desc limit ${maxCounted}) f
    group by 1`.execute(reader.db)
  return rows
}

async function listTop(reader: Reader, accountId: AccountId, month: Month): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from (${ownStatuses(accountId, month)}) s join status_stats t on t.status_id = s.id
    where s.reblog_of_id is null and t.favourites_count + t.reblogs_count + t.replies_count + t.quotes_count > 0
    order by t.favourites_count + t.reblogs_count + t.replies_count + t.quotes_count desc, s.id desc
    limit ${maxTop}`.execute(reader.db)
  return rows.map((row) => row.id)
}
