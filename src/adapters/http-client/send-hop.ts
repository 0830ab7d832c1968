// Sends one request, of which everything was checked, and waits for the header fields of the answer.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { HttpRequest } from '#ports/http-client.ts'
import type { Deadline } from './deadline.ts'
import { isStaleConnection, toRemoteError } from './errors.ts'
import type { Hop } from './hop.ts'
import type { Answer } from './receive.ts'

export interface Sending {
  agent: Agent
  hop: Hop
  deadline: Deadline
  /** All of them, the signature included. */
  headers: Readonly<Record<string, string>>
  body: string | Buffer | Readable | null
  /** See `HttpRequest`. */
  repeatable: boolean
}

/** The body as it is sent, with what the headers say of it. Rejects when its file is missing. */
export async function openBody(headers: Hop['headers'], body: HttpRequest['body']) {
  if (typeof body !== 'object' || Buffer.isBuffer(body)) return { headers, body: body ?? null }
  const { size } = await stat(body.path)
  return { headers: { ...headers, 'content-length': String(size) }, body: createReadStream(body.path) }
}

/**
 * Throws RemoteError. A kept connection may have been closed just now: what may arrive twice is sent once more then,
 * on a new one.
 */
export async function sendHop(sending: Sending): Promise<Answer> {
  const { hop, deadline, body } = sending
  try {
    return await dispatch(sending)
  } catch (error) {
    const isHarmless = ['GET', 'HEAD'].includes(hop.method) && body === null
    // A file that was begun cannot be read again.
    const mayRepeat =
      isHarmless || (sending.repeatable && (typeof body === 'string' || Buffer.isBuffer(body)))
    if (!mayRepeat || deadline.signal.aborted || !isStaleConnection(error))
      throw toRemoteError(error, hop.url)
  }
  try {
    return await dispatch(sending)
  } catch (error) {
    throw toRemoteError(error, hop.url)
  }
}

async function dispatch({ agent, hop, deadline, headers, body }: Sending): Promise<Answer> {
  const { url, method } = hop
  // A request that waits for its connection does not hear of the signal yet, so the deadline is raced as well.
  const answer = await deadline.race(
    agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal: deadline.signal,
      // The deadline is over all; these could only be shorter.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  )
  return {
    status: answer.statusCode,
    url,
    method,
    headers: toHeaders(answer.headers),
    body: answer.body.on('error', () => {}),
  }
}

/** Servers send header values that `Headers` does not take; those are left out. */
function toHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) {
      try {
        headers.append(name, value)
      } catch {
        continue
      }
    }
  }
  return headers
}
