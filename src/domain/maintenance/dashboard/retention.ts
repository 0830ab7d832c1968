// Who of those who signed up within a period was here in later ones.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'
import { dayOf, listDays, plusDays, startOf, type Span } from './days.ts'

export type Frequency = 'day' | 'month'

/** Days that may be asked for at once: each one is told of with all that follow it. */
export const maxDays: Readonly<Record<Frequency, number>> = { day: 92, month: 731 }

export interface Cohort {
  /** The first day of the period in which they signed up. */
  period: Day
  periods: {
    /** The first day of a period. */
    period: Day
    /** How many of them were here within it. */
    users: number
    /** The part of all of them that this is: 0 to 1. */
    rate: number
  }[]
}

interface Active {
  /** Which of the periods, from 1. */
  cohort: number
  period: number
  users: number
}

/** The cohorts of a span, the first one first, from numbers that are kept. */
export async function readRetention(reader: Reader, span: Span, frequency: Frequency): Promise<Cohort[]> {
  const periods = frequency === 'day' ? listDays(span) : listMonths(span)
  const from = periods[0] as Day
  const until = frequency === 'day' ? span.end : lastDayOf(periods.at(-1) as Day)
  const users = frequency === 'day' ? sql`users` : sql`first_in_month`
  // Truncating days to periods, row by row, costs several times as much.
  const indexOf = (column: 'cohort' | 'day') => sql`width_bucket(${sql.ref(column)}, ${periods}::date[])`
  const { rows } = await sql<Active>`
    select ${indexOf('cohort')} as cohort, ${indexOf('day')} as period, sum(${users})::float8 as users
    from retention_counts
    where day between ${from}::date and ${until}::date and cohort >= ${from}::date group by 1, 2`.execute(
    reader.db,
  )
  const { rows: sizes } = await sql<{ cohort: number; users: number }>`
    select ${indexOf('day')} as cohort, sum(count)::float8 as users from daily_counts
    where name = 'new_users' and day between ${from}::date and ${until}::date group by 1`.execute(reader.db)
  const sizeOf = new Map(sizes.map((row) => [row.cohort, row.users]))
  const activeOf = new Map(rows.map((row) => [`${row.cohort} ${row.period}`, row.users]))
  return periods.map((cohort, index) => ({
    period: cohort,
    periods: periods.slice(index).map((period, later) => {
      const active = activeOf.get(`${index + 1} ${index + later + 1}`) ?? 0
      // Somebody who left was counted here and there at different times.
      return { period, users: active, rate: Math.min(1, active / Math.max(1, sizeOf.get(index + 1) ?? 0)) }
    }),
  }))
}

function listMonths({ start, end }: Span): Day[] {
  const months: Day[] = []
  for (let month = monthOf(start); month <= end; month = nextMonth(month)) months.push(month)
  return months
}

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

function nextMonth(month: Day): Day {
  const date = new Date(startOf(month))
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1))
}

const lastDayOf = (month: Day): Day => plusDays(nextMonth(month), -1)
