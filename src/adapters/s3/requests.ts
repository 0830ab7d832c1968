// Signed requests for the objects of one bucket.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import aws4 from 'aws4'
import type { S3Config } from '#config/services.ts'
import { unavailable } from '#lib/errors.ts'
import { RemoteError, type HttpClient, type HttpRequest } from '#ports/http-client.ts'
import type { StorageSource } from '#ports/storage.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  /** It is about the bucket, and `key` is empty: what it asks. */
  query?: Record<string, string>
  /** Part of the signature: names in lower case, of those that no proxy on the way changes. */
  signed?: Record<string, string>
  /** Further headers. */
  headers?: Record<string, string>
  source?: StorageSource
}

/** Milliseconds before the second and the third try. */
const pauses = [200, 1_000]
/** Milliseconds for an answer, besides the time for the bytes that are sent. */
const patience = 15_000
/** A store to which a file goes more slowly than this is taken for dead: bytes per millisecond. */
const slowest = 50

/**
 * The request for the HTTP client, signed for now (AWS Signature Version 4): make it anew for each try.
 * `hash` is that of `hashSource`.
 */
function signRequest(config: S3Config, request: S3Request, hash: string): Omit<HttpRequest, 'maxBytes'> {
  const url = request.query ? bucketUrl(config, request.query) : objectUrl(config, request.key)
  const { headers } = aws4.sign(
    {
      service: 's3',
      region: config.region,
      method: request.method,
      host: url.host,
      path: url.pathname + url.search,
      headers: { ...request.signed, 'x-amz-content-sha256': hash },
    },
    config,
  )
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    url: url.href,
    method: request.method,
    headers: { ...request.headers, ...Object.fromEntries(lower.filter(([name]) => name !== 'host')) },
    // Another address would need another signature. A store that sends us elsewhere is one that was set up wrong.
    redirects: 0,
    ...(request.source && { body: 'path' in request.source ? request.source : request.source.body }),
  }
}

function objectUrl(config: S3Config, key: string): URL {
  return urlBelow(config, `${config.keyPrefix}${key}`.split('/'))
}

function bucketUrl(config: S3Config, query: Record<string, string>): URL {
  const url = urlBelow(config, config.pathStyle ? [] : [''])
  // Signatures are of the query in this form, and in this order.
  url.search = Object.entries(query)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return url
}

function urlBelow({ endpoint, bucket, pathStyle }: S3Config, names: readonly string[]): URL {
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  const segments = [...(pathStyle ? [bucket] : []), ...names]
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segments.map(encodeURIComponent).join('/')}`
  return url
}

/**
 * What stands for the body in a signature. TLS protects a file on its way, so that it need not be read twice; without
 * TLS stores refuse an unsigned one.
 */
async function hashSource(config: S3Config, source?: StorageSource): Promise<string> {
  const hash = createHash('sha256')
  if (!source) return hash.digest('hex')
  if ('body' in source) return hash.update(source.body).digest('hex')
  if (config.endpoint.startsWith('https:')) return 'UNSIGNED-PAYLOAD'
  for await (const piece of createReadStream(source.path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Milliseconds for one try that sends `source`. Rejects when its file is missing. */
async function timeoutFor(source?: StorageSource): Promise<number> {
  if (!source) return patience
  const bytes = 'path' in source ? (await stat(source.path)).size : source.body.length
  return patience + Math.ceil(bytes / slowest)
}

/** Tries up to three times, while the store is away or busy. Rejects with `unavailable` when it stays away. */
async function withRetries<Answer extends { status: number; body: Buffer | ReadableStream }>(
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    const isLast = tried === pauses.length
    try {
      const answer = await attempt()
      if (isLast || !isBusy(answer.status)) return answer
      if (answer.body instanceof ReadableStream) await answer.body.cancel()
    } catch (error) {
      if (isLast || !isTransient(error)) throw unreachable(error)
    }
    await pause(pauses[tried])
  }
}

const isBusy = (status: number) => status >= 500 || status === 429
const isTransient = (error: unknown) =>
  error instanceof RemoteError && (error.problem === 'unreachable' || error.problem === 'timeout')

/** The one message that people see for whatever is wrong with the store. */
export const unreachable = (cause: unknown) => unavailable('media_storage_unreachable', undefined, { cause })

/** Bytes of an answer that has no file. */
const answerBytes = 64 * 1024

/** Sends a request whose answer is short: so many bytes of it are read. */
export async function sendRequest(
  parts: { config: S3Config; http: HttpClient },
  request: S3Request,
  maxBytes = answerBytes,
) {
  const { config, http } = parts
  const [timeout, hash] = [await timeoutFor(request.source), await hashSource(config, request.source)]
  return withRetries(() =>
    http.send({ ...signRequest(config, request, hash), timeout, maxBytes, longer: 'cut' }),
  )
}

/** Sends a request whose answer is a file, of any size. */
export async function streamRequest(parts: { config: S3Config; http: HttpClient }, request: S3Request) {
  const { config, http } = parts
  const hash = await hashSource(config)
  return withRetries(() =>
    http.stream({ ...signRequest(config, request, hash), timeout: patience, maxBytes: Infinity }),
  )
}
