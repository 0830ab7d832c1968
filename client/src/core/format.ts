// Dates and numbers as the reader's language writes them.
import { locale, t } from './texts.ts'

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function formatOf<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = cache.get(key) ?? make()
  cache.set(key, known)
  return known as T
}

/** `November 2026`, of `2026-11`. */
export const formatMonth = (month: string): string =>
  formatOf(
    'month',
    () => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ).format(new Date(`${month}-01T00:00:00Z`))

/** `1,234`. */
export const formatNumber = (count: number): string =>
  formatOf('number', () => new Intl.NumberFormat(locale)).format(count)

/** `1.2K`, for the small numbers beside buttons. */
export const formatShort = (count: number): string =>
  formatOf('short', () => new Intl.NumberFormat(locale, { notation: 'compact' })).format(count)

export const formatPercent = (share: number): string =>
  formatOf('percent', () => new Intl.NumberFormat(locale, { style: 'percent' })).format(share)

/** `22 November 2026 at 17:05`. */
export const formatDateTime = (time: string | Date): string =>
  formatOf('full', () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' })).format(
    new Date(time),
  )

/** `22 Nov 2026`. */
export const formatDay = (time: string | Date): string =>
  formatOf('day', () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })).format(new Date(time))

let names: Intl.DisplayNames | null = null

/** What a language is called; its code where nobody has a name for it. */
export function nameOfLanguage(code: string): string {
  names ??= new Intl.DisplayNames(locale, { type: 'language' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const spans = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

/** `6 hours`, of a span in seconds, in the largest unit that divides it. */
export function formatDuration(seconds: number): string {
  const [size, unit] = spans.find(([one]) => seconds % one === 0) ?? spans[2]
  return formatOf(
    `span-${unit}`,
    () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }),
  ).format(seconds / size)
}

/** `1:05`, `1:02:03`, of seconds: as long as a film or a sound is. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds)
  const digits = (value: number, least: 1 | 2) =>
    formatOf(
      `digits-${least}`,
      () => new Intl.NumberFormat(locale, { minimumIntegerDigits: least, useGrouping: false }),
    ).format(value)
  const [h, min, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  return [...(h > 0 ? [digits(h, 1)] : []), digits(min, h > 0 ? 2 : 1), digits(s, 2)].join(':')
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago, in the fewest signs: `now`, `5m`, `3h`, `2d`, then the day. */
export function formatAge(time: string | Date, now: number): string {
  const at = new Date(time)
  const age = now - at.getTime()
  if (age < minute) return t.time.now
  const unit = (value: number, name: string) =>
    formatOf(
      `age-${name}`,
      () => new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow' }),
    ).format(value)
  if (age < hour) return unit(Math.floor(age / minute), 'minute')
  if (age < day) return unit(Math.floor(age / hour), 'hour')
  if (age < 7 * day) return unit(Math.floor(age / day), 'day')
  const isThisYear = at.getFullYear() === new Date(now).getFullYear()
  const options: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }
  if (!isThisYear) options.year = 'numeric'
  return formatOf(`date-${isThisYear}`, () => new Intl.DateTimeFormat(locale, options)).format(at)
}
