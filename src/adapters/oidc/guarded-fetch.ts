// What the library would ask of the network, asked by the one guarded client.
import type { CustomFetch } from 'openid-client'
import type { HttpClient } from '#ports/http-client.ts'

/** Documents and answers of a provider have a few kilobytes. */
const maxBytes = 1024 * 1024
const timeout = 10_000

export interface GuardedFetchOptions {
  /** For what the operator named: it may be at a private address. */
  configured: HttpClient
  /** For all that a provider names besides. */
  strangers: HttpClient
  /** Origins that the operator named. */
  origins: ReadonlySet<string>
}

/** Returns a `fetch` for openid-client. It follows no redirects: a provider has none. */
export function createGuardedFetch({ configured, strangers, origins }: GuardedFetchOptions): CustomFetch {
  return async (url, { method, headers, body }) => {
    const http = origins.has(new URL(url).origin) ? configured : strangers
    const answer = await http.send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      maxBytes,
      timeout,
      redirects: 0,
      ...(body != null && { body: String(body) }),
    })
    const hasBody = ![204, 205, 304].includes(answer.status)
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}
