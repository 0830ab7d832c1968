// Archives that people bring along, .zip or .tar.gz.
import { open } from 'node:fs/promises'
import { unprocessable } from '#lib/errors.ts'
import type { Archive, ArchiveLimits } from './archive-entries.ts'
import { openTarGz } from './archive-tar.ts'
import { openZip } from './archive-zip.ts'

export type ArchiveKind = 'zip' | 'tar.gz'

/** What a file is, told by its first bytes; null when it is no archive. */
export async function archiveKind(path: string): Promise<ArchiveKind | null> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (bytesRead === 4 && buffer.toString('latin1') === 'PK\x03\x04') return 'zip'
    return bytesRead >= 2 && buffer[0] === 0x1f && buffer[1] === 0x8b ? 'tar.gz' : null
  } finally {
    await file.close()
  }
}

/** `folder`: an empty one, for what has to be unpacked on the way. */
export async function openArchive(path: string, folder: string, limits: ArchiveLimits): Promise<Archive> {
  const kind = await archiveKind(path)
  if (kind === null) throw unprocessable('no_archive')
  return kind === 'zip' ? openZip(path, limits) : openTarGz(path, folder, limits)
}
