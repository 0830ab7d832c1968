import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, opendir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { ByteLengthQueuingStrategy } from 'node:stream/web'
import { makeFolder } from '#lib/project/make-folder.ts'
import type { ListedFile, Storage, StorageRange, StorageSource, StoredFile } from '#ports/storage.ts'
import { assertKey, cutRange, typeOfKey } from '../storage-keys.ts'

const chunkBytes = 64 * 1024

/** Media in one directory, which is made when it is missing. The type of a file follows from its extension. */
export function createDiskStorage({ directory }: { directory: string }): Storage {
  // No key starts with a dot, so what is half written there can never be opened.
  const unfinished = path.join(directory, '.unfinished')
  return {
    givesAccess: false,
    async put(key, source, { contentType }) {
      assertKey(key, contentType)
      const target = path.join(directory, key)
      const temporary = path.join(unfinished, randomUUID())
      await makeFolder(unfinished)
      try {
        await write(source, temporary)
        await moveTo(target, temporary)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async open(key, range) {
      const contentType = typeOfKey(key)
      const file = contentType && (await openFile(path.join(directory, key)))
      return file ? read(file, contentType, range) : null
    },
    async size(key) {
      const stats = typeOfKey(key) === null ? null : await statFile(path.join(directory, key))
      return stats?.isFile() ? stats.size : null
    },
    async delete(key) {
      if (!typeOfKey(key)) return
      const target = path.join(directory, key)
      await rm(target, { force: true })
      await removeEmpty(path.dirname(target), directory)
    },
    list: (prefix = '') => listFiles(directory, prefix),
  }
}

const tries = 3

/** Its folder may be removed as an empty one just before the file comes into it. */
async function moveTo(target: string, source: string): Promise<void> {
  const folder = path.dirname(target)
  for (let tried = 1; ; tried++) {
    const made = await mkdir(folder, { recursive: true })
    try {
      await rename(source, target)
      return await syncFolders(folder, made)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tried === tries) throw error
    }
  }
}

/** Names too are on the disk then: that of the file, and those of folders from `made` on down. */
async function syncFolders(folder: string, made: string | undefined): Promise<void> {
  const file = await open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  if (made !== undefined) await syncFolders(path.dirname(folder), folder === made ? undefined : made)
}

/** Each attachment has a folder of its own: without this there would be more and more of them. */
async function removeEmpty(folder: string, directory: string): Promise<void> {
  if (path.resolve(folder) !== path.resolve(directory)) await rmdir(folder).catch(() => {})
}

/** The bytes are on the disk when this returns: the row that names the file is committed afterwards. */
async function write(source: StorageSource, target: string): Promise<void> {
  if ('path' in source) await copyFile(source.path, target)
  const file = await open(target, 'path' in source ? 'r+' : 'wx')
  try {
    if ('body' in source) await file.writeFile(source.body)
    await file.chmod(0o640)
    await file.sync()
  } finally {
    await file.close()
  }
}

const openFile = (location: string) => unlessMissing(open(location, 'r'))
const statFile = (location: string) => unlessMissing(stat(location))

async function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

async function read(file: FileHandle, contentType: string, range?: StorageRange): Promise<StoredFile | null> {
  try {
    const stats = await file.stat()
    if (!stats.isFile()) {
      await file.close()
      return null
    }
    const bounds = range && cutRange(range, stats.size)
    const source = file.createReadStream({ ...bounds, highWaterMark: chunkBytes })
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: chunkBytes })
    const stream = Readable.toWeb(source, { strategy })
    return { stream, size: stats.size, contentType, modified: stats.mtime }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Only folders that can hold such keys are looked into. */
async function* listFiles(directory: string, prefix: string, folder = ''): AsyncGenerator<ListedFile> {
  for await (const entry of namesIn(path.join(directory, folder))) {
    const key = folder + entry.name
    if (entry.isDirectory()) {
      const below = `${key}/`
      if (below.startsWith(prefix) || prefix.startsWith(below)) yield* listFiles(directory, prefix, below)
    } else if (entry.isFile() && key.startsWith(prefix) && typeOfKey(key)) {
      const stats = await stat(path.join(directory, key)).catch(() => null)
      if (stats) yield { key, size: stats.size, modified: stats.mtime }
    }
  }
}

/** None where there is no such folder, or no longer. No key starts with a dot. */
async function* namesIn(folder: string) {
  try {
    for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) yield entry
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
