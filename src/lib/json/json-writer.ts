// JSON piece by piece: texts, and bytes in UTF-8 that are kept of what is written often.

export interface JsonWriter {
  text(json: string): void
  bytes(json: Uint8Array): void
}

/** What knows its JSON, which must be what `JSON.stringify` would write. */
export interface Writes {
  writeTo(out: JsonWriter): void
}

/** By this name an object that is completed when somebody looks (`lazyObject`) tells how it is written. */
export const ownWriter = Symbol('ownWriter')

type Room = Buffer<ArrayBuffer>

/** Bytes that lie where further JSON is written once they are given back. */
export interface LentJson {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** To be called once: whether nobody will read the bytes any more. A place that is not free is left to the collector. */
  giveBack(free: boolean): void
}

/** Bytes of which a writer keeps room for the next one. A page of forty statuses has some 200,000. */
const keptRoom = 512 * 1024
const firstRoom = 128 * 1024
/** What is shorter is copied: whoever reads slowly holds all of the room. */
const minLent = 8 * 1024
/** As many answers may lie where they were written; further ones are copied, so that slow readers hold what they read. */
const maxLent = 8

const makeRoom = (bytes: number): Room => Buffer.allocUnsafeSlow(bytes)
let room = makeRoom(firstRoom)
const free: Room[] = []
let lent = 0

/**
 * Returns what `write` writes: a string where it was text alone, else bytes. It is made in one place of memory and copied
 * from there once: strings that grow are copied several times before they are sent, and are garbage then. `write` must
 * not wait for anything, nor write something else meanwhile.
 */
export function writeJson(write: (out: JsonWriter) => void): string | Uint8Array<ArrayBuffer> {
  const written = writeToRoom(write)
  return typeof written === 'string' ? written : copyOfRoom(written)
}

/**
 * The same for whoever can tell when the bytes were sent: what is long is not copied, and does not become garbage that
 * the collector does not see the size of.
 */
export function lendJson(write: (out: JsonWriter) => void): string | Uint8Array<ArrayBuffer> | LentJson {
  const written = writeToRoom(write)
  if (typeof written === 'string') return written
  if (written < minLent || room.length > keptRoom || lent >= maxLent) return copyOfRoom(written)
  const used = room
  room = free.pop() ?? makeRoom(firstRoom)
  lent++
  return {
    bytes: used.subarray(0, written),
    giveBack(isFree) {
      lent--
      if (isFree) free.push(used)
    },
  }
}

/** Returns the text, or how many bytes lie in the room. */
function writeToRoom(write: (out: JsonWriter) => void): string | number {
  let length = 0
  let pending = ''

  function reserve(bytes: number): void {
    if (room.length - length >= bytes) return
    const larger = makeRoom(2 * (length + bytes))
    larger.set(room.subarray(0, length))
    room = larger
  }

  function flush(): void {
    reserve(3 * pending.length)
    length += room.write(pending, length)
    pending = ''
  }

  write({
    text(json) {
      pending += json
    },
    bytes(json) {
      if (pending !== '') flush()
      reserve(json.length)
      room.set(json, length)
      length += json.length
    },
  })
  if (length === 0) return pending
  flush()
  return length
}

function copyOfRoom(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(room.subarray(0, length))
  if (room.length > keptRoom) room = makeRoom(keptRoom)
  return bytes
}
