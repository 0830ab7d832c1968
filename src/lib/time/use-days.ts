// How much something was used on each of the last days. Days are those of UTC; ids tell when what they name was made.
import { groupBy } from '../collections.ts'
import { timeToId } from '../ids.ts'
import type { AnyId, IdCursor } from '../id.ts'

/** The use of one day, which starts at `day`, seconds since 1970. */
export interface UseDay {
  day: number
  uses: number
  accounts: number
}

/** Milliseconds of a day. */
export const dayLength = 86_400_000
/** Days that are told of, today among them. */
const weekDays = 7

const numberOf = (now: number) => Math.floor(now / dayLength)

/** The smallest id of the day that was so many days before `now` (milliseconds); -1 is tomorrow. */
export function dayStart(now: number, daysAgo: number): IdCursor {
  return timeToId((numberOf(now) - daysAgo) * dayLength)
}

/** The smallest id of the days that a history tells of. */
export function weekStart(now: number): IdCursor {
  return dayStart(now, weekDays - 1)
}

/**
 * The last seven days of each id, today first, from rows that there are for some of them only. In the rows, `day` is
 * counted in days since 1970.
 */
export function fillWeek<Id extends AnyId>(
  ids: readonly Id[],
  rows: readonly (UseDay & { id: Id })[],
  now: number,
): Map<Id, UseDay[]> {
  const used = groupBy(rows, (row) => row.id)
  const days = Array.from({ length: weekDays }, (_, ago) => numberOf(now) - ago)
  const historyOf = (id: Id) =>
    days.map((day) => {
      const found = used.get(id)?.find((row) => row.day === day)
      return { day: (day * dayLength) / 1000, uses: found?.uses ?? 0, accounts: found?.accounts ?? 0 }
    })
  return new Map(ids.map((id) => [id, historyOf(id)]))
}
