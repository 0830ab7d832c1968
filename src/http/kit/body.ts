import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { AppError, badRequest, tooLarge } from '#lib/errors.ts'
import { asUpload, treeFromJson, treeFromPairs, type ParamTree, type ParamValue } from './params.ts'

export interface BodyLimits {
  /** Bytes of a body without files. */
  text: number
  /** Bytes of one uploaded file. */
  file: number
  /** Where uploads are written until the request ends. */
  directory: string
}

export interface ReadBody {
  params: ParamTree
  /** Removes what was uploaded and not taken away. */
  dispose(): Promise<void>
}

/** So many files of one request may be as large as one may be. */
const mostFullFiles = 2

const nothing: ReadBody = { params: Object.create(null), dispose: async () => {} }

/** Reads a body of any of the three types. Throws AppError `too_large` or `bad_request`. */
export async function readBody(request: Request, limits: BodyLimits): Promise<ReadBody> {
  if (!request.body || request.method === 'GET' || request.method === 'HEAD') return nothing
  const type = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data/i.test(type)) return readMultipart(request, limits)
  const body = await readText(request, limits.text)
  if (body.trim() === '') return nothing
  if (/^application\/(\w+\+)?json/i.test(type)) return { ...nothing, params: treeFromJson(parseJson(body)) }
  return { ...nothing, params: treeFromPairs(new URLSearchParams(body)) }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw badRequest('There was an error parsing the JSON of the request', error)
  }
}

/** The body as text, read no further than `limit` bytes whatever its headers claim. */
export async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readMultipart(request: Request, limits: BodyLimits): Promise<ReadBody> {
  await mkdir(limits.directory, { recursive: true, mode: 0o700 })
  const read: Multipart = { pairs: [], written: [], saving: [] }
  const dispose = async () => {
    // A file that is still being opened would come back after it was removed.
    await Promise.allSettled(read.saving)
    await Promise.all(read.written.map((file) => rm(file, { force: true })))
  }
  try {
    await consume(request, limits, read)
  } catch (error) {
    await dispose()
    const isOurs = error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined
    throw isOurs ? error : badRequest('The multipart body is broken', error)
  }
  return { params: treeFromPairs(read.pairs), dispose }
}

interface Multipart {
  readonly pairs: [string, ParamValue][]
  /** Paths of files, from before they are opened. */
  readonly written: string[]
  readonly saving: Promise<void>[]
}

function createParser(request: Request, limits: BodyLimits): busboy.Busboy {
  return busboy({
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    defParamCharset: 'utf8',
    limits: {
      fieldSize: limits.text,
      fields: 200,
      files: 5,
      parts: 205,
      fileSize: limits.file,
      headerPairs: 50,
    },
  })
}

async function consume(request: Request, limits: BodyLimits, read: Multipart): Promise<void> {
  const parser = createParser(request, limits)
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
    else read.pairs.push([name, value])
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => fail(badRequest('The request has too many parts')))
  }
  parser.on('file', (name: string | undefined, stream, { filename, mimeType: contentType }) => {
    if (name === undefined || !filename) {
      stream.resume()
      return
    }
    const file = path.join(limits.directory, randomUUID())
    stream.on('limit', () => fail(tooLarge('The file is too large')))
    read.written.push(file)
    const saved = save(stream, file).then((size) => {
      read.pairs.push([name, asUpload({ kind: 'file', path: file, size, filename, contentType })])
    })
    read.saving.push(saved.catch(fail))
  })
  const most = limits.text + mostFullFiles * limits.file
  try {
    await pipeline(upTo(most, Readable.fromWeb(request.body as never)), parser)
    await Promise.all(read.saving)
  } catch (error) {
    failure ??= error as Error
  }
  // The disk of a file may turn out full when the parser has long been done.
  if (failure) throw failure
}

/** The parser looks at a part that is too long only at its end, which may never come. */
async function* upTo(most: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw tooLarge()
    yield chunk
  }
}

async function save(stream: Readable, file: string): Promise<number> {
  const target = createWriteStream(file, { mode: 0o600, flags: 'wx' })
  const closed = once(target, 'close')
  try {
    await pipeline(stream, target)
  } finally {
    await closed
  }
  return target.bytesWritten
}
