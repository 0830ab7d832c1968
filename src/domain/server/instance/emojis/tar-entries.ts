// Archives from outside (.tar.gz), read as they are unpacked.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type ExtractEvents } from 'tar-stream'
import { unprocessable } from '#lib/errors.ts'

export type TarEntry = ExtractEvents['entry'][1]

export interface TarLimits {
  /** Entries of any kind. */
  entries: number
  /** Bytes of all that the archive unpacks to. */
  totalBytes: number
}

/**
 * The entries of an archive of any kind, one after the other. What is not read of one is skipped. Throws `invalid`
 * beyond the limits, which may be in the middle, and whatever reading and unpacking fail with.
 */
export async function* readTarEntries(path: string, limits: TarLimits): AsyncGenerator<TarEntry> {
  const archive = extract()
  const unpacked = pipeline(
    createReadStream(path),
    createGunzip(),
    (source: AsyncIterable<Buffer>) => upTo(limits.totalBytes, source),
    archive,
  )
  // Told by the loop, or below.
  unpacked.catch(() => {})
  let count = 0
  try {
    for await (const entry of archive) {
      if (++count > limits.entries) throw unprocessable('too_many_archive_entries', { max: limits.entries })
      yield entry
      entry.resume()
    }
    await unpacked
  } finally {
    archive.destroy()
  }
}

async function* upTo(max: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > max) throw unprocessable('archive_unpacks_too_large', { megabytes: Math.floor(max / 2 ** 20) })
    yield chunk
  }
}
