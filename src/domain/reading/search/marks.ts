// What a document says of a status besides its words: entries that no word can be, because they begin with a sign.
import { compareIds, idToTime, timeToId } from '#lib/ids.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

export const openMark = ':open'
/** A word that stands in the text in another form: one with the same stem. */
export const stemMark = (stem: string) => `~${stem}`
export const authorMark = (accountId: AccountId) => `:by:${accountId}`
export const hasMark = (what: string) => `:has:${what}`
export const isMark = (what: string) => `:is:${what}`
/** A tag by its normal form. */
export const tagMark = (name: string) => `:tag:${name}`
/** `zh-TW` is found as `zh` too. */
export const languageMark = (code: string) => `:in:${code.toLowerCase()}`

/**
 * Blocks of time, as powers of two of milliseconds, from about 5 hours to 2 years. A search reads the newest two blocks of
 * the shortest kind first and goes back by longer ones, so that words of which there are many are found among a few new
 * statuses, and those of which there are few in a few steps.
 */
const blockSizes = [24, 26, 28, 30, 32, 34, 36] as const

const blockMark = (size: number, block: number) => `:t${size}:${block}`
const blockOf = (size: number, time: number) => Math.floor(time / 2 ** size)

/** The blocks in which a status stands. */
export function timeMarks(id: StatusId): string[] {
  const time = idToTime(id)
  return blockSizes.map((size) => blockMark(size, blockOf(size, time)))
}

/** A stretch of time to be searched: the statuses with one of `marks` whose ids are from `low` on. */
export interface Stretch {
  /** Empty: all. */
  marks: string[]
  low: IdCursor
}

/**
 * The stretches from `high`, an id, back to `low`, newest first. Each begins where the one before it ends, or, when some
 * are left out, where the last one ended that was not: its marks reach as far. What is later than `now`, in milliseconds,
 * as hardly anything is, belongs to the first; `high` is not much later.
 */
export function stretches({ high, low, now }: { high: IdCursor; low: IdCursor; now: number }): Stretch[] {
  const found: Stretch[] = []
  let below = high
  for (const size of blockSizes) {
    const oldest = blockOf(size, Math.min(idToTime(below), now)) - 1
    const newest = blockOf(size, idToTime(found[0]?.low ?? high))
    const marks = Array.from({ length: newest - oldest + 1 }, (_, index) => blockMark(size, newest - index))
    below = timeToId(oldest * 2 ** size)
    if (compareIds(below, low) <= 0) return [...found, { marks, low }]
    found.push({ marks, low: below })
  }
  return [...found, { marks: [], low }]
}
