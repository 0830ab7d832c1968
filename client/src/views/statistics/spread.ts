// What came when, in steps of the same length, also those in which nothing did.
import type { StatusStatistics } from '#entities/personal/statistics.ts'

type Hours = StatusStatistics['hours']

export interface Step {
  /** When it begins. */
  time: Date
  count: number
}

export interface Spread {
  isByHour: boolean
  steps: readonly Step[]
}

const hour = 3_600_000
const day = 24 * hour
/** Longer spans than this are shown by days. */
const maxHours = 72

/** All that people do with a post. */
export const sumOf = ({ favourites, reblogs, replies, quotes }: StatusStatistics['totals']): number =>
  favourites + reblogs + replies + quotes

/** From the first hour in which there was something to the last one; null when there was nothing. */
export function spread(hours: Hours): Spread | null {
  const times = hours.map((one) => Date.parse(one.hour))
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return null
  const isByHour = last - first <= maxHours * hour
  const step = isByHour ? hour : day
  const counts = Array.from({ length: Math.floor((last - first) / step) + 1 }, () => 0)
  for (const [index, time] of times.entries()) {
    const at = Math.floor((time - first) / step)
    const one = hours[index]
    if (one) counts[at] = (counts[at] ?? 0) + sumOf(one)
  }
  return { isByHour, steps: counts.map((count, at) => ({ time: new Date(first + at * step), count })) }
}
