// The body of a GET: some clients send their parameters there, and Mastodon takes them. The Fetch standard has none.
import type { IncomingMessage, ServerResponse } from 'node:http'

const readable =
  /^(?:application\/(?:[\w.+-]+\+)?json|application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/** Whether a body of this `Content-Type`, should there be one, holds parameters. */
export const holdsParameters = (type: string | null | undefined) => readable.test(type ?? '')

/** Both ends of an exchange, as the server has them. */
export interface Exchange {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

/**
 * Opens the body of a GET or HEAD that holds parameters, to be read once; null when there is none. One that is not opened
 * Node reads to its end by itself: else the next request of the connection would wait behind it.
 */
export function getBody(request: Request, exchange: Exchange): (() => ReadableStream<Uint8Array>) | null {
  const { incoming } = exchange
  if (!incoming || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = incoming.headers
  const isThere = encoding !== undefined || Number(length ?? 0) > 0
  return isThere && holdsParameters(type) ? () => open(incoming, exchange.outgoing) : null
}

/** Who stops reading before the end has the connection closed after the answer: what comes yet is no request. */
function open(incoming: IncomingMessage, outgoing: ServerResponse | undefined): ReadableStream<Uint8Array> {
  const ending = new AbortController()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const take = (chunk: Uint8Array) => {
          controller.enqueue(chunk)
          incoming.pause()
        }
        const fail = () => controller.error(new Error('The connection was closed'))
        const end = () => {
          incoming.off('close', fail)
          controller.close()
        }
        incoming.on('data', take).once('end', end).once('close', fail)
        if (incoming.destroyed) fail()
        ending.signal.addEventListener('abort', () => incoming.off('data', take).off('end', end))
      },
      pull: () => void incoming.resume(),
      cancel() {
        ending.abort()
        incoming.resume()
        if (outgoing && !outgoing.headersSent) outgoing.setHeader('connection', 'close')
      },
    },
    { highWaterMark: 0 },
  )
}
