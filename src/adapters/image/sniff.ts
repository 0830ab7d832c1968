export type SniffedType = 'jpeg' | 'png' | 'gif' | 'webp' | 'heif'

const heifBrands = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Tells a picture by its first bytes; null when it is none of the types we take. `heif` is HEIC or AVIF. */
export function sniffImage(bytes: Buffer): SniffedType | null {
  const ascii = (start: number, end: number) => bytes.toString('latin1', start, end)
  if (ascii(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif'
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp'
  if (ascii(4, 8) === 'ftyp' && heifBrands.has(ascii(8, 12))) return 'heif'
  return null
}
