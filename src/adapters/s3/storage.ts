import type { ReadableStream } from 'node:stream/web'
import type { S3Config } from '#config/services.ts'
import type { HttpClient, HttpResponse, HttpStream } from '#ports/http-client.ts'
import type { FileMeta, ListedFile, Storage, StorageRange, StoredFile } from '#ports/storage.ts'
import { assertKey, cutRange, typeOfKey } from '../storage-keys.ts'
import { readListing } from './read-listing.ts'
import { sendRequest, streamRequest, unreachable, type S3Request } from './requests.ts'

/** Everything else, such as an archive of somebody's posts, is for one person. */
const shown = /^(?:image|video|audio)\//

/**
 * Media in a bucket of a store that speaks S3: https://docs.aws.amazon.com/AmazonS3/latest/API/. All operations reject
 * with `unavailable` when the store does not answer, or not as it should; the cause says how.
 */
export function createS3Storage(parts: { config: S3Config; http: HttpClient }): Storage {
  return {
    givesAccess: parts.config.acl?.startsWith('public') ?? false,
    async put(key, source, meta) {
      assertKey(key, meta.contentType)
      const request = { method: 'PUT', key, source, ...headersOf(parts.config, meta) } as const
      const answer = await sendRequest(parts, request)
      if (!isSuccess(answer.status)) throw refused(request, answer)
    },
    async open(key, range) {
      const contentType = typeOfKey(key)
      return contentType === null ? null : openObject(parts, { key, contentType, range })
    },
    async size(key) {
      if (typeOfKey(key) === null) return null
      const request = { method: 'HEAD', key, headers: { 'accept-encoding': 'identity' } } as const
      const answer = await sendRequest(parts, request)
      if (answer.status === 404) return null
      if (!isSuccess(answer.status)) throw refused(request, answer)
      return Number(answer.headers.get('content-length'))
    },
    async delete(key) {
      if (typeOfKey(key) === null) return
      const request = { method: 'DELETE', key } as const
      const answer = await sendRequest(parts, request)
      if (!isSuccess(answer.status) && !isMissing(answer)) throw refused(request, answer)
    },
    list: (prefix = '') => listObjects(parts, prefix),
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** Keys are never used twice, so a file never changes. */
function headersOf(
  { acl }: S3Config,
  { contentType, isHidden = false }: FileMeta,
): Pick<S3Request, 'signed' | 'headers'> {
  const isShown = shown.test(contentType) && !isHidden
  return {
    signed: { 'content-type': contentType, ...(acl !== null && isShown && { 'x-amz-acl': acl }) },
    headers: { 'cache-control': isShown ? 'public, max-age=31536000, immutable' : 'private, no-store' },
  }
}

/** Names at a time: the most that stores give. */
const listed = 1000
const listingBytes = 4 * 1024 * 1024

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
async function* listObjects(
  parts: { config: S3Config; http: HttpClient },
  prefix: string,
): AsyncGenerator<ListedFile> {
  const { keyPrefix } = parts.config
  for (let token: string | null = ''; token !== null;) {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(listed),
      prefix: keyPrefix + prefix,
      ...(token !== '' && { 'continuation-token': token }),
    }
    const request = { method: 'GET', key: '', query } as const
    const answer = await sendRequest(parts, request, listingBytes)
    if (!isSuccess(answer.status)) throw refused(request, answer)
    const listing = readListing(answer.body.toString('utf8'))
    for (const { name, size, modified } of listing.objects) {
      const key = name.slice(keyPrefix.length)
      if (name.startsWith(keyPrefix) && typeOfKey(key) !== null) yield { key, size, modified }
    }
    token = listing.next
  }
}

type Wanted = { key: string; contentType: string; range: StorageRange | undefined }

async function openObject(
  parts: { config: S3Config; http: HttpClient },
  { key, contentType, range }: Wanted,
): Promise<StoredFile | null> {
  // A range that is none would be ignored, and the whole file sent.
  if (range) cutRange(range, Infinity)
  const request = {
    method: 'GET',
    key,
    headers: {
      'accept-encoding': 'identity',
      ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }),
    },
  } as const
  const answer = await streamRequest(parts, request)
  const size = sizeOf(answer, range)
  if (size !== null) {
    const modified = new Date(answer.headers.get('last-modified') ?? '')
    return { stream: answer.body, size, contentType, ...(!Number.isNaN(+modified) && { modified }) }
  }
  const short = { ...answer, body: await readStart(answer.body) }
  if (answer.status === 416) throw new RangeError('the range is outside the file')
  if (isMissing(short)) return null
  throw refused(request, short)
}

/** Bytes of the whole file; null when the answer is not the wanted one. */
function sizeOf({ status, headers }: HttpStream, range?: StorageRange): number | null {
  const size = range
    ? /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')
    : /^()(\d+)$/.exec(headers.get('content-length') ?? '')
  const isWanted = range ? status === 206 && Number(size?.[1]) === range.start : status === 200
  return isWanted && size ? Number(size[2]) : null
}

const startBytes = 4 * 1024

/** Enough of an answer to see what is wrong. If it breaks off, what came of it. */
async function readStart(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const piece of body) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= startBytes) break
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(pieces).subarray(0, startBytes)
}

/** A bucket that is missing is no missing file. Answers without a code come from stores behind a proxy. */
function isMissing({ status, body }: HttpResponse): boolean {
  const code = codeOf(body)
  return status === 404 && (code === null || code === 'NoSuchKey')
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function codeOf(body: Buffer): string | null {
  return /<Code>([A-Za-z0-9.]{1,100})<\/Code>/.exec(body.toString('latin1', 0, startBytes))?.[1] ?? null
}

function refused({ method, key }: S3Request, answer: HttpResponse) {
  const code = codeOf(answer.body)
  return unreachable(
    new Error(
      `${method} of ${key === '' ? 'the bucket' : key}: the store answers ${answer.status}${code ? ` ${code}` : ''}`,
    ),
  )
}
