// Writes the entries of a backup one after the other, with the sums of all of them.
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as immediate } from 'node:timers/promises'
import { pack } from 'tar-stream'
import { hashing } from '#lib/hashing.ts'
import { names, numbered, type Manifest } from './format.ts'

export interface ArchiveWriter {
  add(name: string, body: Buffer | string): Promise<void>
  /** Rejects when `source` has not `size` bytes. */
  addStream(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Writes the manifest and the end. Resolves when the sink has it all, with how many bytes it was. */
  finish(manifest: Omit<Manifest, 'sums'>): Promise<number>
  /** Ends it in the middle. */
  fail(reason: Error): Promise<void>
}

/** Entries of which the sums are kept until they are written too. */
const perSums = 1000

/** Memory is bounded by the largest buffer that is added. The sink is ended too, but for stdout, which cannot be. */
export function createArchiveWriter(sink: Writable): ArchiveWriter {
  const tar = createTar(sink)
  const listSums: string[] = []
  let lines: string[] = []

  async function addStream(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    lines.push(`${await tar.put(name, size, source)}  ${name}\n`)
    if (lines.length >= perSums) await writeSums()
  }

  async function writeSums(): Promise<void> {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    listSums.push(await putText(names.sums + numbered(listSums.length + 1), text))
  }

  function putText(name: string, text: string): Promise<string> {
    const bytes = Buffer.from(text)
    return tar.put(name, bytes.length, once(bytes))
  }

  return {
    add(name, body) {
      const bytes = Buffer.from(body)
      return addStream(name, bytes.length, once(bytes))
    },
    addStream,
    async finish(manifest) {
      await writeSums()
      const whole: Manifest = { ...manifest, sums: listSums }
      const sum = await putText(names.manifest, JSON.stringify(whole))
      await putText(names.manifestSum, `${sum}  ${names.manifest}\n`)
      return tar.end()
    },
    fail: (reason) => tar.fail(reason),
  }
}

interface Tar {
  /** Returns the SHA-256 of the entry in hex. */
  put(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<string>
  /** Returns the bytes of the whole. */
  end(): Promise<number>
  fail(reason: Error): Promise<void>
}

function createTar(sink: Writable): Tar {
  const archive = pack()
  let bytes = 0
  let failure: unknown
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      bytes += piece.length
      yield piece
    }
  }
  // By its types it is a stream of another make than Node's; in what a pipeline does with it, it is not.
  const tar = archive as unknown as AsyncIterable<Buffer>
  const written = pipeline(tar, counted, sink, { end: sink !== process.stdout })
  // Told by whoever waits for an entry, or by the end.
  written.catch((error: unknown) => (failure = error))
  return {
    async put(name, size, source) {
      const hash = createHash('sha256')
      try {
        const entry = archive.entry({ name, size, mode: 0o600, mtime: new Date() })
        await pipeline(hashing(source, hash), entry)
      } catch (error) {
        // When the sink failed, that is the reason, and not that the entry was cut off or could not be begun.
        await immediate()
        throw failure ?? error
      }
      return hash.digest('hex')
    },
    async end() {
      archive.finalize()
      await written
      return bytes
    },
    async fail(reason) {
      archive.destroy(reason)
      await Promise.allSettled([written])
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
