// What a report tells of a year (https://docs.joinmastodon.org/entities/AnnualReport/, schema version 2).
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import { timeToId } from '#lib/ids.ts'
import { chooseArchetype, type Archetype } from './archetype.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The form of `ReportData`. */
export const schemaVersion = 2

export interface ReportData {
  archetype: Archetype
  /** Each another status; null where none was boosted, favourited or answered. */
  top_statuses: { by_reblogs: StatusId | null; by_favourites: StatusId | null; by_replies: StatusId | null }
  time_series: Month[]
  top_hashtags: { name: string; count: number }[]
}

export interface Month {
  /** From 1. */
  month: number
  statuses: number
  /** New ones, as far as they still follow or are followed. */
  following: number
  followers: number
}

type FollowMonth = Omit<Month, 'statuses'>

interface StatusMonth {
  month: number
  statuses: number
  boosts: number
  replies: number
  polls: number
}

const maxHashtags = 40
const months = Array.from({ length: 12 }, (_, index) => index + 1)

/** Rows whose ids were made in a year (UTC): a range of every index that ends in the id. */
function madeIn(year: number, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${id} >= ${timeToId(Date.UTC(year, 0))}::bigint and ${id} < ${timeToId(Date.UTC(year + 1, 0))}::bigint)`
}

const monthOf = (time: RawBuilder<unknown>) => sql`extract(month from ${time} at time zone 'UTC')::int`

function statusesOf(accountId: AccountId, year: number): RawBuilder<boolean> {
  return sql`(s.account_id = ${accountId} and s.deleted_at is null and ${madeIn(year, sql`s.id`)})`
}

/** Statuses whose text everybody may see. */
const open = sql<boolean>`s.visibility in ('public', 'unlisted')`

/** Whether there is something to tell of an account's year: it published something that everybody may see. */
export async function isYearWorthTelling(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from statuses s where ${statusesOf(accountId, year)} and ${open} limit 1`.execute(reader.db)
  return rows.length > 0
}

/** Sums an account's year up, by four queries. */
export async function summariseYear(reader: Reader, accountId: AccountId, year: number): Promise<ReportData> {
  const statuses = await countStatuses(reader, accountId, year)
  const follows = await countFollows(reader, accountId, year)
  const total = (key: keyof StatusMonth) => [...statuses.values()].reduce((sum, one) => sum + one[key], 0)
  const [boosts, replies] = [total('boosts'), total('replies')]
  return {
    archetype: chooseArchetype({
      standalone: total('statuses') - boosts - replies,
      boosts,
      replies,
      polls: total('polls'),
    }),
    top_statuses: await findTopStatuses(reader, accountId, year),
    time_series: months.map((month) => ({
      month,
      statuses: statuses.get(month)?.statuses ?? 0,
      following: follows.get(month)?.following ?? 0,
      followers: follows.get(month)?.followers ?? 0,
    })),
    top_hashtags: await listTopHashtags(reader, accountId, year),
  }
}

async function countStatuses(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<Map<number, StatusMonth>> {
  const { rows } = await sql<StatusMonth>`
    select ${monthOf(sql`s.created_at`)} as month, count(*)::int as statuses,
      count(*) filter (where s.reblog_of_id is not null)::int as boosts,
      count(*) filter (where s.reply and s.in_reply_to_account_id is distinct from s.account_id)::int as replies,
      count(*) filter (where s.poll_id is not null)::int as polls
    from statuses s where ${statusesOf(accountId, year)} group by 1`.execute(reader.db)
  return keyBy(rows, (row) => row.month)
}

async function countFollows(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<Map<number, FollowMonth>> {
  const { rows } = await sql<FollowMonth>`
    select month, count(*) filter (where own)::int as following, count(*) filter (where not own)::int as followers
    from (
      select ${monthOf(sql`f.created_at`)} as month, true as own
      from follows f where f.account_id = ${accountId} and ${madeIn(year, sql`f.id`)}
      union all
      select ${monthOf(sql`f.created_at`)}, false
      from follows f where f.target_account_id = ${accountId} and ${madeIn(year, sql`f.id`)}) made
    group by 1`.execute(reader.db)
  return keyBy(rows, (row) => row.month)
}

/** The newest of equal ones. */
async function findTopStatuses(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<ReportData['top_statuses']> {
  const { rows } = await sql<ReportData['top_statuses']>`
    with own as materialized (
      select s.id, t.reblogs_count, t.favourites_count, t.replies_count
      from statuses s join status_stats t on t.status_id = s.id
      where ${statusesOf(accountId, year)} and s.reblog_of_id is null and ${open}),
    boosted as (
      select id from own where reblogs_count > 0 order by reblogs_count desc, id desc limit 1),
    liked as (
      select id from own where favourites_count > 0 and id is distinct from (select id from boosted)
      order by favourites_count desc, id desc limit 1),
    answered as (
      select id from own where replies_count > 0 and id is distinct from (select id from boosted)
        and id is distinct from (select id from liked)
      order by replies_count desc, id desc limit 1)
    select (select id from boosted) as by_reblogs, (select id from liked) as by_favourites,
      (select id from answered) as by_replies`.execute(reader.db)
  return rows[0] as ReportData['top_statuses']
}

async function listTopHashtags(
  reader: Reader,
  accountId: AccountId,
  year: number,
): Promise<ReportData['top_hashtags']> {
  const { rows } = await sql<{ name: string; count: number }>`
    select g.display_name as name, count(*)::int as count
    from statuses s join status_tags st on st.status_id = s.id join tags g on g.id = st.tag_id
    where ${statusesOf(accountId, year)}
    group by g.id, g.display_name order by count(*) desc, g.name limit ${maxHashtags}`.execute(reader.db)
  return rows
}
