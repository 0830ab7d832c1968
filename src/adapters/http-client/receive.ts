// Decides what of an answer is read.

import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { RemoteError, type HttpRequest, type HttpResponse, type HttpStream } from '#ports/http-client.ts'
import { isKnownEncoding, readBody, type BodyLimit } from './body.ts'
import { startDeadline } from './deadline.ts'
import { toRemoteError } from './errors.ts'
import { collect, type Sink } from './sinks.ts'

/** An answer whose body was not read yet. */
export interface Answer {
  status: number
  url: URL
  method: string
  headers: Headers
  body: Readable
}

export interface Received {
  response: HttpResponse
  /** Bytes that went elsewhere than into the response. */
  saved: number
}

/** Nobody needs more of a page that explains an error. */
const errorBytes = 65_536

/**
 * Reads the body as far as it is wanted: of a 2xx answer into the sink, when its type is one of those asked for and
 * it is within the limit; of others the beginning. Throws RemoteError, and what the sink throws.
 */
export async function receive(answer: Answer, request: HttpRequest, sink: Sink): Promise<Received> {
  const { status, url, headers } = answer
  const isWanted = hasRequestedType(answer, request) && hasKnownEncoding(answer)
  const limit: BodyLimit = isSuccess(answer)
    ? { maxBytes: request.maxBytes, longer: request.longer ?? 'error' }
    : { maxBytes: Math.min(request.maxBytes, errorBytes), longer: 'cut' }
  if (isSuccess(answer)) {
    if (!isWanted) throw wrongType(answer)
    assertLength(answer, limit)
  } else if (!isWanted) {
    answer.body.destroy()
    return { response: { status, url: url.href, headers, body: Buffer.alloc(0) }, saved: 0 }
  }
  try {
    const { body, saved } = await (isSuccess(answer) ? sink : collect)(remoteBytes(answer, limit))
    return { response: { status, url: url.href, headers, body }, saved }
  } finally {
    answer.body.destroy()
  }
}

/**
 * Hands the body out as it comes, as it was sent. It fails when there is more than the limit, and when somebody waits
 * for its next piece longer than `patience` milliseconds. Throws RemoteError.
 */
export async function receiveStream(
  answer: Answer,
  request: HttpRequest,
  patience: number,
): Promise<HttpStream> {
  const { status, url, headers, body } = answer
  const limit: BodyLimit = { maxBytes: request.maxBytes, longer: 'error' }
  if (isSuccess(answer)) {
    if (!hasRequestedType(answer, request)) throw wrongType(answer)
    assertLength(answer, limit)
  }
  const chunks = readBody(body, null, limit)
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const deadline = startDeadline(patience)
        try {
          const { done, value } = await deadline.race(chunks.next())
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          body.destroy()
          throw toRemoteError(error, url)
        } finally {
          deadline.stop()
        }
      },
      cancel: () => void body.destroy(),
    },
    // Nothing is read ahead: who does not read must not be timed.
    { highWaterMark: 0 },
  )
  return { status, url: url.href, headers, body: stream }
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300

/** Nothing of the body is read then. */
function wrongType({ url, headers, body }: Answer): RemoteError {
  body.destroy()
  const sent = [headers.get('content-type') ?? 'no type', headers.get('content-encoding')].filter(Boolean)
  return new RemoteError('wrong-type', `${url.host} sent ${sent.join(', ')}`)
}

/** What says that it is too long is not read to see whether that is true. */
function assertLength(answer: Answer, { maxBytes, longer }: BodyLimit): void {
  const length = Number(answer.headers.get('content-length') ?? 0)
  if (longer === 'cut' || !(length > maxBytes) || isBodiless(answer)) return
  answer.body.destroy()
  throw new RemoteError('too-large', `${answer.url.host} announced ${length} bytes of at most ${maxBytes}`)
}

function hasRequestedType(answer: Answer, { types }: HttpRequest): boolean {
  return types === undefined || isBodiless(answer) || isOneOf(types, answer.headers.get('content-type'))
}

function hasKnownEncoding(answer: Answer): boolean {
  return isBodiless(answer) || isKnownEncoding(answer.headers.get('content-encoding'))
}

/** RFC 9110, section 6.4.1, and what says that it is empty. */
function isBodiless({ method, status, headers }: Answer): boolean {
  return method === 'HEAD' || [204, 205, 304].includes(status) || headers.get('content-length') === '0'
}

/** Whether the media type, without its parameters, is in a list such as `['text/html', 'image/*']`. */
export function isOneOf(types: readonly string[], contentType: string | null): boolean {
  const [essence = ''] = (contentType ?? '').toLowerCase().split(/[;,]/)
  const type = essence.trim()
  return types.some((wanted) =>
    wanted.endsWith('/*')
      ? type.startsWith(wanted.slice(0, -1)) && type.length >= wanted.length
      : type === wanted,
  )
}

async function* remoteBytes(answer: Answer, limit: BodyLimit): AsyncGenerator<Buffer> {
  const encoding = isBodiless(answer) ? null : answer.headers.get('content-encoding')
  try {
    yield* readBody(answer.body, encoding, limit)
  } catch (error) {
    throw toRemoteError(error, answer.url)
  }
}
