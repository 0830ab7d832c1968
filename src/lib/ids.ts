// Record ids are snowflakes: milliseconds since the epoch << 16, then 6 bits of node and 10 bits of counter.
// They sort by time, fit a signed 64-bit column and are decimal strings everywhere in code and JSON.

import { asId, type AnyId } from './id.ts'

/** No id is above it. */
export const maxId = '9223372036854775807'
const maxCounter = 1023

export interface IdGeneratorOptions {
  /** The clock, in milliseconds since the epoch. */
  now: () => number
  /** 0 to 63; two processes that write at the same time need different ones. */
  node: number
  /** An id that every new one must be above, such as the highest one stored. */
  floor?: string
}

/**
 * A function that gives a new id at each call. Ids rise strictly, even when the clock stands still or goes back;
 * after 1024 ids in one millisecond the next millisecond is borrowed. RangeError for a bad node or floor.
 */
export function createIdGenerator({ now, node, floor }: IdGeneratorOptions): <Id extends AnyId>() => Id {
  if (!Number.isInteger(node) || node < 0 || node > 63)
    throw new RangeError(`node must be 0 to 63, not ${node}`)
  if (floor !== undefined && !isId(floor)) throw new RangeError(`floor must be an id, not ${floor}`)
  const nodeBits = node << 10
  // A used-up counter makes the first id start in the millisecond after the floor's, whatever its low bits are.
  let last = floor === undefined ? 0 : idToTime(floor)
  let counter = maxCounter
  let high = 0n
  return <Id extends AnyId>() => {
    const time = Math.floor(now())
    if (time > last) {
      last = time
      counter = 0
      high = BigInt(last) << 16n
    } else if (counter < maxCounter) {
      counter += 1
    } else {
      last += 1
      counter = 0
      high = BigInt(last) << 16n
    }
    return asId<Id>(String(high + BigInt(nodeBits | counter)))
  }
}

/** When an id was made, in milliseconds since the epoch. SyntaxError when it is not an integer. */
export function idToTime(id: string): number {
  return Number(BigInt(id) >> 16n)
}

/**
 * The smallest id of a millisecond (0 for times before the epoch). With `low` (0 to 65535) another id of that
 * millisecond: a status from elsewhere gets its time of publication and low bits in the order in which they came.
 */
export function timeToId(ms: number, low = 0): string {
  return String((BigInt(Math.max(0, Math.floor(ms))) << 16n) | BigInt(low & 0xffff))
}

/**
 * An id as a number, where others have decided that it is one: of a notification, whose ids a double holds exactly.
 * RangeError for one that it does not.
 */
export function idToNumber(id: string): number {
  const number = Number(id)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${id} is not exact as a number`)
  return number
}

/** Order of two ids, negative when `a` is the older: by length, then by text. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a value is the text of a non-negative 64-bit id, so that it may be put into a query. */
export function isId(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) return false
  return value.length < maxId.length || value <= maxId
}
