import { once } from 'node:events'
import { request as openRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { Json } from '#test/client/client.ts'
import type { RawRequest } from './sign.ts'

/** What the server under test answered. */
export interface PeerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Parsed when it is JSON, otherwise null. */
  readonly body: Json
}

/** Sends a request as it is, over a connection of its own. Follows nothing. */
export async function transmit({ url, method, headers, body }: RawRequest): Promise<PeerAnswer> {
  const request = openRequest(url, { method, headers: headers.flat(), agent: false })
  request.end(body ?? undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = await readText(response)
  return { status: response.statusCode ?? 0, headers: response.headers, text, body: parseJson(text) }
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
