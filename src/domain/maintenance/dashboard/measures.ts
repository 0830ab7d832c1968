// Numbers day by day, read from what is kept. One statement for each kind of them, whatever is asked for.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'
import { getManagedTag } from '#domain/content/tags/manage.ts'
import { firstIdOf, listDays, plusDays, previousSpan, type Span } from './days.ts'
import type { TagId } from '#lib/id.ts'

const serverMeasures = ['new_users', 'interactions', 'opened_reports', 'resolved_reports'] as const
const tagMeasures = ['tag_accounts', 'tag_uses', 'tag_servers'] as const
/** The column of each measure of a server. */
const hostCounters = {
  instance_accounts: 'accounts',
  instance_media_attachments: 'media_attachments',
  instance_reports: 'reports',
  instance_statuses: 'statuses',
  instance_follows: 'follows',
  instance_followers: 'followers',
} as const
type HostMeasure = keyof typeof hostCounters
const hostMeasures = Object.keys(hostCounters) as HostMeasure[]
export const measureKeys = ['active_users', ...serverMeasures, ...tagMeasures, ...hostMeasures] as const

export type MeasureKey = (typeof measureKeys)[number]
type ServerMeasure = (typeof serverMeasures)[number]
type TagMeasure = (typeof tagMeasures)[number]

export interface Measure {
  key: MeasureKey
  total: number
  /** Of the span before. Undefined where the total is of all time. */
  previous?: number
  /** Every day of the span. */
  days: { day: Day; value: number }[]
}

/** What a measure is asked about, where it is asked about one thing. */
export type Subjects = Partial<Record<TagMeasure, TagId> & Record<HostMeasure, string>>

/**
 * Measures of a span, in the order of `keys`. All of them need a few ranges of indexes at most. Throws `not_found` for
 * a hashtag that is not there; servers that were never heard of have nothing but zeros.
 */
export async function readMeasures(
  reader: Reader,
  keys: readonly MeasureKey[],
  span: Span,
  subjects: Subjects,
): Promise<Measure[]> {
  const own = keys.filter((key): key is ServerMeasure => serverMeasures.some((one) => one === key))
  const ownCounts = own.length > 0 ? await readServer(reader, own, span) : []
  const measures = new Map<MeasureKey, Measure>(ownCounts.map((measure) => [measure.key, measure]))
  if (keys.includes('active_users')) measures.set('active_users', await readActiveUsers(reader, span))
  for (const key of tagMeasures) {
    const tagId = subjects[key]
    if (keys.includes(key) && tagId !== undefined) measures.set(key, await readTag(reader, key, span, tagId))
  }
  for (const key of hostMeasures) {
    const host = subjects[key]
    if (keys.includes(key) && host !== undefined) measures.set(key, await readHost(reader, key, span, host))
  }
  return keys.flatMap((key) => measures.get(key) ?? [])
}

interface Count {
  day: Day
  count: number
}

/** Adds up, and fills the days of which there are no rows. */
function toMeasure(key: MeasureKey, span: Span, rows: readonly Count[]): Measure {
  const byDay = new Map(rows.map((row) => [row.day, row.count]))
  const sum = ({ start, end }: Span) =>
    rows.reduce((total, row) => (row.day >= start && row.day <= end ? total + row.count : total), 0)
  const days = listDays(span).map((day) => ({ day, value: byDay.get(day) ?? 0 }))
  return { key, total: sum(span), previous: sum(previousSpan(span)), days }
}

/** From the first day of the span before to the last one of the span. */
const wholeOf = (span: Span): Span => ({ start: previousSpan(span).start, end: span.end })

const within = ({ start, end }: Span): RawBuilder<boolean> => sql`day between ${start}::date and ${end}::date`

