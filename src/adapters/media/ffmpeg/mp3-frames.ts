// Keeps the sound of an MP3 and nothing else. Players skip what lies before, between and behind its frames, so that
// anything can hide there, and tags of several kinds do.
import { open, type FileHandle } from 'node:fs/promises'

/** Kilobits a second by index, for layer III of MPEG 1 and of MPEG 2 and 2.5 (ISO 11172-3 and 13818-3, 2.4.2.3). */
const bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const sampleRates = [44_100, 48_000, 32_000]
/** No frame is longer than this, so that one lies whole in what was read, with the head of the next. */
const maxFrame = 2048
const chunkBytes = 2 ** 20

interface Frame {
  bytes: number
  /** What stays the same throughout a file: version and sample rate. */
  kind: number
}

/** The frame that begins at this place; null when none does. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return null
  const [second, third] = [bytes[at + 1]!, bytes[at + 2]!]
  const version = (second >> 3) & 3
  const isLayer3 = (second & 0xe0) === 0xe0 && (second & 6) === 2
  const rate = sampleRates[(third >> 2) & 3]
  const kilobits = bitrates[version === 3 ? 0 : 1][third >> 4]
  if (!isLayer3 || version === 1 || !rate || !kilobits) return null
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const padding = (third >> 1) & 1
  const length = Math.floor(((version === 3 ? 144 : 72) * kilobits * 1000) / sampleRate) + padding
  return { bytes: length, kind: (version << 2) | ((third >> 2) & 3) }
}

/** Copies those frames of `source` to `target` that another one, or the end, follows at once. Bytes written. */
export async function copyMp3Frames(source: string, target: string): Promise<number> {
  const [from, to] = [await open(source), await open(target, 'wx')]
  try {
    return await copy(from, to)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

async function copy(from: FileHandle, to: FileHandle): Promise<number> {
  let rest = Buffer.alloc(0)
  let written = 0
  let kind: number | null = null
  for (;;) {
    const buffer = Buffer.alloc(chunkBytes)
    const { bytesRead } = await from.read(buffer, 0, chunkBytes)
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    const found = findFrames(bytes, { kind, isEnd: bytesRead === 0 })
    kind = found.kind
    for (const run of found.runs) await to.writeFile(run)
    written += found.runs.reduce((sum, run) => sum + run.length, 0)
    if (bytesRead === 0) return written
    rest = Buffer.from(bytes.subarray(found.end))
  }
}

/** Runs of frames in these bytes, and how far it looked: to the end only when nothing follows. */
function findFrames(bytes: Buffer, { kind, isEnd }: { kind: number | null; isEnd: boolean }) {
  const last = isEnd ? bytes.length : bytes.length - maxFrame - 4
  const runs: Buffer[] = []
  let at = 0
  let start = 0
  const endRun = () => {
    if (at > start) runs.push(bytes.subarray(start, at))
  }
  while (at < last) {
    const frame = frameAt(bytes, at)
    const isKnown =
      frame && (kind === null || frame.kind === kind) && isFollowed(bytes, at + frame.bytes, frame.kind)
    if (isKnown) {
      kind = frame.kind
      at += frame.bytes
      continue
    }
    endRun()
    const next = bytes.indexOf(0xff, at + 1)
    at = next < 0 ? bytes.length : next
    start = at
  }
  endRun()
  return { runs, end: at, kind }
}

function isFollowed(bytes: Buffer, at: number, kind: number): boolean {
  return at === bytes.length || frameAt(bytes, at)?.kind === kind
}
