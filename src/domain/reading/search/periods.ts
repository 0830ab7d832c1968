import type { Period } from './parse-query.ts'

/**
 * When a period begins and ends (exclusive), milliseconds since 1970, where the given zone's clocks are. A zone that is
 * unknown, or none, is UTC.
 */
export function boundsOf(period: Period, timeZone: string | null): { start: number; end: number } {
  const { year, month, day } = period
  const next =
    month === null ? [year + 1, 0, 1] : day === null ? [year, month, 1] : [year, month - 1, day + 1]
  return {
    start: midnight([year, (month ?? 1) - 1, day ?? 1], timeZone),
    end: midnight(next as [number, number, number], timeZone),
  }
}

/** The beginning of a day. Months count from 0; what is beyond a month's or year's end is carried over. */
function midnight([year, month, day]: [number, number, number], timeZone: string | null): number {
  const date = new Date(0)
  // Date.UTC takes the first hundred years for those of the last century.
  date.setUTCFullYear(year, month, day)
  const utc = date.getTime()
  const format = clockOf(timeZone)
  if (!format) return utc
  // The clocks may be changed between UTC's midnight and the zone's: the second look is at the right side of that.
  const first = utc - aheadOf(format, utc)
  return utc - aheadOf(format, first)
}

function clockOf(timeZone: string | null): Intl.DateTimeFormat | null {
  if (timeZone === null) return null
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
}

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function aheadOf(format: Intl.DateTimeFormat, moment: number): number {
  const parts = new Map(format.formatToParts(moment).map((part) => [part.type, Number(part.value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(moment / 1000) * 1000
}
