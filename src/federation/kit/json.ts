// Reads what other servers send: compacted JSON-LD, taken as plain JSON. A value may be one or many, an address or the
// object itself, and anything may be missing or of the wrong kind (https://www.w3.org/TR/activitystreams-core/#jsonld).

export type JsonObject = Record<string, unknown>

const publicSpellings = new Set(['https://www.w3.org/ns/activitystreams#Public', 'as:Public', 'Public'])

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One or many as a list; nothing is an empty one. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Text that is not empty, or null. Zero characters, which the database cannot hold, are left out. */
export function toText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replaceAll('\0', '')
  return text === '' ? null : text
}

/** The address of a thing that is given by it, or as an object with an `id`; of several the first. */
export function toId(value: unknown): string | null {
  const [first] = toList(value)
  return toText(isObject(first) ? first['id'] : first)
}

/** `bear:` addresses (https://docs.joinmastodon.org/spec/bearcaps/) carry the true one along; others are as they are. */
export function openBearcap(uri: string): string {
  return /^bear:/i.test(uri) ? (URL.parse(uri)?.searchParams.get('u') ?? '') : uri
}

/** The addresses of all things given. */
export function toIds(value: unknown): string[] {
  return toList(value).flatMap((one) => toId(one) ?? [])
}

/**
 * What is given, if it is an object, or null; of several the first, as with `toId`: who is asked for the id of one
 * thing must not be shown another.
 */
export function toObject(value: unknown): JsonObject | null {
  const [first] = toList(value)
  return isObject(first) ? first : null
}

export function toObjects(value: unknown): JsonObject[] {
  return toList(value).filter(isObject)
}

/** A page to look at: `url` may be text, a Link, or a list of either, of which one for people is preferred. */
export function toUrl(value: unknown): string | null {
  const links = toList(value)
  const forPeople = links.find(
    (link) => isObject(link) && /^text\/html\b/.test(toText(link['mediaType']) ?? ''),
  )
  const chosen = forPeople ?? links[0]
  return toText(isObject(chosen) ? (chosen['href'] ?? chosen['url']) : chosen)
}

/** The type, without a prefix; of several the first. Empty when there is none. */
export function typeOf(value: unknown): string {
  return isObject(value) ? (toText(toList(value['type'])[0]) ?? '').replace(/^as:/, '') : ''
}

/** More than this is told of nothing. Below what a column holds, because this server counts on. */
export const maxCount = 2_000_000_000

/** A whole number from 0 to `maxCount`, or null. Some send it as text. */
export function toCount(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 0 ? Math.min(number as number, maxCount) : null
}

export function toBoolean(value: unknown): boolean {
  return value === true || value === 'true'
}

/** A moment (RFC 3339 or what `Date` reads) between the years 1970 and 9999, or null. */
export function toTime(value: unknown): Date | null {
  const text = toText(value)
  if (text === null || text.length > 64) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return Number.isNaN(time.getTime()) || year < 1970 || year > 9999 ? null : time
}

export const isPublicAddress = (uri: string) => publicSpellings.has(uri)

/** Bytes of an address: the indexes of the database take no longer ones. */
const maxId = 2048

/** Whether an id is short enough to be found again by it. */
export const isStorableId = (id: string) => Buffer.byteLength(id) <= maxId

/** The host of an address with its port where it is not the default one, normalised; null for what is no http address. */
export function hostOf(uri: string): string | null {
  if (!isStorableId(uri) || !/^https?:\/\//i.test(uri) || !URL.canParse(uri)) return null
  const url = new URL(uri)
  if (url.username !== '' || url.password !== '') return null
  return url.host === '' ? null : url.host.replace(/\.(?=$|:)/, '')
}

/** Whether two addresses are of the same server, so that the one may speak for the other. */
export function isSameHost(one: string, other: string): boolean {
  const host = hostOf(one)
  return host !== null && host === hostOf(other)
}
