// Tells files by their bytes alone: names and declared types say nothing.
import { open, type FileHandle } from 'node:fs/promises'

export type SniffedType = 'jpeg' | 'png' | 'gif' | 'webp' | 'heif'

/** Containers of films and sounds, by the names of ffmpeg's demuxers. */
export type Container = 'mov' | 'webm' | 'ogg' | 'wav' | 'flac' | 'mp3' | 'aac' | 'asf'

export type Sniffed =
  | { family: 'picture'; type: SniffedType; bytes: number }
  | { family: 'container'; type: Container; bytes: number }

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

const head = 128
/** Boxes with which files of older cameras begin instead of with `ftyp` (QuickTime File Format, "Atoms"). */
const oldBoxes = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
/** The ASF header object's GUID (Advanced Systems Format specification, section 10.1). */
const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')

/** Tells a container by its first bytes (128 are enough); null when it is none of those we take. */
function sniffContainer(bytes: Buffer): Container | null {
  const ascii = (start: number, end: number) => bytes.toString('latin1', start, end)
  if (ascii(4, 8) === 'ftyp') return sniffImage(bytes) ? null : 'mov'
  if (oldBoxes.has(ascii(4, 8))) return 'mov'
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return isWebm(bytes) ? 'webm' : null
  if (ascii(0, 4) === 'OggS') return 'ogg'
  if (['RIFF', 'RF64'].includes(ascii(0, 4)) && ascii(8, 12) === 'WAVE') return 'wav'
  if (bytes.subarray(0, 16).equals(asfHeader)) return 'asf'
  return sniffFrames(bytes)
}

/** The document type in the EBML header (RFC 8794 section 11.2.4), which tells WebM from any other Matroska. */
function isWebm(bytes: Buffer): boolean {
  const at = bytes.indexOf(Buffer.from([0x42, 0x82]))
  return at > 0 && bytes.toString('latin1', at + 3, at + 7) === 'webm'
}

/** Sounds without a container: FLAC (RFC 9639), AAC in ADTS (ISO 13818-7, 6.2), MPEG audio (ISO 11172-3, 2.4.1.3). */
function sniffFrames(bytes: Buffer): 'flac' | 'aac' | 'mp3' | null {
  if (bytes.toString('latin1', 0, 4) === 'fLaC') return 'flac'
  const [first = 0, second = 0, third = 0] = bytes
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 <= 12 ? 'aac' : null
  const isSync = (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08
  const isFrame = (second & 0x06) !== 0 && third >> 4 !== 15 && third >> 4 !== 0 && (third & 0x0c) !== 0x0c
  return isSync && isFrame ? 'mp3' : null
}

/** Reads the first bytes of the file, and those behind an ID3 tag. Null when it is nothing that we take. */
export async function sniffFile(path: string): Promise<Sniffed | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const bytes = await readAt(file, 0)
    const picture = sniffImage(bytes)
    if (picture) return { family: 'picture', type: picture, bytes: size }
    const isTagged = bytes.toString('latin1', 0, 3) === 'ID3'
    const type = isTagged ? sniffFrames(await readAt(file, tagEnd(bytes))) : sniffContainer(bytes)
    return type && { family: 'container', type, bytes: size }
  } finally {
    await file.close()
  }
}

/** `head` bytes from there, zeros where the file has ended. */
async function readAt(file: FileHandle, position: number): Promise<Buffer> {
  const bytes = Buffer.alloc(head)
  await file.read(bytes, 0, head, position)
  return bytes
}

/** Where an ID3v2 tag ends: ten bytes of header and a size of four times seven bits (ID3v2.4.0, section 3.1). */
function tagEnd(bytes: Buffer): number {
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at]! & 0x7f), 0)
  return 10 + size + (bytes[5]! & 0x10 ? 10 : 0)
}
