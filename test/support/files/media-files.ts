// Files as people upload them, and as attackers do: made here, so that none of unknown origin lies in the tests.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll } from 'vitest'
import { runProcessSync } from '#test/processes/processes.ts'

const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((name) => runProcessSync(name, ['-version']).status === 0)

/** Why tests that need ffmpeg cannot run here; null when they can. Continuous integration must have it. */
export const ffmpegMissing = hasFfmpeg || process.env['CI'] === 'true' ? null : 'ffmpeg is not installed'

export interface Folder {
  path: string
  /** Writes a file there; its path. */
  write(name: string, content: Buffer | string): string
  /** Runs ffmpeg with these arguments and the name of a file to make there; its path. */
  encode(name: string, ...args: string[]): string
  /** Paths of all files in it. */
  list(): string[]
  clear(): void
}

/** A folder for this test file, removed after its tests. */
export function useFolder(): Folder {
  const folder = mkdtempSync(path.join(tmpdir(), 'stonechat-media-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: folder,
    write(name, content) {
      writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    },
    encode(name, ...args) {
      mustRun('ffmpeg', ['-v', 'error', '-y', ...args, path.join(folder, name)])
      return path.join(folder, name)
    },
    list: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    clear() {
      for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true })
    },
  }
}

function mustRun(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = runProcessSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}

/** Inputs of ffmpeg: a moving test picture and a tone. */
export const picture = (options = 'size=320x240:rate=25') => [
  '-f',
  'lavfi',
  '-i',
  `testsrc=duration=1:${options}`,
]
export const tone = (seconds = 1) => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:sample_rate=44100:duration=${seconds}`,
]

/** What ffprobe says of a file: streams, and the tags of the whole. */
export function look(file: string): {
  streams: Record<string, string | number | object>[]
  tags: Record<string, string>
} {
  const args = [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_streams',
    '-show_format',
    '-show_chapters',
    file,
  ]
  const { streams, format } = JSON.parse(mustRun('ffprobe', args))
  return { streams, tags: format.tags ?? {} }
}

export const contains = (file: string, text: string) => readFileSync(file).includes(text)

/** A PNG of black pixels, one bit each; `text` puts compressed chunks of that kind into it. */
export function blackPng(
  width: number,
  height: number,
  { pixels, chunks = [] }: { pixels?: Buffer; chunks?: [string, Buffer][] } = {},
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const body = pixels ?? deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks.map(([name, data]) => pngChunk(name, data)),
    pngChunk('IDAT', body),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(name), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** An animated GIF of one pixel, which changes its colour with each frame. */
export function tinyGif(frames: number): Buffer {
  const header = Buffer.from('474946383961010001008000000000ffffffff', 'hex')
  const frame = (n: number) =>
    Buffer.from(`21f90400050000002c0000000001000100000202${n % 2 ? '4c' : '44'}0100`, 'hex')
  const loop = Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex')
  return Buffer.concat([
    header.subarray(0, 13),
    Buffer.from('000000ffffff', 'hex'),
    loop,
    ...Array.from({ length: frames }, (_, n) => frame(n)),
    Buffer.from(';'),
  ])
}
