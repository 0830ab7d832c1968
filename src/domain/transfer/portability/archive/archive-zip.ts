// A .zip archive: its directory is read, then the files that are asked for.
import { Entry, openPromise, type ZipFile } from 'yauzl'
import { unprocessable } from '#lib/errors.ts'
import {
  asArchiveError,
  outboxFolder,
  readName,
  writeBounded,
  type Archive,
  type ArchiveLimits,
} from './archive-entries.ts'

/** What is kept of an entry: its own object is ten times as large. */
type Place = Pick<
  Entry,
  | 'relativeOffsetOfLocalHeader'
  | 'compressedSize'
  | 'uncompressedSize'
  | 'compressionMethod'
  | 'generalPurposeBitFlag'
  | 'crc32'
>

/** Opens a .zip, and looks through its directory. Throws `invalid` as `Archive`. */
export async function openZip(path: string, limits: ArchiveLimits): Promise<Archive> {
  let prefix: string | null = null
  let outbox: Place | null = null
  await eachPlain(path, limits, (name, entry) => {
    const folder = outboxFolder(name)
    if (folder === null || (prefix !== null && prefix.length <= folder.length)) return
    prefix = folder
    outbox = placeOf(entry)
  })
  if (prefix === null || outbox === null) throw unprocessable('no_outbox')
  const found = { prefix, outbox } as { prefix: string; outbox: Place }
  const zip = await openPromise(path, { autoClose: false })
  const places = new Map<string, Place>()
  let total = 0

  async function unpack(place: Place, target: string, limit: { max: number; what: string }): Promise<void> {
    try {
      const source = await zip.openReadStreamPromise(Object.assign(new Entry(), place))
      total += await writeBounded(source, target, limit)
    } catch (error) {
      throw asArchiveError(error)
    }
  }

  return {
    extractOutbox: (target) => unpack(found.outbox, target, { max: limits.outboxBytes, what: 'outbox.json' }),
    async locate(names) {
      await eachPlain(path, limits, (name, entry) => {
        if (!name.startsWith(found.prefix)) return
        const own = name.slice(found.prefix.length)
        if (names.has(own) && !places.has(own)) places.set(own, placeOf(entry))
      })
    },
    async extract(name, target) {
      const place = places.get(name)
      if (!place) return false
      if (total > limits.totalBytes) throw unprocessable('archive_files_too_large')
      await unpack(place, target, { max: limits.fileBytes, what: 'The file' })
      return true
    },
    close: async () => zip.close(),
  }
}

const placeOf = (entry: Entry): Place => ({
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
  compressionMethod: entry.compressionMethod,
  generalPurposeBitFlag: entry.generalPurposeBitFlag,
  crc32: entry.crc32,
})

async function eachPlain(
  path: string,
  limits: ArchiveLimits,
  use: (name: string, entry: Entry) => void,
): Promise<void> {
  let zip: ZipFile | null = null
  try {
    zip = await openPromise(path, { autoClose: false })
    if (zip.entryCount > limits.entries) {
      throw unprocessable('too_many_archive_entries', { max: limits.entries })
    }
    for await (const entry of zip.eachEntry()) {
      const name = readName(entry.fileName)
      if (isPlain(entry)) use(name, entry)
    }
  } catch (error) {
    throw /^(?:absolute path|invalid relative path|invalid characters)/.test((error as Error).message)
      ? unprocessable('archive_names_outside')
      : asArchiveError(error)
  } finally {
    zip?.close()
  }
}

const fileType = 0o170000
const plainFile = 0o100000

/** No folder, link or device: the upper half of the attributes is a Unix mode, or nothing. */
function isPlain(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & fileType
  return (type === 0 || type === plainFile) && !entry.fileName.endsWith('/')
}
