// Puts the files of a backup into the store, several at a time.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { makeFolder } from '#lib/project/make-folder.ts'
import { typeOfKey } from '#adapters/storage-keys.ts'
import type { Storage, StorageSource } from '#ports/storage.ts'

/** Files up to this size are kept in memory on their way, in bytes. */
const smallBytes = 2 ** 20
const atOnce = 8
/** Tries to store a file. */
const tries = 3

export interface MediaTarget {
  /** Resolves when there is room for the next one, which may be before this one is stored. Rejects when one could not be. */
  put(key: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Resolves when all are stored. */
  finish(): Promise<void>
}

export function createMediaTarget(storage: Storage, dataDir: string): MediaTarget {
  const folder = path.join(dataDir, 'tmp', 'restore')
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []

  async function begin(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(tracked))
    running.add(tracked)
    if (running.size >= atOnce) await Promise.race(running)
    if (failures.length > 0) throw failures[0]
  }

  async function keepInFile(source: AsyncIterable<Uint8Array>): Promise<string> {
    await makeFolder(folder)
    const name = path.join(folder, randomUUID())
    await pipeline(source, createWriteStream(name, { flags: 'wx', mode: 0o600 }))
    return name
  }

  return {
    async put(key, size, source) {
      // The reader lets no other names through.
      const contentType = typeOfKey(key) ?? ''
      if (size <= smallBytes) {
        const body = await buffer(source)
        return begin(store(storage, key, { body }, contentType))
      }
      const name = await keepInFile(source)
      return begin(store(storage, key, { path: name }, contentType).finally(() => rm(name, { force: true })))
    },
    async finish() {
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function store(
  storage: Storage,
  key: string,
  source: StorageSource,
  contentType: string,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await storage.put(key, source, { contentType })
    } catch (error) {
      if (tried < tries) continue
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`The file ${key} cannot be stored: ${reason}`, { cause: error })
    }
  }
}
