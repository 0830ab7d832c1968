// How far one looks back.
import { t } from '../../core/texts.ts'

const hour = 3_600_000
const day = 24 * hour

export const spans = ['evening', 'hours', 'day', 'days', 'week'] as const
export type Span = (typeof spans)[number]

export const nameOfSpan = (span: Span): string => t.catchUp.spans[span]

/** Six in the evening of the day before, where the reader is. */
function yesterdayEvening(): Date {
  const time = new Date()
  time.setDate(time.getDate() - 1)
  time.setHours(18, 0, 0, 0)
  return time
}

const known = new Map<Span, string>()

/** When the span begins: the same for as long as the page is open, so that nothing moves while one reads. */
export function beginOf(span: Span): string {
  const ago = { hours: 12 * hour, day, days: 3 * day, week: 7 * day }
  const begin =
    known.get(span) ??
    (span === 'evening' ? yesterdayEvening() : new Date(Date.now() - ago[span])).toISOString()
  known.set(span, begin)
  return begin
}

/** Looks back from now again. */
export const lookAgain = (): void => known.clear()
