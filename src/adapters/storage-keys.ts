// What every store of media agrees on: the keys, the types of files, and what a range means.
import path from 'node:path'
import type { StorageRange } from '#ports/storage.ts'

/** What may be stored, and as what it is served: nothing that a browser runs or another server takes for a message. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['zip', 'application/zip'],
  ['csv', 'text/csv'],
  // What was uploaded and not looked at yet. It is never served.
  ['bin', 'application/octet-stream'],
])

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const keyLength = 500

/** The content type of a key; null when the key is malformed or its extension is not allowed. */
export function typeOfKey(key: string): string | null {
  if (key.length > keyLength || !keyPattern.test(key)) return null
  return contentTypes.get(path.extname(key).slice(1).toLowerCase()) ?? null
}

/** Throws a TypeError unless a file of that type may be stored under the key. */
export function assertKey(key: string, contentType: string): void {
  const expected = typeOfKey(key)
  if (!expected) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`)
  if (expected !== contentType) throw new TypeError(`a file named ${key} cannot be ${contentType}`)
}

/** The part of a range that a file of `size` bytes has. Throws a RangeError when it has none. */
export function cutRange({ start, end }: StorageRange, size: number): { start: number; end: number } {
  const last = Math.min(end ?? size - 1, size - 1)
  if (start < 0 || start > last) throw new RangeError('the range is outside the file')
  return { start, end: last }
}
