/**
 * The time that a `Retry-After` field names, in milliseconds since the epoch and never before `now`: seconds or a date
 * (RFC 9110, section 10.2.3). Null when there is none to understand.
 */
export function readRetryAfter(field: string | null, now: number): number | null {
  if (field === null) return null
  const text = field.trim()
  // A date begins with the name of its day; of anything else `Date.parse` makes one too.
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  const time = /^\d+$/.test(text) ? now + Number(text) * 1000 : date
  return Number.isNaN(time) ? null : Math.max(time, now)
}

/** Headers of every answer 503: in so many seconds it is worth trying again (RFC 9110 section 10.2.3). */
export const retryLater = { 'retry-after': '30' } as const
