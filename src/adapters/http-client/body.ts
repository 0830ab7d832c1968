// Reads bodies of answers: inflates them, and stops at the limit of what came out.

import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { RemoteError } from '#ports/http-client.ts'

/** What is asked for, and understood. */
export const acceptedEncodings = 'gzip, deflate, br'

export interface BodyLimit {
  /** Bytes after decompression. */
  maxBytes: number
  longer: 'error' | 'cut'
}

/** Whether a `content-encoding` is one that `readBody` can undo. Several at once are not: nobody needs them. */
export function isKnownEncoding(encoding: string | null): boolean {
  return ['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'].includes(normalise(encoding))
}

/**
 * The bytes of a body with a known encoding, decompressed, at most `maxBytes` of them. Throws RemoteError
 * `too-large` when there are more and that is an error. Errors of the connection or of the compressed data pass
 * through. However it ends, nothing more is read.
 */
export async function* readBody(
  source: Readable,
  encoding: string | null,
  { maxBytes, longer }: BodyLimit,
): AsyncGenerator<Buffer> {
  let left = maxBytes
  try {
    for await (const chunk of decode(source, encoding, maxBytes)) {
      if (chunk.length > left && longer === 'error') throw tooLarge(maxBytes)
      if (left > 0) yield chunk.subarray(0, left)
      left -= chunk.length
      if (left <= 0 && longer === 'cut') return
    }
  } finally {
    source.destroy()
  }
}

function decode(source: Readable, encoding: string | null, maxBytes: number): AsyncIterable<Buffer> {
  const coding = normalise(encoding)
  return coding === '' || coding === 'identity' ? source : inflate(source, coding, maxBytes)
}

async function* inflate(source: Readable, coding: string, maxBytes: number): AsyncGenerator<Buffer> {
  const chunks = boundCompressed(source, maxBytes)
  const first = await chunks.next()
  // Some servers name an encoding and send nothing.
  if (first.done) return
  const decoder = createDecoder(coding, first.value)
  // Whatever goes wrong reaches the reader of the decoder.
  pipeline(resume(first.value, chunks), decoder, () => {})
  yield* decoder
}

/** Data that inflates to nothing would otherwise flow for as long as the deadline allows. */
async function* boundCompressed(source: Readable, maxBytes: number): AsyncGenerator<Buffer, undefined> {
  // The rest is for what is read ahead of the decoder when only a little is wanted.
  const max = maxBytes + Math.ceil(maxBytes / 8) + 1_048_576
  let read = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > max) throw tooLarge(maxBytes)
    yield chunk
  }
}

async function* resume(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

function createDecoder(coding: string, first: Buffer): Transform {
  if (coding === 'br') return createBrotliDecompress()
  if (coding !== 'deflate') return createGunzip()
  // RFC 9110, section 8.4.1.2 means the zlib format (RFC 1950), but some send raw deflate data.
  const isZlib = (first[0]! & 0x0f) === 8 && (first.length < 2 || first.readUInt16BE(0) % 31 === 0)
  return isZlib ? createInflate() : createInflateRaw()
}

const tooLarge = (maxBytes: number) =>
  new RemoteError('too-large', `The body is longer than ${maxBytes} bytes`)

const normalise = (encoding: string | null) => (encoding ?? '').trim().toLowerCase()