async function readServer(reader: Reader, keys: readonly ServerMeasure[], span: Span): Promise<Measure[]> {
  const { rows } = await sql<Count & { name: string }>`
    select name, day::text as day, count::float8 as count from daily_counts
    where name = any(${keys}::text[]) and ${within(wholeOf(span))}`.execute(reader.db)
  return keys.map((key) =>
    toMeasure(
      key,
      span,
      rows.filter((row) => row.name === key),
    ),
  )
}

/** Of the people who were here on a day, those count for the whole span who had last been here before it. */
async function readActiveUsers(reader: Reader, span: Span): Promise<Measure> {
  const { rows } = await sql<Count & { first: number }>`
    select day::text as day, sum(users)::float8 as count,
      coalesce(sum(users) filter (where gap = 0 or day - gap < ${span.start}::date), 0)::float8 as first
    from activity_gaps where ${within(span)} group by day`.execute(reader.db)
  const previous = previousSpan(span)
  const { rows: earlier } = await sql<{ count: number }>`
    select coalesce(sum(users), 0)::float8 as count from activity_gaps
    where ${within(previous)} and (gap = 0 or day - gap < ${previous.start}::date)`.execute(reader.db)
  return {
    ...toMeasure('active_users', span, rows),
    total: rows.reduce((total, row) => total + row.first, 0),
    previous: earlier[0]?.count ?? 0,
  }
}

/** Uses of a hashtag that are looked at to tell its accounts and servers apart: the newest ones. */
const maxUses = 10_000

async function readTag(reader: Reader, key: TagMeasure, span: Span, tagId: TagId): Promise<Measure> {
  await getManagedTag(reader, tagId)
  const { rows } = await sql<Count>`
    select day::text as day, count::float8 as count from tag_daily_counts
    where tag_id = ${tagId} and name = ${key.slice('tag_'.length)} and ${within(wholeOf(span))}`.execute(
    reader.db,
  )
  const measure = toMeasure(key, span, rows)
  if (key === 'tag_uses') return measure
  const [total, previous] = [
    await countUsers(reader, key, span, tagId),
    await countUsers(reader, key, previousSpan(span), tagId),
  ]
  return { ...measure, total, previous }
}

/** Whoever uses a hashtag on two days counts once for both. */
async function countUsers(reader: Reader, key: TagMeasure, span: Span, tagId: TagId): Promise<number> {
  const counted = key === 'tag_servers' ? sql`a.domain` : sql`a.id`
  const { rows } = await sql<{ count: number }>`
    select count(distinct ${counted})::float8 as count from ${newestUses(tagId, span)} st
    join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
    where s.visibility = 'public' and not s.local_only and s.deleted_at is null
      and a.silenced_at is null and a.suspended_at is null and a.deleted_at is null`.execute(reader.db)
  return rows[0]?.count ?? 0
}

/** The posts with a hashtag from a span, but for the oldest ones of very many. */
export function newestUses(tagId: TagId, { start, end }: Span): RawBuilder<unknown> {
  return sql`(
    select status_id from status_tags
    where tag_id = ${tagId} and status_id >= ${firstIdOf(start)} and status_id < ${firstIdOf(plusDays(end, 1))}
    order by status_id desc limit ${maxUses})`
}

/** The total is that of all time: what there was before a day, and what every day since has brought. */
async function readHost(reader: Reader, key: HostMeasure, span: Span, host: string): Promise<Measure> {
  const name = hostCounters[key]
  const { rows } = await sql<Count>`
    select day::text as day, count::float8 as count from host_daily_counts
    where host = ${host} and name = ${name} and ${within(span)}`.execute(reader.db)
  const { rows: totals } = await sql<{ total: number }>`
    select (coalesce(t.${sql.ref(name)}, 0) + coalesce((
      select sum(k.count) from host_daily_counts k
      where k.host = ${host} and k.name = ${name} and (t.day is null or k.day >= t.day)), 0))::float8 as total
    from (select 1) one left join host_totals t on t.host = ${host}`.execute(reader.db)
  const { key: same, days } = toMeasure(key, span, rows)
  return { key: same, days, total: totals[0]?.total ?? 0 }
}
