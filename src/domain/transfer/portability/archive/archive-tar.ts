// A .tar.gz archive can only be read from its begin to its end: once for `outbox.json`, once for the files it names.
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { rename } from 'node:fs/promises'
import { readTarEntries, type TarEntry } from '#domain/server/instance/emojis/tar-entries.ts'
import { unprocessable } from '#lib/errors.ts'
import {
  asArchiveError,
  outboxFolder,
  readName,
  writeBounded,
  type Archive,
  type ArchiveLimits,
} from './archive-entries.ts'

/** Opens a .tar.gz. `folder`: where what is found is kept until it is asked for. */
export async function openTarGz(source: string, folder: string, limits: ArchiveLimits): Promise<Archive> {
  const outbox = path.join(folder, 'outbox')
  const prefix = await findOutbox(source, outbox, limits)
  const places = new Map<string, string>()
  return {
    extractOutbox: (target) => rename(outbox, target),
    async locate(names) {
      let total = 0
      await eachPlain(source, limits, async (name, entry) => {
        const own = name.startsWith(prefix) ? name.slice(prefix.length) : null
        if (own === null || !names.has(own) || places.has(own) || (entry.header.size ?? 0) > limits.fileBytes)
          return
        const place = path.join(folder, `file-${places.size}`)
        total += await writeBounded(entry as AsyncIterable<Buffer>, place, {
          max: limits.fileBytes,
          what: 'A file',
        })
        if (total > limits.totalBytes) throw unprocessable('archive_files_too_large')
        places.set(own, place)
      })
    },
    async extract(name, target) {
      const place = places.get(name)
      if (place === undefined) return false
      // Two posts may name the same file.
      await writeBounded(createReadStream(place), target, { max: limits.fileBytes, what: 'The file' })
      return true
    },
    close: async () => {},
  }
}

/** Unpacks `outbox.json`. Returns its folder, with a slash behind it. */
async function findOutbox(source: string, target: string, limits: ArchiveLimits): Promise<string> {
  let prefix: string | null = null
  await eachPlain(source, limits, async (name, entry) => {
    const folder = outboxFolder(name)
    if (folder === null || (prefix !== null && prefix.length <= folder.length)) return
    await writeBounded(entry as AsyncIterable<Buffer>, target, {
      max: limits.outboxBytes,
      what: 'outbox.json',
    })
    prefix = folder
  })
  if (prefix === null) throw unprocessable('no_outbox')
  return prefix
}

async function eachPlain(
  source: string,
  limits: ArchiveLimits,
  use: (name: string, entry: TarEntry) => Promise<void>,
): Promise<void> {
  try {
    for await (const entry of readTarEntries(source, limits)) {
      const name = readName(entry.header.name)
      if (entry.header.type === 'file') await use(name, entry)
    }
  } catch (error) {
    throw asArchiveError(error)
  }
}
