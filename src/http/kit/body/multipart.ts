// `multipart/form-data` (RFC 7578): fields become pairs, files are written to disk while they arrive.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { AppError, badRequest, tooLarge } from '#lib/errors.ts'
import type { IncomingBody } from './incoming-body.ts'
import { asUpload, type ParamValue } from '../params/params.ts'
import { maxFiles, type Uploads } from './uploads.ts'

export type Pair = [string, ParamValue]

export interface Multipart {
  /** What is parsed, which is `body` with files in Base64 taken out of it. */
  readonly source: AsyncIterable<Uint8Array>
  readonly body: IncomingBody
  /** The `Content-Type` of the request. */
  readonly type: string
  /** Bytes of all fields, and of one file. */
  readonly limits: { text: number; file: number }
  readonly uploads: Uploads
}

/**
 * Throws AppError `too_large` and `bad_request`, and errors of the disk. When it throws, nothing of it goes on: the
 * files are closed, and a client that sends no more is not waited for.
 */
export async function readMultipart(multipart: Multipart): Promise<Pair[]> {
  await multipart.uploads.prepare()
  const reading = createReading(multipart)
  try {
    await pipeline(multipart.source, reading.parser)
    await Promise.all(reading.saving)
  } catch (error) {
    reading.fail(error as Error)
  }
  // The disk of a file may turn out full when the parser has long been done.
  if (!reading.failure) return reading.pairs
  // A file that is still being opened would come back after it was removed.
  await Promise.allSettled(reading.saving)
  const { failure } = reading
  const isOurs = failure instanceof AppError || (failure as NodeJS.ErrnoException).syscall !== undefined
  throw isOurs ? failure : badRequest('multipart_broken', undefined, { cause: failure })
}

interface Reading {
  readonly parser: busboy.Busboy
  readonly pairs: Pair[]
  /** None of them rejects. */
  readonly saving: Promise<void>[]
  readonly failure: Error | null
  /** Ends all of it. The first reason counts. */
  fail(error: Error): void
}

function createReading({ body, type, limits, uploads }: Multipart): Reading {
  const parser = createParser(type, limits)
  const pairs: Pair[] = []
  const saving: Promise<void>[] = []
  const files = new Set<Readable>()
  let failure: Error | null = null
  let total = 0

  // A parser that has failed ends neither the files that it began nor those that it goes on to begin.
  function fail(error: Error): void {
    failure ??= error
    body.stop(error)
    parser.destroy(error)
    for (const file of files) file.destroy(error)
  }

  parser.on('error', (error) => fail(error as Error))
  body.signal.addEventListener('abort', () => fail(body.signal.reason as Error), { once: true })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => fail(badRequest('too_many_parts')))
  }
  parser.on('field', (name: string | undefined, value, info) => {
    if (name === undefined) return
    total += value.length
    if (info.valueTruncated || total > limits.text) fail(tooLarge())
    else pairs.push([name, uploads.resolve(value)])
  })
  parser.on('file', (name: string | undefined, stream, { filename, mimeType: contentType }) => {
    stream.on('error', ignore)
    if (failure) stream.destroy()
    else if (name === undefined || !filename) stream.resume()
    else {
      files.add(stream)
      stream.on('limit', () => fail(tooLarge('file_too_large')))
      const saved = save(stream, uploads.newPath()).then((file) => {
        pairs.push([name, asUpload({ kind: 'file', ...file, filename, contentType })])
      }, fail)
      saving.push(saved.finally(() => files.delete(stream)))
    }
  })
  return {
    parser,
    pairs,
    saving,
    get failure() {
      return failure
    },
    fail,
  }
}

const maxFields = 200

function createParser(type: string, limits: Multipart['limits']): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': type },
      defParamCharset: 'utf8',
      limits: {
        fieldSize: limits.text,
        fields: maxFields,
        files: maxFiles,
        parts: maxFields + maxFiles,
        fileSize: limits.file,
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw badRequest('multipart_broken', undefined, { cause: error })
  }
}

/** Resolves when the file is closed, whatever became of it. */
async function save(stream: Readable, path: string): Promise<{ path: string; size: number }> {
  const target = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const closed = new Promise<void>((resolve) => target.once('close', () => resolve()))
  try {
    await pipeline(stream, target)
  } finally {
    await closed
  }
  return { path, size: target.bytesWritten }
}

function ignore(): void {}
