// Stored pictures, sounds and films. Nothing here is ever a page, a script or a message to another server.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Storage, StorageRange, StoredFile } from '#ports/storage.ts'
import { recordMediaUse } from '#domain/content/media/cache.ts'
import { isHiddenFile } from '#domain/content/media/hidden-files.ts'
import { notFound } from '#lib/errors.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { checkConditions, isSameFile } from './conditions.ts'
import { parseRange, type WantedRange } from './range.ts'

/** What may be shown: no SVG, which is a document that can hold scripts. */
const servable = /^(?:image\/(?!svg)|video\/|audio\/)/
/** What people have uploaded, before anything was made of it, and what is for one person. */
const hidden = ['uploads/', 'backups/']

/** Keys are never used twice, so a file never changes. */
export const mediaHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
}

export const routes = [
  route({
    method: 'GET',
    path: '/media/:key{.+}',
    returns: raw('image/*', 'video/*', 'audio/*'),
    statuses: [200, 206],
    auth: 'none',
    open: true,
    params: z.object({ key: z.string() }),
    async handle({ ctx, params: { key }, request }) {
      if (hidden.some((folder) => key.startsWith(folder))) throw notFound()
      // Files are served without the database too.
      if (await isHiddenFile(ctx, key).catch(() => false)) throw notFound()
      await recordMediaUse(ctx, key).catch(() => {})
      return reply(200, await serve(ctx.storage, key, request))
    },
  }),
]

async function serve(storage: Storage, key: string, request: Request): Promise<Response> {
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`
  const part = await openPart(storage, key, { request, etag })
  if (part) return part
  const whole = await storage.open(key)
  if (!whole) throw notFound()
  if (!servable.test(whole.contentType)) return refuse(whole)
  const headers = headersOf(whole, etag)
  const validators = { etag, modified: whole.modified }
  const outcome = checkConditions(request.headers, validators)
  if (outcome) return withoutBody(whole, outcome, outcome === 304 ? headers : uncached(headers))
  const isWanted = request.method !== 'HEAD' && isSameFile(request.headers.get('if-range'), validators)
  const range = isWanted ? parseRange(request.headers.get('range'), whole.size) : null
  if (range === 'outside') {
    return withoutBody(whole, 416, { ...uncached(headers), 'content-range': `bytes */${whole.size}` })
  }
  const [status, more] = range ? [206, rangeHeaders(range, whole.size)] : [200, lengthHeader(whole.size)]
  Object.assign(headers, more)
  if (request.method === 'HEAD') return withoutBody(whole, status, headers)
  if (!range) return new Response(whole.stream as ReadableStream, { status, headers })
  await whole.stream.cancel()
  const rest = await storage.open(key, range)
  if (!rest) throw notFound()
  return new Response(rest.stream as ReadableStream, { status, headers })
}

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/**
 * The answer to a range that is clear without the file's size, which most are: a store elsewhere need not start to
 * send the whole. Null when the whole file has to be looked at.
 */
async function openPart(
  storage: Storage,
  key: string,
  { request, etag }: { request: Request; etag: string },
): Promise<Response | null> {
  // Ranges are of GET alone (RFC 9110 section 14.2).
  if (request.method === 'HEAD' || conditions.some((name) => request.headers.has(name))) return null
  const condition = request.headers.get('if-range')
  if (condition !== null && condition !== etag) return null
  const range = parseRange(request.headers.get('range'), Infinity)
  if (range === null || range === 'outside' || !Number.isFinite(range.start)) return null
  const { start, end } = range
  const part = await openUnlessOutside(storage, key, { start, ...(Number.isFinite(end) && { end }) })
  if (part === 'outside') return null
  if (!part) throw notFound()
  if (!servable.test(part.contentType)) return refuse(part)
  const sent = { start, end: Math.min(end, part.size - 1) }
  const headers = { ...headersOf(part, etag), ...rangeHeaders(sent, part.size) }
  return new Response(part.stream as ReadableStream, { status: 206, headers })
}

/** What is no answer about the file itself is not kept for a year. */
const uncached = (headers: Record<string, string>) => ({ ...headers, 'cache-control': 'no-store' })

async function openUnlessOutside(storage: Storage, key: string, range: StorageRange) {
  try {
    return await storage.open(key, range)
  } catch (error) {
    if (error instanceof RangeError) return 'outside'
    throw error
  }
}

function headersOf({ contentType, modified }: StoredFile, etag: string): Record<string, string> {
  return {
    ...mediaHeaders,
    'content-type': contentType,
    'accept-ranges': 'bytes',
    etag,
    ...(modified && { 'last-modified': modified.toUTCString() }),
  }
}

const lengthHeader = (length: number) => ({ 'content-length': String(length) })
const rangeHeaders = ({ start, end }: WantedRange, size: number) => ({
  ...lengthHeader(end - start + 1),
  'content-range': `bytes ${start}-${end}/${size}`,
})

async function withoutBody(
  file: StoredFile,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  await file.stream.cancel()
  return new Response(null, { status, headers })
}

async function refuse(file: StoredFile): Promise<never> {
  await file.stream.cancel()
  throw notFound()
}
