// Days and spans of them, as the dashboard asks for them. All are days of UTC.
import type { Day } from '#db/schema/types.ts'
import { invalid, unprocessable } from '#lib/errors.ts'
import { timeToId } from '#lib/ids.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { formatDate } from '#lib/time/time.ts'
import { dayLength } from '#lib/time/use-days.ts'
import type { IdCursor } from '#lib/id.ts'

/** Days of which numbers are kept, and that a request may ask for: two years. */
export const daysKept = 731

/** The day of a moment, in milliseconds since the epoch. */
export const dayOf = (time: number): Day => formatDate(time)

/** Midnight at which a day begins, in milliseconds since the epoch. */
export const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`)

/** So many days later; a negative number goes back. */
export const plusDays = (day: Day, count: number): Day => dayOf(startOf(day) + count * dayLength)

/** How many days lie between two of them. */
const daysBetween = (first: Day, last: Day): number => (startOf(last) - startOf(first)) / dayLength

/** All days from the first to the last one. */
export function listDays({ start, end }: Span): Day[] {
  return Array.from({ length: daysBetween(start, end) + 1 }, (_, index) => plusDays(start, index))
}

/** Days with both ends. */
export interface Span {
  start: Day
  end: Day
}

/** What clients ask for when they do not say: the last thirty days. */
const usualDays = 30

/**
 * The days from one moment to another, as clients write them; times of day count for nothing. Throws `invalid` for what
 * is no date, and for more than `max` days.
 */
export function parseSpan(
  now: number,
  asked: { start?: string | undefined; end?: string | undefined },
  max: number = daysKept,
): Span {
  const end = asked.end === undefined ? dayOf(now) : parseDay(asked.end)
  const start = asked.start === undefined ? plusDays(end, 1 - usualDays) : parseDay(asked.start)
  const days = daysBetween(start, end) + 1
  if (days < 1) throw invalid('base', 'start_after_end')
  if (days > max) throw invalid('base', 'too_many_days', { max })
  return { start, end }
}

/** Years before and after these are in no database. */
const sensible = { from: Date.UTC(1990, 0), to: Date.UTC(2200, 0) }

function parseDay(text: string): Day {
  // The day that stands there, whatever its zone makes of it here.
  const written = /^\d{4}-\d\d-\d\d/.exec(text.trim())?.[0]
  const time = parseTime(text) === null ? null : parseTime(written ?? text)
  if (time === null || time < sensible.from || time > sensible.to) throw unprocessable('invalid_date')
  return dayOf(time)
}

/** As long a span as this one, that ends where it begins. */
export function previousSpan({ start, end }: Span): Span {
  const length = daysBetween(start, end)
  return { start: plusDays(start, -length), end: plusDays(end, -length) }
}

/** The first id of a day. */
export const firstIdOf = (day: Day): IdCursor => timeToId(startOf(day))
