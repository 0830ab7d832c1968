// The only places where a time becomes text: clients parse these forms literally. All are UTC.

/** `2026-01-01T00:00:00.000Z`. Takes a Date or milliseconds since the epoch; RangeError for an invalid date. */
export function formatTime(date: Date | number): string {
  return (typeof date === 'number' ? new Date(date) : date).toISOString()
}

/** `2026-01-01`, the form of `last_status_at`. RangeError for an invalid date. */
export function formatDate(date: Date | number): string {
  // Years outside 0..9999 have a sign and six digits, so the day is cut off at the T, not at a fixed length.
  const text = formatTime(date)
  return text.slice(0, text.indexOf('T'))
}

/** Midnight of the day, `2026-01-01T00:00:00.000Z`: an account's `created_at` must not tell the exact moment. */
export function formatCoarse(date: Date | number): string {
  return `${formatDate(date)}T00:00:00.000Z`
}
