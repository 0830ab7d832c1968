// JSON piece by piece: texts, and bytes in UTF-8 that are kept of what is written often.

export interface JsonWriter {
  text(json: string): void
  bytes(json: Uint8Array): void
}

/** Bytes of which a writer keeps room for the next one. A page of forty statuses has some 200,000. */
const keptRoom = 512 * 1024
let room = Buffer.allocUnsafeSlow(128 * 1024)

/**
 * Returns what `write` writes: a string where it was text alone, else bytes. It is made in one place of memory and copied
 * from there once: strings that grow are copied several times before they are sent, and are garbage then. `write` must
 * not wait for anything, nor write something else meanwhile.
 */
export function writeJson(write: (out: JsonWriter) => void): string | Uint8Array<ArrayBuffer> {
  let length = 0
  let pending = ''

  function reserve(bytes: number): void {
    if (room.length - length >= bytes) return
    const larger = Buffer.allocUnsafeSlow(2 * (length + bytes))
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
  const bytes = new Uint8Array(room.subarray(0, length))
  if (room.length > keptRoom) room = Buffer.allocUnsafeSlow(keptRoom)
  return bytes
}
