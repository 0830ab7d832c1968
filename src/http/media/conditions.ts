// Conditional requests for a file (RFC 9110 section 13).

/** What is known of a file without opening it. */
export interface Validators {
  /** Strong, with its quotes. */
  etag: string
  modified: Date | undefined
}

/** What the conditions of a GET or HEAD lead to (section 13.2.2); null: it is answered as if there were none. */
export function checkConditions(headers: Headers, { etag, modified }: Validators): 304 | 412 | null {
  const match = headers.get('if-match')
  const unmodifiedSince = readDate(headers.get('if-unmodified-since'))
  if (match !== null) {
    if (!names(match, (tag) => tag === etag)) return 412
  } else if (unmodifiedSince !== null && modified && seconds(modified) > unmodifiedSince) return 412
  const noneMatch = headers.get('if-none-match')
  // Compared weakly, as proxies may have weakened it.
  if (noneMatch !== null) return names(noneMatch, (tag) => tag.replace(/^W\//, '') === etag) ? 304 : null
  const modifiedSince = readDate(headers.get('if-modified-since'))
  return modifiedSince !== null && modified && seconds(modified) <= modifiedSince ? 304 : null
}

/** Whether a range counts: only while the file is the one that the client has a part of (section 13.1.5). */
export function isSameFile(ifRange: string | null, { etag, modified }: Validators): boolean {
  if (ifRange === null || ifRange === etag) return true
  const date = readDate(ifRange)
  return date !== null && modified !== undefined && seconds(modified) === date
}

const tag = /(?:W\/)?"[^"]*"/g
const names = (list: string, isIt: (tag: string) => boolean) =>
  list.trim() === '*' || (list.match(tag) ?? []).some(isIt)

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** Of the one form that is sent today (section 5.6.7). */
function readDate(text: string | null): number | null {
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text ?? '')
  const time = isDate ? Date.parse(text as string) : Number.NaN
  return Number.isNaN(time) ? null : time / 1000
}
