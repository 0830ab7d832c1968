// What both kinds of archive have in common. Names in them are looked up, never used as places on this machine; what is
// unpacked is what is asked for, and no more than the limits allow (CNT-19).
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isAppError, unprocessable } from '#lib/errors.ts'

export interface ArchiveLimits {
  /** Entries of any kind. */
  entries: number
  /** Bytes of `outbox.json`. */
  outboxBytes: number
  /** Bytes of any other file that is unpacked. */
  fileBytes: number
  /** Bytes of all that is unpacked, and of all that lies in a .tar.gz. */
  totalBytes: number
}

/** One archive, being read. Everything throws `invalid` for what is damaged or beyond the limits. */
export interface Archive {
  /** Unpacks `outbox.json` of the topmost folder. */
  extractOutbox(target: string): Promise<void>
  /** Finds these files, named from the folder of `outbox.json`. Before any `extract`. */
  locate(names: ReadonlySet<string>): Promise<void>
  /** Unpacks a file; false when it is not there, is no plain file, or was not asked for. */
  extract(name: string, target: string): Promise<boolean>
  close(): Promise<void>
}

const unsafe = /(?:^|\/)\.\.(?:\/|$)|^\/|\\|^[a-z]:|\0/i

/** An entry's name, without `./` in front. Throws `invalid` for one that leads out of the archive. */
export function readName(name: string): string {
  if (unsafe.test(name)) throw unprocessable('archive_names_outside')
  return name.replace(/^(?:\.\/)+/, '')
}

/** The folder of an `outbox.json`, with a slash behind it, if the entry is one; null for anything else. */
export function outboxFolder(name: string): string | null {
  return /^(?:[^/]+\/)?outbox\.json$/.test(name) ? name.slice(0, -'outbox.json'.length) : null
}

/** Writes a stream to a new file. Throws `invalid` when it has more bytes than it may. */
export async function writeBounded(
  source: AsyncIterable<Buffer>,
  target: string,
  { max, what }: { max: number; what: string },
): Promise<number> {
  let size = 0
  async function* bounded() {
    for await (const chunk of source) {
      size += chunk.length
      if (size > max) throw unprocessable('larger_than', { name: what, megabytes: Math.floor(max / 2 ** 20) })
      yield chunk
    }
  }
  await pipeline(bounded, createWriteStream(target, { mode: 0o600 }))
  return size
}

/** Errors of this machine stay what they are; all others are the archive's. */
export function asArchiveError(error: unknown): unknown {
  const { syscall } = error as NodeJS.ErrnoException
  if (isAppError(error) || syscall !== undefined) return error
  return unprocessable('archive_damaged')
}
