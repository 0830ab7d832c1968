import { bare } from '#lib/collections.ts'
import { badRequest, tooLarge } from '#lib/errors.ts'
import { takeBase64Files } from './base64-files.ts'
import { createMultipartScanner, readBoundary } from './base64-multipart.ts'
import { createFormScanner, createJsonScanner, type Scanner } from './base64-scan.ts'
import { withBody, type IncomingBody } from './incoming-body.ts'
import { readMultipart } from './multipart.ts'
import { treeFromJson, treeFromPairs, type ParamTree } from '../params/params.ts'
import { createUploads, maxFullFiles, type Uploads } from './uploads.ts'

export interface BodyLimits {
  /** Bytes of a body without its files. */
  text: number
  /** Bytes of one uploaded file; 0 where none is taken. */
  file: number
  /** Where uploads are written until the request ends. */
  directory: string
  /** Milliseconds for which nothing may come; see `withBody`. */
  patience?: number
}

export interface ReadBody {
  params: ParamTree
  /** Removes what was uploaded and not taken away. */
  dispose(): Promise<void>
}

type Source = AsyncIterable<Uint8Array>

const nothing: ReadBody = { params: bare(), dispose: async () => {} }

/**
 * Reads a body of any of the three types. Files, also those in Base64 as `data:` URIs, are written to disk while they
 * arrive. `open` gives the bytes where the request itself does not have them. Throws AppError `too_large`, `bad_request`,
 * or `invalid` for broken Base64.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  open: (() => ReadableStream<Uint8Array>) | null = null,
): Promise<ReadBody> {
  const length = lengthOf(request)
  if (!open && hasNoBody(request, length)) return nothing
  const type = request.headers.get('content-type') ?? ''
  const isMultipart = isMultipartForm(type)
  const isText = !isMultipart && limits.file === 0
  if (isText && length !== null && length > limits.text) throw tooLarge()
  const uploads = createUploads(limits)
  if (isText && length !== null && !open) {
    const bytes = await readWhole(request, limits.text)
    return { params: parseText(type, bytes.toString('utf8'), uploads), dispose: uploads.dispose }
  }
  // The parser looks at a part that is too long only at its end, which may never come: so the whole has a limit too.
  const max = limits.file > 0 ? wholeLimit(limits) : limits.text
  try {
    const read = (body: IncomingBody) => readParams(body, { type, isMultipart, limits, uploads })
    const stream = open ? open() : (request.body as ReadableStream<Uint8Array>)
    const params = await withBody(stream, { max, patience: limits.patience }, read)
    return { params, dispose: uploads.dispose }
  } catch (error) {
    await uploads.dispose()
    throw error
  }
}

/** The bytes that a request has, as it says itself, which the server holds it to; null where it does not say. */
function lengthOf({ headers }: Request): number | null {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) && !headers.has('transfer-encoding') ? Number(length) : null
}

/** Looking at the body makes a whole request of the Fetch standard: not for those that can be seen to have none. */
const hasNoBody = (request: Request, length: number | null) =>
  request.method === 'GET' || request.method === 'HEAD' || length === 0 || (length === null && !request.body)

/** At once, without a stream: who sends it slowly is cut off by the server (app/slow-requests.ts). */
async function readWhole(request: Request, max: number): Promise<Buffer> {
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length > max) throw tooLarge()
  return bytes
}

/** Base64 and what escapes its characters take more room than the bytes do. */
const wholeLimit = ({ text, file }: BodyLimits) => text + 2 * maxFullFiles * file

interface Reading {
  /** The `Content-Type` of the request. */
  type: string
  isMultipart: boolean
  limits: BodyLimits
  uploads: Uploads
}

async function readParams(body: IncomingBody, reading: Reading): Promise<ParamTree> {
  const { type, isMultipart, limits, uploads } = reading
  const scanner = limits.file > 0 ? scannerFor(type) : null
  const source = scanner ? takeBase64Files(body.chunks, { scanner, uploads, text: limits.text }) : body.chunks
  if (isMultipart) return treeFromPairs(await readMultipart({ source, body, type, limits, uploads }))
  return parseText(type, await collect(source), uploads)
}

/** Whether a body of this `Content-Type` may have files beside its parameters. */
export const isMultipartForm = (type: string) => /^multipart\/form-data/i.test(type)

const isJson = (type: string) => /^application\/(\w+\+)?json/i.test(type)

function scannerFor(type: string): Scanner | null {
  if (isJson(type)) return createJsonScanner()
  if (!isMultipartForm(type)) return createFormScanner()
  const boundary = readBoundary(type)
  return boundary === null ? null : createMultipartScanner(boundary)
}

function parseText(type: string, text: string, uploads: Uploads): ParamTree {
  if (text.trim() === '') return bare()
  if (isJson(type)) return treeFromJson(parseJson(text, uploads))
  return treeFromPairs([...new URLSearchParams(text)].map(([name, value]) => [name, uploads.resolve(value)]))
}

function parseJson(text: string, uploads: Uploads): unknown {
  try {
    return uploads.any ? JSON.parse(text, (_, value) => uploads.resolve(value)) : JSON.parse(text)
  } catch (error) {
    throw badRequest('json_broken', undefined, { cause: error })
  }
}

async function collect(source: Source): Promise<string> {
  return (await collectBytes(source)).toString('utf8')
}

async function collectBytes(source: Source): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The body as it came, of at most `max` bytes. Throws `too_large`. */
export async function readBytes(request: Request, max: number): Promise<Buffer> {
  const length = lengthOf(request)
  if (length !== null && length > max) throw tooLarge()
  if (length !== null) return readWhole(request, max)
  if (!request.body) return Buffer.alloc(0)
  return withBody(request.body, { max }, (body) => collectBytes(body.chunks))
}
