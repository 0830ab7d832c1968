import { createBase64Decoder } from './base64-decoder.ts'

/** What a body is taken apart into. Bytes are valid until the next ones are pushed. */
export type Piece =
  /** Stays in the body: everything that is no file. */
  | { kind: 'text'; bytes: Uint8Array }
  /** Stays in the body: a file as multipart carries it. */
  | { kind: 'part'; bytes: Uint8Array }
  /** A file in Base64 begins here, then comes its decoded data, then its end. */
  | { kind: 'start'; contentType: string }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'end' }

/** One value of a parameter after the other: those that begin as a `data:` URI in Base64 are decoded. */
export interface ValueReader {
  readonly state: 'plain' | 'marker' | 'data'
  /** Before a chunk of so many bytes. */
  reserve(bytes: number): void
  /** A value begins. */
  start(): void
  /**
   * One byte of it, unless it is `plain`: as it stands in the body, and the character it means, which is negative for
   * a part of an escape.
   */
  take(raw: number, character: number): void
  /** Bytes of it that all are characters. Returns those that stay as they are. */
  takeAll(bytes: Uint8Array): Uint8Array
  /** The value has ended. What it held back is in the output then. */
  finish(): void
  /** After a chunk: nothing decoded stays behind. */
  flush(): void
}

const beginning = 'data:'
/** Of the marker with the parameters of its type, in characters; escaped it may be six times as long. */
const maxMarkerLength = 200
const marker = /^data:([^;,]*)(?:;[^,]*)?;base64,$/i
const typeForm = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/i

const mayBeMarker = (seen: string) =>
  seen.length <= maxMarkerLength && beginning.startsWith(seen.slice(0, beginning.length).toLowerCase())

/** The type that a whole marker names; null when it is none. */
function readType(seen: string): string | null {
  const type = marker.exec(seen)?.[1]
  if (type === undefined) return null
  return typeForm.test(type) ? type : 'application/octet-stream'
}

/** Writes what becomes of the values to `out`. A value that is no file comes out as it was. */
export function createValueReader(out: Piece[]): ValueReader {
  const decoder = createBase64Decoder()
  let state: ValueReader['state'] = 'plain'
  let seen = ''
  let held: number[] = []

  function giveUp(): void {
    if (held.length > 0) out.push({ kind: 'text', bytes: Uint8Array.from(held) })
    held = []
    state = 'plain'
  }

  function readMarker(raw: number, character: number): void {
    held.push(raw)
    if (character >= 0) seen += String.fromCharCode(character)
    if (!mayBeMarker(seen) || held.length > 6 * maxMarkerLength) return giveUp()
    if (character !== 0x2c) return
    const contentType = readType(seen)
    if (contentType === null) return giveUp()
    out.push({ kind: 'start', contentType })
    held = []
    state = 'data'
  }

  function flush(): void {
    const bytes = decoder.takeAway()
    if (bytes.length > 0) out.push({ kind: 'data', bytes })
  }

  function take(raw: number, character: number): void {
    if (state === 'marker') readMarker(raw, character)
    else if (state === 'data' && character >= 0) decoder.take(character)
  }

  return {
    get state() {
      return state
    },
    reserve: (bytes) => decoder.reserve(bytes),
    start() {
      state = 'marker'
      ;[seen, held] = ['', []]
    },
    take,
    takeAll(bytes) {
      let i = 0
      for (; i < bytes.length && state !== 'plain'; i++) take(bytes[i] as number, bytes[i] as number)
      return bytes.subarray(i)
    },
    finish() {
      if (state === 'data') {
        decoder.finish()
        flush()
        out.push({ kind: 'end' })
        state = 'plain'
      } else giveUp()
    },
    flush,
  }
}
