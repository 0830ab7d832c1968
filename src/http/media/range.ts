/** Byte offsets, both inclusive. */
export interface WantedRange {
  start: number
  end: number
}

type Spec = WantedRange | 'outside'

/** More than anybody has use for: a list of thousands is an attack. */
const maxSpecs = 20

/**
 * The one range that a Range header (RFC 9110 section 14.2) leaves of `size` bytes; `outside` when all that it names
 * lies beyond them. Null, which means the whole file, for no header, another unit, a malformed one, and several ranges
 * that are there: a server may answer these with the whole. With a size of Infinity the place of the last bytes is
 * Infinity too.
 */
export function parseRange(header: string | null, size: number): Spec | null {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? []
  // Lists may have empty elements (section 5.6.1).
  const specs = (list ?? '')
    .split(',')
    .map((text) => text.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((text) => text !== '')
  if (specs.length === 0 || specs.length > maxSpecs) return null
  const ranges = specs.map((text) => readSpec(text, size))
  if (ranges.includes(null)) return null
  const inside = ranges.filter((range): range is WantedRange => range !== null && range !== 'outside')
  // Of an unknown size nobody can tell which of several are there.
  if (inside.length > 1 || (specs.length > 1 && size === Infinity)) return null
  return inside[0] ?? 'outside'
}

function readSpec(text: string, size: number): Spec | null {
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === '' && last === '') return null
  if (first === '') return readSuffix(Number(last), size)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'outside' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** The last bytes: of an empty file they are all of it, which no range can say. */
function readSuffix(wanted: number, size: number): Spec | null {
  if (wanted === 0) return 'outside'
  const length = Math.min(wanted, size)
  return length === 0 ? null : { start: size - length, end: size - 1 }
}
