/** Byte offsets, both inclusive. */
export interface WantedRange {
  start: number
  end: number
}

/**
 * The one range of a Range header (RFC 9110 section 14.1.2) within `size` bytes; `outside` when it lies beyond them.
 * Null, which means the whole file, for no header, another unit, several ranges or a malformed one.
 */
export function parseRange(header: string | null, size: number): WantedRange | 'outside' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec((header ?? '').replaceAll(' ', ''))
  const [first = '', last = ''] = match?.slice(1) ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'outside' : { start, end }
}
