// Archives from outside (.tar.gz), read as they are unpacked: never whole in memory, never onto the disk.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type ExtractEvents } from 'tar-stream'
import { invalid, isAppError } from '#lib/errors.ts'

type Entry = ExtractEvents['entry'][1]

export interface ArchiveLimits {
  /** Entries of any kind. */
  entries: number
  /** Bytes of one file that is wanted. */
  fileBytes: number
  /** Bytes of all that the archive unpacks to. */
  totalBytes: number
}

/** A plain file of an archive. */
export interface ArchiveFile {
  /** As the archive has it. It may hold anything, `../` too: it is no place to write to. */
  name: string
  /** null: more bytes than one file may have. */
  body: Buffer | null
}

/**
 * The plain files of a .tar.gz archive, one after the other: no directories, links or devices. Throws `invalid` when
 * it cannot be read or goes beyond the limits, which may be in the middle.
 */
export async function* readArchive(path: string, limits: ArchiveLimits): AsyncGenerator<ArchiveFile> {
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
      if (++count > limits.entries) throw invalid(`The archive has more than ${limits.entries} entries`)
      if (entry.header.type === 'file') yield await readEntry(entry, limits.fileBytes)
      else await drain(entry)
    }
    await unpacked
  } catch (error) {
    throw translate(error, path)
  } finally {
    archive.destroy()
  }
}

async function* upTo(most: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > most) throw invalid(`The archive unpacks to more than ${Math.floor(most / 2 ** 20)} MB`)
    yield chunk
  }
}

/** Reads to the end of the entry whatever its size: the next one stands behind it. */
async function readEntry(entry: Entry, most: number): Promise<ArchiveFile> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    else chunks.length = 0
  }
  return { name: entry.header.name, body: size > most ? null : Buffer.concat(chunks) }
}

async function drain(entry: Entry): Promise<void> {
  for await (const _ of entry) void _
}

function translate(error: unknown, path: string): unknown {
  if (isAppError(error)) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return invalid(`${path} cannot be read: ${code}`)
  return invalid(`${path} is not a whole .tar.gz archive`)
}
