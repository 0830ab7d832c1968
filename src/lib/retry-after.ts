/**
 * The time that a `Retry-After` field names, in milliseconds since the epoch and never before `now`: seconds or a date
 * (RFC 9110, section 10.2.3). Null when there is none to understand.
 */
export function readRetryAfter(field: string | null, now: number): number | null {
  if (field === null) return null
  const text = field.trim()
  const time = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(time) ? null : Math.max(time, now)
}
