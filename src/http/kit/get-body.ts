// The body of a GET: some clients send their parameters there, and Mastodon takes them. The Fetch standard has none.
import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'

const readable =
  /^(?:application\/(?:[\w.+-]+\+)?json|application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/** The body of a GET or HEAD that holds parameters, to be read once; null when there is none. */
export function getBody(request: Request, incoming: IncomingMessage | undefined): ReadableStream | null {
  if (!incoming || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = incoming.headers
  const isThere = encoding !== undefined || Number(length ?? 0) > 0
  return isThere && readable.test(type ?? '') ? (Readable.toWeb(incoming) as ReadableStream) : null
}
