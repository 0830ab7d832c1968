// Stored pictures, sounds and films. Nothing here is ever a page, a script or a message to another server.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Storage, StoredFile } from '#ports/storage.ts'
import { notFound } from '#lib/errors.ts'
import { reply, route } from '#http/kit/route.ts'
import { parseRange, type WantedRange } from './range.ts'

/** What may be shown: no SVG, which is a document that can hold scripts. */
const servable = /^(?:image\/(?!svg)|video\/|audio\/)/

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
    auth: 'none',
    open: true,
    params: z.object({ key: z.string() }),
    handle: async ({ ctx, params, request }) => reply(200, await serve(ctx.storage, params.key, request)),
  }),
]

async function serve(storage: Storage, key: string, request: Request): Promise<Response> {
  const whole = await storage.open(key)
  if (!whole) throw notFound()
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`
  const headers: Record<string, string> = {
    ...mediaHeaders,
    'content-type': whole.contentType,
    'accept-ranges': 'bytes',
    etag,
    ...(whole.modified && { 'last-modified': whole.modified.toUTCString() }),
  }
  if (!servable.test(whole.contentType)) return refuse(whole)
  if (request.headers.get('if-none-match')?.includes(etag)) return withoutBody(whole, 304, headers)
  const range = wantedRange(request, whole.size, etag)
  if (range === 'outside') {
    return withoutBody(whole, 416, { ...headers, 'content-range': `bytes */${whole.size}` })
  }
  const length = range ? range.end - range.start + 1 : whole.size
  headers['content-length'] = String(length)
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${whole.size}`
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return withoutBody(whole, status, headers)
  if (!range) return new Response(whole.stream as ReadableStream, { status, headers })
  await whole.stream.cancel()
  const part = await storage.open(key, range)
  if (!part) throw notFound()
  return new Response(part.stream as ReadableStream, { status, headers })
}

/** A range counts only while the file is the one that the client has a part of (RFC 9110 section 13.1.5). */
function wantedRange(request: Request, size: number, etag: string): WantedRange | 'outside' | null {
  const condition = request.headers.get('if-range')
  if (condition !== null && condition !== etag) return null
  return parseRange(request.headers.get('range'), size)
}

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
