// When what the dashboard shows is counted. Nothing is counted while it happens: counting a day anew costs little, is
// right however often it is done, and finds what came late or while no worker ran.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'
import { sumMediaUsage } from '#domain/content/media/usage.ts'
import { countHosts, countHostTotals } from './count-hosts.ts'
import { countActivity, countEvents, countInteractions } from './count-server.ts'
import { countTags } from './count-tags.ts'
import { dayOf, daysKept, plusDays } from './days.ts'

/** Days before today that are looked at again every day: posts of other servers arrive late, sign-ups are not confirmed. */
const recounted = 7
/** Earlier days that one run counts, after an update or when no worker ran for long. */
const caughtUp = 60
/** Days for which the use of each hashtag is kept. */
const tagDaysKept = 100

/** Brings the numbers of today up to date that cost least. Safe to run again. */
export async function countToday(ctx: Ctx): Promise<void> {
  const today = dayOf(ctx.clock.now())
  for (const count of [countEvents, countActivity, countInteractions]) await count(ctx, today)
}

/**
 * Counts today and yesterday; once a day also the days before, and what is only counted as a whole; then days that no
 * run has counted so far, some at a time. Safe to run again.
 */
export async function countDays(ctx: Ctx): Promise<void> {
  const today = dayOf(ctx.clock.now())
  await countDay(ctx, today)
  await countPast(ctx, plusDays(today, -1))
  if (!(await isMarked(ctx, wholeName, today))) {
    for (let ago = 2; ago <= recounted; ago++) await countPast(ctx, plusDays(today, -ago))
    await countWholeDays(ctx, today)
    await trim(ctx, today)
    await mark(ctx, wholeName, today)
  }
  for (const day of await listUncounted(ctx, today)) await countPast(ctx, day)
}

async function countDay(ctx: Ctx, day: Day): Promise<void> {
  for (const count of [countEvents, countActivity, countInteractions, countHosts, countTags])
    await count(ctx, day)
}

/** A day that is over needs no further look. */
async function countPast(ctx: Ctx, day: Day): Promise<void> {
  await countDay(ctx, day)
  await mark(ctx, pastName, day)
}

/** What is there in all: servers, and the room that files take. */
async function countWholeDays(ctx: Ctx, today: Day): Promise<void> {
  await countHostTotals(ctx, today)
  const { attachments, previews, cards } = await sumMediaUsage(ctx)
  await setCount(ctx, 'media_bytes', today, attachments.local.bytes + previews.local.bytes)
  await setCount(
    ctx,
    'media_cache_bytes',
    today,
    attachments.cached.bytes + previews.cached.bytes + cards.bytes,
  )
}

// Marks are among the numbers of a day: that it was counted when it was over, and that the wholes were counted on it.
const pastName = 'counted'
const wholeName = 'counted_wholes'

const mark = (reader: Reader, name: string, day: Day) => setCount(reader, name, day, 1)

async function setCount(reader: Reader, name: string, day: Day, count: number): Promise<void> {
  await sql`
    insert into daily_counts (name, day, count) values (${name}, ${day}::date, ${count}::bigint)
    on conflict (name, day) do update set count = excluded.count`.execute(reader.db)
}

async function isMarked(reader: Reader, name: string, day: Day): Promise<boolean> {
  const { rows } = await sql`
    select 1 from daily_counts where name = ${name} and day = ${day}::date`.execute(reader.db)
  return rows.length > 0
}

/** Days since the first person signed up that were not counted after they were over, the newest first. */
async function listUncounted(reader: Reader, today: Day): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    select d.day::date::text as day
    from (select min(created_at) as began from users) u
    cross join lateral generate_series(
      ${today}::date - 1, greatest((u.began at time zone 'UTC')::date, ${today}::date - ${daysKept}::int),
      interval '-1 day') d (day)
    where not exists (
      select 1 from daily_counts k where k.name = ${pastName} and k.day = d.day::date offset 0)
    limit ${caughtUp}`.execute(reader.db)
  return rows.map((row) => row.day)
}

/** Days that are kept of what is many. Of people the span before the longest one is told too. */
const kept = {
  activity_gaps: 2 * daysKept,
  host_daily_counts: daysKept,
  retention_counts: 2 * daysKept,
  tag_daily_counts: tagDaysKept,
  user_activity: 2 * daysKept,
}

async function trim(reader: Reader, today: Day): Promise<void> {
  for (const [table, days] of Object.entries(kept)) {
    const first = plusDays(today, -days)
    await sql`delete from ${sql.table(table)} where day < ${first}::date`.execute(reader.db)
  }
}
