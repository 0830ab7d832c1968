// A large file goes into a store and comes out again, once as a whole and once to a reader who stops early.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDiskStorage } from '#adapters/disk/storage.ts'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { createS3Storage } from '#adapters/s3/storage.ts'
import { loadConfig } from '#config/config.ts'
import { quietLog } from '#test/app/log.ts'
import type { Storage } from '#ports/storage.ts'
import type { Watch } from './held.ts'

const video = { contentType: 'video/mp4' }

/** Where the files of a store are: a folder, or what an operator sets. */
export type Place = { directory: string } | { env: Record<string, string> }

export interface LargeFile {
  /** Bytes that were read, the last of them, and the length of the first piece that the slow reader was given. */
  bytes: number
  end: string
  firstPiece: number
}

export async function work({ place, source }: { place: Place; source: string }, watch: Watch) {
  const { storage, close } = open(place)
  try {
    // A small one first: what is loaded for it is not what a large one takes.
    await storage.put('large.mp4', { body: Buffer.from('small') }, video)
    for await (const _ of (await storage.open('large.mp4'))!.stream);
    watch.begin()
    return await passThrough(storage, source, watch)
  } finally {
    await close()
  }
}

function open(place: Place): { storage: Storage; close(): Promise<void> } {
  if ('directory' in place) return { storage: createDiskStorage(place), close: async () => {} }
  const config = loadConfig(place.env)
  const http = createHttpClient({ config, log: quietLog, destinations: 'configured' })
  return { storage: createS3Storage({ config: config.s3!, http }), close: () => http.close() }
}

async function passThrough(storage: Storage, source: string, watch: Watch): Promise<LargeFile> {
  await storage.put('large.mp4', { path: source }, video)
  let [bytes, end, next] = [0, '', 0]
  for await (const piece of (await storage.open('large.mp4'))!.stream) {
    bytes += piece.length
    end = Buffer.from(piece.subarray(-3)).toString()
    if (bytes < next) continue
    watch.look()
    next = bytes + 2 ** 23
  }
  const reader = (await storage.open('large.mp4'))!.stream.getReader()
  const firstPiece = (await reader.read()).value!.length
  // In which it could read on.
  await sleep(300)
  watch.look()
  await reader.cancel()
  return { bytes, end, firstPiece }
}
