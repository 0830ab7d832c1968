import type { Ctx } from '#ports/ctx.ts'
import { normalizePath } from '#lib/net/request-path.ts'
import type { Listed } from './route.ts'

/** The parameters that say which page: they are replaced in links, all others are kept. */
const cursors = ['max_id', 'since_id', 'min_id', 'offset', 'access_token', 'bearer_token']

/**
 * The `Link` header of a page (RFC 8288): `next` when it was full, `prev` when it was not empty, null when neither.
 */
export function linkHeader(url: string, listed: Pick<Listed, 'page' | 'prev'>): string | null {
  const { full, oldest, newest } = listed.page
  const links: string[] = []
  const made = withoutCursors(url)
  if (full && oldest !== null) links.push(`<${withCursor(made, 'max_id', oldest)}>; rel="next"`)
  if (newest !== null) links.push(`<${withCursor(made, listed.prev, newest)}>; rel="prev"`)
  return links.length === 0 ? null : links.join(', ')
}

/** Mostly it has none of them, and is left as it came: whoever writes one with escapes has it looked at. */
function withoutCursors(url: string): string {
  const query = url.indexOf('?')
  if (query < 0) return url
  const mayHave = (name: string) => url.includes(name, query)
  if (!url.includes('%', query) && !cursors.some(mayHave)) return url
  const made = new URL(url)
  for (const cursor of cursors) made.searchParams.delete(cursor)
  return made.href
}

/** The address with this parameter behind all others. */
const withCursor = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

/** What `offsetLink` makes addresses of. */
export const urlsOf = (
  { config: { baseUrl } }: Pick<Ctx, 'config'>,
  { url }: Request,
): { baseUrl: string; requestUrl: string } => ({ baseUrl, requestUrl: url })

/**
 * The `Link` header of a page of a ranked list, as a header object: `next` when it was full, `prev` when it was not the
 * first. Empty when neither. `baseUrl` is this server's own: the host of a request is the caller's word, and the answer
 * may be kept for others.
 */
export function offsetLink(
  { baseUrl, requestUrl }: { baseUrl: string; requestUrl: string },
  page: { limit: number; offset: number },
  count: number,
): Record<string, string> {
  const { pathname, search } = new URL(requestUrl)
  const made = withoutCursors(baseUrl + normalizePath(pathname) + search)
  const at = (offset: number) => withCursor(made, 'offset', String(offset))
  const links = [
    count >= page.limit && `<${at(page.offset + page.limit)}>; rel="next"`,
    page.offset > 0 && `<${at(Math.max(0, page.offset - page.limit))}>; rel="prev"`,
  ].filter((link) => link !== false)
  return links.length === 0 ? {} : { link: links.join(', ') }
}
