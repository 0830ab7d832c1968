// Reads a backup from end to end, in bounded memory, and holds every byte against its sums.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import type { z } from 'zod'
import { typeOfKey } from '#adapters/storage-keys.ts'
import { hashing } from '#lib/hashing.ts'
import {
  formatVersion,
  headShape,
  keysShape,
  manifestShape,
  names,
  sequencesShape,
  type Head,
  type Keys,
  type Manifest,
} from './format.ts'

/** What is done with the entries. All of a file that is handed over has to be read. */
export interface ArchiveVisitor {
  head?(head: Head): void | Promise<void>
  keys?(keys: Keys): void | Promise<void>
  /** Compressed rows. */
  table?(name: string, part: Buffer): Promise<void>
  sequences?(values: Record<string, string>): Promise<void>
  media?(key: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /** So many more bytes of the file were read. */
  progress?(bytes: number): void
}

/** Parts of tables and lists are read as a whole: what is larger was not written by this program, in bytes. */
const maxInMemory = 2 ** 31

/** Throws an Error of one line when the file is no backup, of a newer format, or damaged. */
export async function readArchive(file: string, visitor: ArchiveVisitor): Promise<Manifest> {
  await assertFile(file)
  const archive = extract()
  const unpacked = pipeline(createReadStream(file), (source: AsyncIterable<Buffer>) => watch(source), archive)
  // Told by the loop, or below.
  unpacked.catch(() => {})
  async function* watch(source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      visitor.progress?.(piece.length)
      yield piece
    }
  }
  const reader = createReader(file, visitor)
  try {
    for await (const entry of archive) {
      const { name, size, type } = entry.header
      if (type !== 'file') throw reader.damaged(`${name} is no file`)
      // Its types do not say that it can be read so.
      await reader.read(name, size, entry as unknown as AsyncIterable<Uint8Array>)
    }
    await unpacked
  } catch (error) {
    throw isTarError(error) ? reader.damaged((error as Error).message) : error
  } finally {
    archive.destroy()
  }
  return reader.end()
}

/** What tar-stream says of a file that it cannot read. */
const isTarError = (error: unknown) =>
  error instanceof Error && /^(?:Unexpected end of data|Invalid tar header|Size mismatch)/.test(error.message)

async function assertFile(file: string): Promise<void> {
  const found = await stat(file)
  if (found.isDirectory()) throw new Error(`${file} is a folder: give the name of a file`)
  if (!found.isFile()) throw new Error(`${file} is no file`)
}

type Damaged = (what: string) => Error

