// The files that the rows of the snapshot name, one after the other, a few of them fetched ahead.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { makeFolder } from '#lib/project/make-folder.ts'
import type { Storage } from '#ports/storage.ts'

/** Files up to this size are read ahead, and tried again as a whole, in bytes. */
const smallBytes = 2 ** 20
const ahead = 8
/** Tries to go on with a file that a store stopped sending. */
const tries = 4

const newline = 0x0a

export interface KeyList {
  readonly count: number
  keys(): AsyncIterable<string>
  close(): Promise<void>
}

/** Puts lines aside in a file that has no name any more, so that it goes with this process, however that ends. */
export async function keepKeys(lines: Readable, dataDir: string): Promise<KeyList> {
  const folder = path.join(dataDir, 'tmp', 'backup')
  await makeFolder(folder)
  const name = path.join(folder, randomUUID())
  const file = await open(name, 'wx+', 0o600)
  try {
    await rm(name)
    let count = 0
    for await (const piece of lines as AsyncIterable<Buffer>) {
      for (const byte of piece) if (byte === newline) count++
      await file.appendFile(piece)
    }
    return {
      count,
      keys: () => file.readLines({ start: 0, autoClose: false }),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** `source` is null when there is no such file (any more). It may be read once. */
export interface FoundFile {
  key: string
  size: number
  source: AsyncIterable<Uint8Array> | null
}

/** Small files are in memory, of which there are a few at a time; large ones are opened when they have their turn. */
export async function* readFiles(storage: Storage, keys: AsyncIterable<string>): AsyncGenerator<FoundFile> {
  const waiting: Promise<FoundFile | { key: string; isLarge: true }>[] = []
  const next = async (): Promise<FoundFile> => {
    const found = await (waiting.shift() as (typeof waiting)[number])
    return 'isLarge' in found ? openLarge(storage, found.key) : found
  }
  for await (const key of keys) {
    const found = readSmall(storage, key)
    // It is told when it has its turn.
    found.catch(() => {})
    waiting.push(found)
    if (waiting.length >= ahead) yield await next()
  }
  while (waiting.length > 0) yield await next()
}

async function readSmall(storage: Storage, key: string): Promise<FoundFile | { key: string; isLarge: true }> {
  for (let tried = 1; ; tried++) {
    try {
      const file = await storage.open(key)
      if (file === null) return { key, size: 0, source: null }
      if (file.size > smallBytes) {
        await file.stream.cancel()
        return { key, isLarge: true }
      }
      const bytes = await buffer(file.stream)
      if (bytes.length === file.size) return { key, size: bytes.length, source: once(bytes) }
      throw new Error('it was cut off')
    } catch (error) {
      if (tried === tries) throw unreadable(key, error)
    }
  }
}

async function openLarge(storage: Storage, key: string): Promise<FoundFile> {
  const file = await storage.open(key).catch((error: unknown) => {
    throw unreadable(key, error)
  })
  if (file === null) return { key, size: 0, source: null }
  return { key, size: file.size, source: readLarge(storage, key, file) }
}

/** Files are never changed under their name, so one can be read on from where its store stopped sending it. */
async function* readLarge(
  storage: Storage,
  key: string,
  first: { size: number; stream: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  let read = 0
  let stream: AsyncIterable<Uint8Array> | undefined = first.stream
  for (let tried = 1; read < first.size; tried++) {
    try {
      stream ??= (await storage.open(key, { start: read }))?.stream
      if (stream === undefined) throw new Error('it was deleted')
      for await (const piece of stream) {
        read += piece.length
        yield piece
      }
      if (read < first.size) throw new Error('it was cut off')
    } catch (error) {
      if (tried === tries) throw unreadable(key, error)
    }
    stream = undefined
  }
}

const unreadable = (key: string, error: unknown) =>
  new Error(`The file ${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
