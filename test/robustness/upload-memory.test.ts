// What the real server takes while it is handed everything that people and attackers upload.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ffmpegMissing, picture, tone, useFolder } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import {
  videos,
  hostileImages,
  hugeBase64,
  lists,
  pictures,
  type MatrixFile,
} from '#test/files/upload-matrix.ts'
import { isNight } from '#test/run/night.ts'
import { filesBelow, keyOfUrl, uploadForm } from '#test/client/upload.ts'

const folder = useFolder()
const megabyte = 2 ** 20
/** Milliseconds: the kernel walks through all of a process's memory for each look. */
const lookEvery = 300
let server: ServerProcess
let eve: Person

beforeAll(async () => {
  server = await createServerProcess({ prepared: true })
  await server.start()
  ;[eve] = (await server.people('eve')) as [Person]
})
afterAll(() => server?.remove())

/** Process ids of a process and all below it. */
function tree(root: number): number[] {
  const found = [root]
  // Node starts processes from its first thread.
  for (const id of found)
    found.push(...read(`/proc/${id}/task/${id}/children`).split(' ').filter(Boolean).map(Number))
  return found
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What a process has in memory; of what it shares with others, its share. */
const residentBytes = (id: number) =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) * 1024
const programOf = (id: number) => path.basename(read(`/proc/${id}/cmdline`).split(/[\0: ]/)[0] ?? '')

interface Peaks {
  /** The process that answers requests. */
  server: number
  /** It and those that read pictures, together. */
  withImages: number
  ffmpeg: number
  /** All of them together, but the database. */
  all: number
}

/** The most that the server's processes take while `work` goes on. */
async function peaksOf(work: () => Promise<void>): Promise<Peaks> {
  const pid = Number(read(path.join(server.dataDir, 'stonechat.pid')).split('\n')[0])
  const peaks: Peaks = { server: 0, withImages: 0, ffmpeg: 0, all: 0 }
  const timer = setInterval(() => {
    const now = { server: residentBytes(pid), pictures: 0, ffmpeg: 0 }
    for (const id of tree(pid).slice(1)) {
      const program = programOf(id)
      if (program.startsWith('ff')) now.ffmpeg += residentBytes(id)
      else if (program !== 'postgres') now.pictures += residentBytes(id)
    }
    peaks.server = Math.max(peaks.server, now.server)
    peaks.withImages = Math.max(peaks.withImages, now.server + now.pictures)
    peaks.ffmpeg = Math.max(peaks.ffmpeg, now.ffmpeg)
    peaks.all = Math.max(peaks.all, now.server + now.pictures + now.ffmpeg)
  }, lookEvery)
  await work().finally(() => clearInterval(timer))
  const shown = Object.entries(peaks).map(([name, bytes]) => `${name} ${Math.round(bytes / megabyte)} MB`)
  console.info(`peaks: ${shown.join(', ')}`)
  return peaks
}

async function upload({ bytes }: Pick<MatrixFile, 'bytes'>): Promise<string[]> {
  const answer = await eve.post('/api/v1/media', uploadForm(bytes))
  expect([200, 422]).toContain(answer.status)
  if (answer.status !== 200) return []
  // On a busy machine a film may not be ready when the answer is due.
  const ready = () => eve.get(`/api/v1/media/${answer.body.id}`)
  await expect.poll(async () => (await ready()).status, { interval: 200 }).toBe(200)
  const { url, preview_url: previewUrl } = (await ready()).ok()
  return [url, previewUrl].filter((one) => one !== null).map(keyOfUrl)
}

async function makeLargest(): Promise<MatrixFile[]> {
  const size = { width: 7680, height: 4320, channels: 3, background: '#357' } as const
  const large = await sharp({ create: size }).jpeg().toBuffer()
  const photo = await sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 99, sigma: 40 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer()
  return [
    { name: 'as many pixels as may be', bytes: large, kind: 'image' },
    { name: 'twelve megapixels', bytes: photo, kind: 'image' },
  ]
}

let largest: MatrixFile[]
beforeAll(async () => {
  largest = await makeLargest()
})

async function uploadHuge(): Promise<void> {
  const huge = await fetch(`${server.url}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
    body: hugeBase64(),
    duplex: 'half',
  } as RequestInit)
  expect(huge.status).toBe(422)
}

beforeEach(({ skip }) => skip(process.platform !== 'linux', 'only Linux tells what processes take'))

const wanted: string[] = []
const stored = () => filesBelow(path.join(server.dataDir, 'media'))

test.runIf(isNight)(
  'the server stays below 400 MB, and writes nothing but what it shows [CNT-16]',
  async () => {
    const files = [...(await hostileImages()), ...largest]
    if (!ffmpegMissing) files.push(...(await videos(folder)))
    files.push(...(await pictures()), ...lists('http://127.0.0.1:1/a.ts'))
    const peaks = await peaksOf(async () => {
      for (const file of files) wanted.push(...(await upload(file)))
      await uploadHuge()
    })
    expect(peaks.server).toBeGreaterThan(50 * megabyte)
    expect(peaks.withImages).toBeGreaterThan(peaks.server)
    expect(peaks.ffmpeg > 0).toBe(ffmpegMissing === null)
    expect(peaks.all).toBeLessThan(400 * megabyte)
    await expect.poll(stored).toEqual(wanted.toSorted())
    expect(await filesBelow(path.join(server.dataDir, 'tmp'))).toEqual([])
  },
)

test.runIf(isNight)(
  'pictures and videos of the largest size, many at once, wait for each other [CNT-16]',
  async () => {
    const many = largest.flatMap((file) => Array.from({ length: 3 }, () => file))
    if (!ffmpegMissing) {
      const source = [...picture('size=1920x1080:rate=30'), ...tone(), '-preset', 'ultrafast', '-shortest']
      const long = folder.encode('long.mp4', ...source)
      const video: MatrixFile = { name: 'full HD', bytes: readFileSync(long), kind: 'video' }
      many.push(video, video)
    }
    const peaks = await peaksOf(async () => {
      for (const keys of await Promise.all(many.map(upload))) wanted.push(...keys)
    })
    expect(peaks.server).toBeLessThan(400 * megabyte)
    expect(peaks.all).toBeLessThan(1_000 * megabyte)
    await expect.poll(stored).toEqual(wanted.toSorted())
  },
)
