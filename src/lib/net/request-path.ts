// One spelling for each path: routes and the rules about them never see another one.

/**
 * Returns the path of a request as routes are declared: without slashes at its end and without empty segments, as Rails
 * has it. Idempotent. Percent-encodings stay as they are: an encoded slash is part of a segment.
 */
export function normalizePath(path: string): string {
  if (!path.includes('//') && !(path.length > 1 && path.endsWith('/'))) return path
  const resized = path.replaceAll(/\/{2,}/g, '/')
  return resized.length > 1 && resized.endsWith('/') ? resized.slice(0, -1) : resized
}

/** Returns the address of a request with its path in its one spelling. Null for what is no address. */
export function parseRequestUrl(target: string, base?: string): URL | null {
  // Two slashes at its start would name a host.
  const url = URL.parse(base !== undefined && target.startsWith('/') ? base + target : target, base)
  if (!url) return null
  const path = normalizePath(url.pathname)
  if (path !== url.pathname) url.pathname = path
  return url
}

/** Parameters of an address, to be read: those of most are one and the same, which are none. */
type Query = Pick<URLSearchParams, 'get' | 'keys' | typeof Symbol.iterator>
const none: Query = new URLSearchParams()

/** What routes read of an address. */
export type RequestUrl = Pick<URL, 'pathname' | 'search'> & { readonly searchParams: Query }

/**
 * The same as `parseRequestUrl` of an address that is written as `URL` writes it, as those of requests are: it is cut
 * where its parts meet, which takes a tenth of the time.
 */
export function splitRequestUrl(href: string): RequestUrl {
  // Servers let these pass as they came.
  if (/[#']/.test(href)) return parseRequestUrl(href) as URL
  const query = href.indexOf('?')
  const end = query < 0 ? href.length : query
  const pathname = normalizePath(href.slice(href.indexOf('/', href.indexOf('://') + 3), end))
  const search = end >= href.length - 1 ? '' : href.slice(end)
  return { pathname, search, searchParams: search === '' ? none : new URLSearchParams(search) }
}
