// Every kind of file that people and attackers upload, with the answer that it should get.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { blackPng, picture, tinyGif, tone, type Folder } from './media-files.ts'

export type Kind = 'image' | 'gifv' | 'video' | 'audio'

export interface MatrixFile {
  name: string
  bytes: Buffer
  /** What it becomes; null: it is refused. */
  kind: Kind | null
  /** Pixels of what is shown. */
  size?: [number, number]
  /** Of films and sounds: there is something to look at. */
  hasPreview?: boolean
}

/** Stands in the metadata of all files that are taken, and must stand in nothing that is served. */
export const secret = 'secret-place-48.137,11.575'

const script = `<script>alert("${secret}")</script>`
const message = JSON.stringify({ '@context': 'https://www.w3.org/ns/activitystreams', id: secret })
const blue = { create: { width: 60, height: 40, channels: 3, background: '#204080' } } as const
const behind = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(script), Buffer.from(message)])

export async function pictures(): Promise<MatrixFile[]> {
  const exif = { IFD0: { Copyright: secret }, IFD3: { GPSLatitude: '48/1 8/1 0/1', GPSMapDatum: secret } }
  const jpeg = await sharp(blue).withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer()
  const clear = { width: 60, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } as const
  const png = await sharp({ create: clear }).withExif(exif).png().toBuffer()
  const plain = await sharp(blue).png().toBuffer()
  return [
    { name: 'JPEG, turned, with a position', bytes: jpeg, kind: 'image', size: [40, 60] },
    { name: 'PNG with transparency', bytes: png, kind: 'image', size: [60, 40] },
    {
      name: 'WebP',
      bytes: await sharp(blue).withExif(exif).webp().toBuffer(),
      kind: 'image',
      size: [60, 40],
    },
    {
      name: 'AVIF',
      bytes: await sharp(blue).withExif(exif).avif().toBuffer(),
      kind: 'image',
      size: [60, 40],
    },
    { name: 'still GIF', bytes: await sharp(blue).gif().toBuffer(), kind: 'image', size: [60, 40] },
    { name: 'JPEG with a page behind it', bytes: behind(jpeg), kind: 'image', size: [40, 60] },
    { name: 'PNG with a page behind it', bytes: behind(plain), kind: 'image', size: [60, 40] },
    {
      name: 'PNG with a message in it',
      bytes: blackPng(64, 64, { chunks: [['tEXt', Buffer.from(`Comment\0${message}${script}`)]] }),
      kind: 'image',
      size: [64, 64],
    },
  ]
}

export async function hostileImages(): Promise<MatrixFile[]> {
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, n) => (n * n * 7919) % 251))
  const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer()
  const refused: [string, string | Buffer][] = [
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'],
    ['HTML', `<!doctype html><title>x</title>${script}`],
    ['a message', message],
    ['a GIF that is a script', `GIF89a/*${script}*/=1`],
    ['PostScript', '%!PS\n(%pipe%id) (r) file'],
    ['drawing commands', 'push graphic-context\nfill "url(https://127.0.0.1/a)"\npop graphic-context'],
    ['a PNG of 16k × 16k pixels', blackPng(16_384, 16_384)],
    ['a GIF of 100,000 frames', tinyGif(100_000)],
    ['half a PNG', whole.subarray(0, whole.length / 2)],
    ['the head of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ]
  return refused.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes), kind: null }))
}

/** Needs ffmpeg. */
export async function videos(folder: Folder): Promise<MatrixFile[]> {
  const make = (name: string, ...args: string[]) =>
    readFileSync(folder.encode(name, ...args.slice(0, -1), ...tags, args.at(-1) as string))
  const tags = ['-metadata', `comment=${secret}`, '-metadata', `title=${secret}`]
  const h264 = ['-pix_fmt', 'yuv420p', '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast']
  folder.write('cover.png', await sharp(blue).png().toBuffer())
  const cover = ['-i', `${folder.path}/cover.png`, '-map', '0', '-map', '1', '-c:v', 'copy']
  const loud = make('loud.mp4', ...picture(), ...tone(), ...h264, '-y')
  return [
    { name: 'MP4 with sound', bytes: loud, kind: 'video', size: [320, 240], hasPreview: true },
    {
      name: 'MP4 without sound',
      bytes: make('still.mp4', ...picture(), ...h264, '-y'),
      kind: 'gifv',
      size: [320, 240],
      hasPreview: true,
    },
    {
      name: 'animated GIF',
      bytes: make('moving.gif', ...picture('size=64x48:rate=5'), '-y'),
      kind: 'gifv',
      hasPreview: true,
    },
    {
      name: 'MP3 with a cover',
      bytes: make('song.mp3', ...tone(), ...cover, '-y'),
      kind: 'audio',
      hasPreview: true,
    },
    { name: 'WAV', bytes: make('tone.wav', ...tone(), '-y'), kind: 'audio' },
    { name: 'half an MP4', bytes: loud.subarray(0, loud.length / 2), kind: null },
  ]
}

/** Files that name others: a local one and one at `url`. */
export function lists(url: string): MatrixFile[] {
  return [url, 'file:///etc/passwd', '/etc/passwd', `concat:/etc/passwd|${url}`].flatMap((link) => {
    const playlist = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${link}\n#EXT-X-ENDLIST\n`
    const texts: Record<string, string> = {
      'a play list': playlist,
      'a list of files': `ffconcat version 1.0\nfile '${link}'\n`,
      'a play list that claims to be a film': `\0\0\0\x18ftypisom\0\0\0\0isomiso2\n${playlist}`,
      'a play list that claims to be a sound': `ID3\x03\0\0\0\0\0\0${playlist}`,
      'an SVG with a picture': `<svg xmlns="http://www.w3.org/2000/svg"><image href="${link}"/></svg>`,
    }
    return Object.entries(texts).map(([name, text]) => ({
      name: `${name} of ${link}`,
      bytes: Buffer.from(text, 'latin1'),
      kind: null,
    }))
  })
}

/** A body of 40 MB in Base64 that begins like a picture, a piece at a time. */
export function hugeBase64(megabytes = 40): ReadableStream<Uint8Array> {
  const head = Buffer.concat([blackPng(64, 64), Buffer.alloc(96 * 1024)])
  const pieces = Math.ceil((megabytes * 2 ** 20) / (96 * 1024 * (4 / 3)))
  const first = head.subarray(0, head.length - (head.length % 3)).toString('base64')
  const rest = Buffer.from(Buffer.alloc(96 * 1024, 7).toString('base64'))
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent === 0) controller.enqueue(Buffer.from(`{"file":"data:image/png;base64,${first}`))
      else if (sent < pieces) controller.enqueue(rest)
      else {
        controller.enqueue(Buffer.from('"}'))
        controller.close()
      }
      sent++
    },
  })
}
