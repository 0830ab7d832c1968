// Finds files in Base64 in the text fields of `multipart/form-data` while they stream in.
import type { Scanner } from './base64-scan.ts'
import { createValueReader, type Piece } from './base64-value.ts'

const carriageReturn = 0x0d
/** Of one part, in bytes. A part with more is taken for no field that could hold a file. */
const maxHead = 16 * 1024
const endOfHead = '\r\n\r\n'

/** The boundary in a content type (RFC 2046 section 5.1.1); null when there is none. */
export function readBoundary(contentType: string): string | null {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  return quoted ?? bare ?? null
}

/**
 * `before` what is left over ahead of the first part · `head` its header fields · `field` a text · `part` a file ·
 * `after` the last delimiter.
 */
type Place = 'before' | 'head' | 'field' | 'part' | 'after'

/** RFC 7578. What it does not understand stays as it is, for the parser behind it to judge. */
export function createMultipartScanner(boundary: string): Scanner {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const out: Piece[] = []
  const value = createValueReader(out)
  const head = createHead()
  const search = createSearch(delimiter, content)
  let place: Place = 'before'

  const text = (bytes: Uint8Array) => {
    if (bytes.length > 0) out.push({ kind: 'text', bytes })
  }

  /** Bytes between two delimiters. */
  function content(bytes: Uint8Array): void {
    if (place === 'part') out.push({ kind: 'part', bytes })
    else if (place === 'field') text(value.takeAll(bytes))
    else text(bytes)
  }

  function endContent(found: Uint8Array): void {
    if (place === 'field') value.finish()
    text(found)
    place = 'head'
    head.start()
  }

  function readHead(chunk: Buffer, from: number): number {
    let i = from
    while (i < chunk.length && place === 'head') place = head.read(chunk[i++] as number)
    text(chunk.subarray(from, i))
    if (place === 'field') value.start()
    return i
  }

  /** Reads on from `i` as far as one place goes. Returns where the next one begins. */
  function step(chunk: Buffer, i: number): number {
    if (place === 'head') return readHead(chunk, i)
    // Behind the last delimiter any other means nothing, but does no harm either.
    const { found, next } = search.read(chunk, i)
    if (found) endContent(found)
    return next
  }

  return {
    push(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      value.reserve(chunk.length + delimiter.length)
      for (let i = 0; i < chunk.length;) i = step(chunk, i)
      value.flush()
      return out.splice(0)
    },
    end() {
      search.giveBack()
      if (value.state === 'marker') value.finish()
      return out.splice(0)
    },
  }
}

/** Looks for a delimiter across chunks, and tells what stands before it. */
function createSearch(delimiter: Buffer, onContent: (bytes: Uint8Array) => void) {
  /** Bytes of a delimiter that the last chunk ended with. The first delimiter of all has no line before it. */
  let matched = 2
  let missing = 2

  const content = (bytes: Uint8Array) => {
    if (bytes.length > 0) onContent(bytes)
  }

  /** What began like a delimiter was none. */
  function giveBack(): void {
    content(delimiter.subarray(missing, matched))
    matched = missing = 0
  }

  function complete(next: number) {
    const found = delimiter.subarray(missing)
    matched = missing = 0
    return { found, next }
  }

  /** Where a delimiter begins of which the chunk has not all: it has one carriage return, its first byte. */
  function startOfPartial(chunk: Buffer, from: number): number {
    const start = chunk.lastIndexOf(carriageReturn)
    const isPartial = start >= from && delimiter.indexOf(chunk.subarray(start)) === 0
    return isPartial ? start : chunk.length
  }

  return {
    giveBack,
    /** Reads on from `from` to behind the delimiter, or to the end of the chunk when it is not there. */
    read(chunk: Buffer, from: number): { found: Uint8Array | null; next: number } {
      let i = from
      while (matched > 0 && i < chunk.length) {
        if (chunk[i] !== delimiter[matched]) giveBack()
        else if (++matched === delimiter.length) return complete(i + 1)
        else i++
      }
      if (matched > 0) return { found: null, next: chunk.length }
      const start = chunk.indexOf(delimiter, i)
      const end = start === -1 ? startOfPartial(chunk, i) : start
      content(chunk.subarray(i, end))
      if (start !== -1) return complete(start + delimiter.length)
      matched = chunk.length - end
      return { found: null, next: chunk.length }
    },
  }
}

/** The header fields of one part, from behind its delimiter. */
function createHead() {
  let seen = ''
  let length = 0
  return {
    start() {
      seen = ''
      length = 0
    },
    /** One more byte; answers where that leads. */
    read(byte: number): Place {
      const kept = ++length > maxHead ? seen.slice(1 - endOfHead.length) : seen
      seen = kept + String.fromCharCode(byte)
      if (length === 2 && seen === '--') return 'after'
      if (!seen.endsWith(endOfHead)) return 'head'
      return length > maxHead || /;\s*filename\*?\s*=/i.test(seen) ? 'part' : 'field'
    },
  }
}
