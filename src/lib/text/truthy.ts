// Loosely typed request parameters: apps send the same thing as JSON, form fields or a query string.

const falseWords = new Set(['false', '0', 'f', 'off'])
const blankWords = new Set(['', 'null', 'undefined'])

/**
 * A boolean parameter. `false 0 f off` in any case (and JSON false and 0) are false; blank, null, undefined and
 * the words `null` and `undefined`, which some apps send for "not set", are null; every other value is true.
 */
export function parseTruthy(value: unknown): boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (typeof value !== 'string') return true
  const word = value.trim().toLowerCase()
  if (blankWords.has(word)) return null
  return !falseWords.has(word)
}

const switchWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0'].map((word) => [word, false] as const),
])

/** A boolean that an operator writes: `true on yes 1` and `false off no 0` in any case. Undefined for all else: a slip. */
export const parseSwitch = (text: string): boolean | undefined => switchWords.get(text.trim().toLowerCase())

/**
 * A count such as `limit`: leading digits are read, the rest is ignored, and the sign is dropped (`-5` is 5,
 * `20abc` is 20). Null when it does not begin with digits. Never above the largest safe integer.
 */
export function parseInteger(value: unknown): number | null {
  if (typeof value === 'number') {
    return Number.isNaN(value) ? null : Math.min(Math.abs(Math.trunc(value)), Number.MAX_SAFE_INTEGER)
  }
  if (typeof value !== 'string') return null
  const digits = /^\s*[+-]?(\d+)/.exec(value)?.[1]
  return digits === undefined ? null : Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}
