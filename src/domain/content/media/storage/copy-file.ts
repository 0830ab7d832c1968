import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashing } from '#lib/hashing.ts'
import type { Storage, StoredFile } from '#ports/storage.ts'

/** Tries to read a file whose bytes stop coming. */
const tries = 3

export interface CopyTarget {
  storage: Storage
  /** An empty place for the time in between, on this machine. */
  folder: string
  isHidden?: boolean
}

export interface CopiedFile {
  /** Bytes. */
  size: number
  /** SHA-256 of its content, as hexadecimal digits. */
  hash: string
}

/** Copies a file under the same key, into another store or over itself. Returns null when there is no such file. */
export async function copyFile(
  source: Storage,
  key: string,
  { storage, folder, isHidden = false }: CopyTarget,
): Promise<CopiedFile | null> {
  const place = path.join(folder, randomUUID())
  try {
    const found = await download(source, key, place)
    if (found === null) return null
    await storage.put(key, { path: place }, { contentType: found.contentType, isHidden })
    return found
  } finally {
    await rm(place, { force: true })
  }
}

/** Returns the SHA-256 of a stored file; null when there is none. Rejects when its bytes stop coming. */
export async function hashFile(storage: Storage, key: string): Promise<string | null> {
  return again(async () => {
    const file = await storage.open(key)
    if (file === null) return null
    const hash = createHash('sha256')
    for await (const piece of wholeOf(file, hash)) void piece
    return hash.digest('hex')
  })
}

async function download(
  source: Storage,
  key: string,
  place: string,
): Promise<(CopiedFile & { contentType: string }) | null> {
  return again(async () => {
    const file = await source.open(key)
    if (file === null) return null
    const hash = createHash('sha256')
    await pipeline(wholeOf(file, hash), createWriteStream(place))
    return { size: file.size, hash: hash.digest('hex'), contentType: file.contentType }
  })
}

/** Passes all bytes of a file on and hashes them. Rejects when there are fewer or more than it has. */
async function* wholeOf({ stream, size }: StoredFile, hash: Hash): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of hashing(stream, hash)) {
    bytes += piece.length
    yield piece
  }
  if (size !== bytes) throw new Error(`${bytes} of ${size} bytes came`)
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (tried === tries) throw error
    }
  }
}
