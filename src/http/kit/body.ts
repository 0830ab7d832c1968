import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { AppError, badRequest, tooLarge } from '#lib/errors.ts'
import { takeBase64Files } from './base64-files.ts'
import { createMultipartScanner, readBoundary } from './base64-multipart.ts'
import { createFormScanner, createJsonScanner, type Scanner } from './base64-scan.ts'
import { asUpload, treeFromJson, treeFromPairs, type ParamTree, type ParamValue } from './params.ts'
import { createUploads, mostFiles, mostFullFiles, type Uploads } from './uploads.ts'

export interface BodyLimits {
  /** Bytes of a body without its files. */
  text: number
  /** Bytes of one uploaded file; 0 where none is taken. */
  file: number
  /** Where uploads are written until the request ends. */
  directory: string
}

export interface ReadBody {
  params: ParamTree
  /** Removes what was uploaded and not taken away. */
  dispose(): Promise<void>
}

type Source = AsyncIterable<Uint8Array>

const nothing: ReadBody = { params: Object.create(null), dispose: async () => {} }

/**
 * Reads a body of any of the three types. Files, also those in Base64 as `data:` URIs, are written to disk while they
 * arrive. Throws AppError `too_large`, `bad_request`, or `invalid` for broken Base64.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<ReadBody> {
  if (!request.body || request.method === 'GET' || request.method === 'HEAD') return nothing
  const type = request.headers.get('content-type') ?? ''
  const isMultipart = /^multipart\/form-data/i.test(type)
  const claimed = Number(request.headers.get('content-length') ?? 0)
  if (!isMultipart && limits.file === 0 && claimed > limits.text) throw tooLarge()
  const uploads = createUploads(limits)
  try {
    const body = request.body as Source
    const scanner = limits.file > 0 ? scannerFor(type) : null
    const source = scanner ? takeBase64Files(body, { scanner, uploads, text: limits.text }) : body
    const params = isMultipart
      ? treeFromPairs(await readMultipart(source, { type, limits, uploads }))
      : parseText(type, await collect(source, limits.text), uploads)
    return { params, dispose: uploads.dispose }
  } catch (error) {
    await uploads.dispose()
    throw error
  }
}

const isJson = (type: string) => /^application\/(\w+\+)?json/i.test(type)

function scannerFor(type: string): Scanner | null {
  if (isJson(type)) return createJsonScanner()
  if (!/^multipart\/form-data/i.test(type)) return createFormScanner()
  const boundary = readBoundary(type)
  return boundary === null ? null : createMultipartScanner(boundary)
}

function parseText(type: string, text: string, uploads: Uploads): ParamTree {
  if (text.trim() === '') return Object.create(null)
  if (isJson(type)) return treeFromJson(parseJson(text, uploads))
  return treeFromPairs([...new URLSearchParams(text)].map(([name, value]) => [name, uploads.resolve(value)]))
}

function parseJson(text: string, uploads: Uploads): unknown {
  try {
    return uploads.any ? JSON.parse(text, (_, value) => uploads.resolve(value)) : JSON.parse(text)
  } catch (error) {
    throw badRequest('There was an error parsing the JSON of the request', error)
  }
}

/** The body as text, read no further than `limit` bytes whatever its headers claim. */
async function collect(source: Source, limit: number): Promise<string> {
  return (await collectBytes(source, limit)).toString('utf8')
}

async function collectBytes(source: Source, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of upTo(limit, source)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The body as it came, of at most `limit` bytes. Throws `too_large`. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  return request.body ? collectBytes(request.body as Source, limit) : Buffer.alloc(0)
}

type Pair = [string, ParamValue]

interface Multipart {
  /** The `Content-Type` of the request. */
  readonly type: string
  readonly limits: BodyLimits
  readonly uploads: Uploads
}

async function readMultipart(source: Source, multipart: Multipart): Promise<Pair[]> {
  const pairs: Pair[] = []
  const saving: Promise<void>[] = []
  await multipart.uploads.prepare()
  try {
    await consume(source, multipart, { pairs, saving })
  } catch (error) {
    // A file that is still being opened would come back after it was removed.
    await Promise.allSettled(saving)
    const isOurs = error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined
    throw isOurs ? error : badRequest('The multipart body is broken', error)
  }
  return pairs
}

function createParser({ type, limits }: Multipart): busboy.Busboy {
  return busboy({
    headers: { 'content-type': type },
    defParamCharset: 'utf8',
    limits: {
      fieldSize: limits.text,
      fields: 200,
      files: mostFiles,
      parts: 200 + mostFiles,
      fileSize: limits.file,
      headerPairs: 50,
    },
  })
}

interface Read {
  readonly pairs: Pair[]
  readonly saving: Promise<void>[]
}

async function consume(source: Source, multipart: Multipart, read: Read): Promise<void> {
  const { limits, uploads } = multipart
  const parser = createParser(multipart)
  let total = 0
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    parser.destroy(error)
  }
  parser.on('field', (name: string | undefined, value, info) => {
    if (name === undefined) return
    total += value.length
    if (info.valueTruncated || total > limits.text) fail(tooLarge())
    else read.pairs.push([name, uploads.resolve(value)])
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => fail(badRequest('The request has too many parts')))
  }
  parser.on('file', (name: string | undefined, stream, { filename, mimeType: contentType }) => {
    if (name === undefined || !filename) {
      stream.resume()
      return
    }
    stream.on('limit', () => fail(tooLarge('The file is too large')))
    const saved = save(stream, uploads).then((file) => {
      read.pairs.push([name, asUpload({ kind: 'file', ...file, filename, contentType })])
    })
    read.saving.push(saved.catch(fail))
  })
  try {
    await pipeline(upTo(limits.text + mostFullFiles * limits.file, source), parser)
    await Promise.all(read.saving)
  } catch (error) {
    failure ??= error as Error
  }
  // The disk of a file may turn out full when the parser has long been done.
  if (failure) throw failure
}

/** The parser looks at a part that is too long only at its end, which may never come. */
async function* upTo(most: number, body: Source): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw tooLarge()
    yield chunk
  }
}

async function save(stream: Readable, uploads: Uploads): Promise<{ path: string; size: number }> {
  const path = uploads.newPath()
  const target = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const closed = once(target, 'close')
  try {
    await pipeline(stream, target)
  } finally {
    await closed
  }
  return { path, size: target.bytesWritten }
}
