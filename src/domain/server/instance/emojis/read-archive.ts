// Archives of pictures (.tar.gz): never whole in memory, never onto the disk.
import { isAppError, unprocessable } from '#lib/errors.ts'
import { readTarEntries, type TarEntry, type TarLimits } from './tar-entries.ts'

export interface ArchiveLimits extends TarLimits {
  /** Bytes of one file that is wanted. */
  fileBytes: number
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
 * it is none or goes beyond the limits, which may be in the middle, and what the system says of the file.
 */
export async function* readArchive(path: string, limits: ArchiveLimits): AsyncGenerator<ArchiveFile> {
  try {
    for await (const entry of readTarEntries(path, limits)) {
      if (entry.header.type === 'file') yield await readEntry(entry, limits.fileBytes)
    }
  } catch (error) {
    throw translate(error, path)
  }
}

/** Reads to the end of the entry whatever its size: the next one stands behind it. */
async function readEntry(entry: TarEntry, max: number): Promise<ArchiveFile> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= max) chunks.push(chunk)
    else chunks.length = 0
  }
  return { name: entry.header.name, body: size > max ? null : Buffer.concat(chunks) }
}

function translate(error: unknown, path: string): unknown {
  // What the system says of the file, the caller tells.
  if (isAppError(error) || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  return unprocessable('no_whole_archive', { path })
}
