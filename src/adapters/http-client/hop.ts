// One request of a chain of redirects, and the one that follows it.

import { RemoteError, type HttpRequest } from '#ports/http-client.ts'

export interface Hop {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: HttpRequest['body']
}

/** These are the client's to write. */
const own = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
])

/** All that may go along to another origin: an unknown header could hold a secret. */
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'range',
  'content-type',
  'content-encoding',
  'ttl',
  'urgency',
  'topic',
])

/** Headers that describe a body, and those that a conditional request has. */
const ofBody = /^(?:content-|digest$|repr-digest$)/

/** Header names become lower case, those of the client itself are dropped. */
export function cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(entries.filter(([name]) => !own.has(name)))
}

/** Where an answer sends us, as it was written; null when it is no redirect (RFC 9110, section 15.4). */
export function redirectTarget(status: number, headers: Headers): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
}

/**
 * The request that follows a redirect, not yet checked. As browsers do, 303 asks for the answer with GET and so does
 * a POST that meets 301 or 302; others keep method and body. Headers that may hold credentials stay with their
 * origin. Throws RemoteError `redirects` when the target cannot be read.
 */
export function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = URL.parse(location, hop.url.href)
  if (!url) throw new RemoteError('redirects', `${hop.url.host} redirects to what is no address`)
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ([301, 302].includes(status) && hop.method === 'POST')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (url.origin === hop.url.origin || harmless.has(name)) && !(becomesGet && ofBody.test(name)),
  )
  return {
    method: becomesGet ? 'GET' : hop.method,
    url,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : hop.body,
  }
}