function createReader(file: string, visitor: ArchiveVisitor) {
  let head: Head | null = null
  const damaged: Damaged = (what) =>
    new Error(head ? `${file} is damaged: ${what}` : `${file} is no backup of Stonechat, or damaged`)
  const sums = createSums(damaged)
  const order = createOrder(damaged)

  async function visit(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    order.enter(name)
    if (name.startsWith(names.media)) {
      const key = name.slice(names.media.length)
      // A name that leads elsewhere is no key, nor is one of something that is not kept.
      if (typeOfKey(key) === null) throw damaged(`${JSON.stringify(name)} is an impossible name`)
      await visitor.media?.(key, size, source)
      return
    }
    const bytes = await readWhole(name, size, source)
    if (name === names.head) {
      head = readHead(file, bytes, damaged)
      await visitor.head?.(head)
    } else if (name === names.keys) await visitor.keys?.(parse(keysShape, bytes, damaged(name)))
    else if (name === names.sequences) await visitor.sequences?.(parse(sequencesShape, bytes, damaged(name)))
    else await visitor.table?.(name.split('/')[1] ?? '', bytes)
  }

  function readWhole(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<Buffer> {
    if (size > maxInMemory) throw damaged(`${name} is too large`)
    return buffer(source)
  }

  return {
    damaged,
    async read(name: string, size: number, entry: AsyncIterable<Uint8Array>): Promise<void> {
      if (head === null && name !== names.head) throw damaged(name)
      const hash = createHash('sha256')
      const hashed = hashing(entry, hash)
      if (isOfSums(name)) {
        const bytes = await readWhole(name, size, hashed)
        return sums.read(name, bytes, hash.digest('hex'))
      }
      await visit(name, size, hashed)
      // What nobody wanted counts too.
      for await (const piece of hashed) void piece
      sums.note(`${hash.digest('hex')}  ${name}\n`)
    },
    end(): Manifest {
      const manifest = sums.end()
      order.end()
      if (head?.id !== manifest.id) throw damaged('its beginning and its end are of different backups')
      return manifest
    },
  }
}

function parse<T>(shape: z.ZodType<T>, bytes: Buffer, otherwise: Error): T {
  try {
    return shape.parse(JSON.parse(bytes.toString()))
  } catch {
    throw otherwise
  }
}

function readHead(file: string, bytes: Buffer, damaged: Damaged): Head {
  const { format } = parse(headShape.pick({ format: true }), bytes, damaged(names.head))
  if (format > formatVersion) {
    throw new Error(
      `${file} was written by a newer Stonechat (format ${format}, this program reads ${formatVersion})`,
    )
  }
  return parse(headShape, bytes, damaged(names.head))
}

/** Holds the entries against the order in which they are written: of some there is one, of others any number. */
function createOrder(damaged: Damaged) {
  const stages = [
    { isOf: (name: string) => name === names.head, one: true },
    { isOf: (name: string) => name === names.keys, one: true },
    { isOf: (name: string) => name.startsWith(names.tables), one: false },
    { isOf: (name: string) => name === names.sequences, one: true },
    { isOf: (name: string) => name.startsWith(names.media), one: false },
  ]
  const seen = stages.map(() => 0)
  return {
    enter(name: string): void {
      const stage = stages.findIndex(({ isOf }) => isOf(name))
      if (stage === -1) throw damaged(`nothing is known of ${JSON.stringify(name)}`)
      const isAgain = stages[stage]?.one && seen[stage] !== 0
      const isMissing = stages.some(({ one }, earlier) => earlier < stage && one && seen[earlier] === 0)
      const isLate = seen.some((count, later) => later > stage && count > 0)
      if (isAgain || isMissing || isLate) throw damaged(`${name} is not in its place`)
      seen[stage] = (seen[stage] ?? 0) + 1
    },
    end(): void {
      if (stages.some(({ one }, stage) => one && seen[stage] === 0)) throw damaged('parts of it are missing')
    },
  }
}

/** Those that close the file, or a stretch of it, and are in no list of sums. */
const isOfSums = (name: string) =>
  name.startsWith(names.sums) || name === names.manifest || name === names.manifestSum

/** Holds what was read against what the file says of it. */
function createSums(damaged: Damaged) {
  /** Lines of the entries since the last list. */
  let unlisted: string[] = []
  const lists: string[] = []
  let manifest: { value: Manifest; sum: string } | null = null
  let isComplete = false

  function close(text: string): void {
    if (manifest === null || text !== `${manifest.sum}  ${names.manifest}\n`) {
      throw damaged(`the sum in ${names.manifestSum} is not that of the manifest`)
    }
    isComplete = true
  }

  return {
    note: (line: string) => void unlisted.push(line),
    read(name: string, bytes: Buffer, sum: string): void {
      if (name === names.manifestSum) return close(bytes.toString())
      if (name === names.manifest) {
        manifest = { value: parse(manifestShape, bytes, damaged(name)), sum }
        return
      }
      if (bytes.toString() !== unlisted.join('')) {
        throw damaged(`the sums in ${name} are not those of the entries`)
      }
      unlisted = []
      lists.push(sum)
    },
    end(): Manifest {
      if (manifest === null || !isComplete || unlisted.length > 0) throw damaged('its end is missing')
      if (manifest.value.sums.join() !== lists.join()) throw damaged('lists of sums are missing')
      return manifest.value
    },
  }
}
