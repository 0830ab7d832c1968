// The upload matrix: what becomes of every kind of file, and what is written meanwhile.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAbandonedFiles } from '#domain/content/media/files.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { ffmpegMissing, useFolder } from '#test/files/media-files.ts'
import { costsNoMore, passedTime } from '#test/client/growth-of-requests.ts'
import type { Person } from '#test/people/people.ts'
import {
  videos,
  hostileImages,
  hugeBase64,
  lists,
  pictures,
  secret,
  type MatrixFile,
} from '#test/files/upload-matrix.ts'
import { isNight } from '#test/run/night.ts'
import { filesBelow, keyOfUrl, uploadForm } from '#test/client/upload.ts'

/** As much less than the limits that there are as the bodies below. */
const app = useApp({ env: { MAX_IMAGE_BYTES: String(2 ** 22), MAX_VIDEO_BYTES: String(2 ** 23) } })
const folder = useFolder()
let eve: Person
let connections = 0
const remote = createServer((socket) => {
  connections++
  socket.destroy()
})

beforeAll(async () => {
  eve = await app.person('eve')
  await once(remote.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => new Promise((resolve) => void remote.close(resolve)))

const everything = () => filesBelow(app.ctx.config.dataDir)
const allowedTypes = /^(image\/(png|jpeg|gif|webp|avif)|video\/mp4|audio\/mpeg)$/
const accepted = [
  '*/*',
  'text/html',
  'application/activity+json',
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  'application/json',
  'image/svg+xml',
]

/** Uploads a file under both names of the API; the attachment that each became, or null. */
async function hand(file: MatrixFile, version: 1 | 2): Promise<Json | null> {
  const sending = eve.post(`/api/v${version}/media`, uploadForm(file.bytes))
  let isDone = false
  void sending.finally(() => (isDone = true)).catch(() => {})
  // The older route waits for the worker.
  while (version === 1 && !isDone) await app.settle()
  const answer = await sending
  if (answer.status === 422) {
    expect(answer.body.error).toMatch(/\S/)
    return null
  }
  expect([200, 202]).toContain(answer.status)
  await app.settle()
  const ready = await eve.get(`/api/v1/media/${answer.body.id}`)
  return ready.status === 200 ? ready.body : null
}

/** What a stranger gets at an address: always the same picture, sound or film, and nothing of what was hidden. */
async function serve(url: string): Promise<Buffer> {
  let first: Buffer | undefined
  for (const accept of accepted) {
    const answer = await app.fetch(new URL(url).pathname, { headers: { accept } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(allowedTypes)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const bytes = Buffer.from(await answer.arrayBuffer())
    first ??= bytes
    expect(bytes.equals(first)).toBe(true)
  }
  const bytes = first as Buffer
  for (const text of [secret, '<script', 'activitystreams']) expect(bytes.includes(text)).toBe(false)
  return bytes
}

/** Hands in a file and checks its answer, what is served, and that nothing else has been written. */
async function check(file: MatrixFile, version: 1 | 2 = 2): Promise<Json | null> {
  const before = await everything()
  const media = await hand(file, version)
  expect(media?.type ?? null).toBe(file.kind)
  await app.settle()
  await deleteAbandonedFiles(app.ctx)
  const wanted = media ? [media.url, media.preview_url].filter((url) => url !== null) : []
  const added = new Set(await everything()).difference(new Set(before))
  expect([...added].toSorted()).toEqual(wanted.map((url) => `media/${keyOfUrl(url)}`).toSorted())
  for (const url of wanted) await serve(url)
  return media
}

describe('pictures are made anew [CNT-11] [CNT-12] [CNT-15]', async () => {
  test.each(await pictures())('$name', async (file) => {
    const media = await check(file)
    expect([media.meta.original.width, media.meta.original.height]).toEqual(file.size)
    for (const url of [media.url, media.preview_url]) {
      const { exif, xmp, orientation, width, height } = await sharp(await serve(url)).metadata()
      expect({ exif, xmp, orientation }).toEqual({})
      expect([width, height]).toEqual(file.size)
    }
  })
})

test('the files that are taken do hold what must not be served', async () => {
  const holding = (await pictures()).filter((file) => file.bytes.includes(secret))
  expect(holding.map((file) => file.name)).toEqual([
    'JPEG, turned, with a position',
    'PNG with transparency',
    'WebP',
    'AVIF',
    'JPEG with a page behind it',
    'PNG with a page behind it',
    'PNG with a message in it',
  ])
})

describe('what is no picture, or too much of one, is refused quickly [CNT-11] [CNT-16]', async () => {
  const [usual] = await pictures()
  test.each(await hostileImages())('$name', async (file) => {
    const asUsual = await costsNoMore(
      async () => void [await check(file), await check(file, 1)],
      async () => void [await check(usual!), await check(usual!, 1)],
      { max: 10, now: passedTime, little: 1_000 },
    )
    expect(asUsual).toBe(true)
  })
})

describe.skipIf(ffmpegMissing)('videos and sounds are made anew [CNT-12] [CNT-15]', async () => {
  test.each(ffmpegMissing ? [] : await videos(folder))('$name', async (file) => {
    expect(file.bytes.includes(secret)).toBe(file.name.startsWith('M') || file.kind === 'audio')
    const media = await check(file)
    const { width, height } = media?.meta.original ?? {}
    expect([width, height]).toEqual(file.size ?? [width, height])
    expect(Boolean(media?.preview_url)).toBe(file.hasPreview ?? false)
    // The older route: a film, a sound, and what is neither.
    if (isNight || !file.hasPreview) await check(file, 1)
  })
})

test('what names other files is refused; none is read, and nothing is asked [CNT-14] [CNT-17]', async () => {
  const { port } = remote.address() as AddressInfo
  for (const file of lists(`http://127.0.0.1:${port}/a.ts`)) await check(file)
  expect(connections).toBe(0)
})

describe('names of files and parts [CNT-18]', () => {
  const names = ['../../../x.png', '/etc/passwd', 'C:\\x', '..', 'a\0b.png', 'x'.repeat(5_000), 'page.html']

  test.each(names)('%j is never the name of anything', async (name) => {
    const before = await everything()
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new File([new Uint8Array(bytes)], name, { type: 'text/html' }))
    const answer = await eve.post('/api/v2/media', form)
    expect([200, 400, 422]).toContain(answer.status)
    const added = new Set(await everything()).difference(new Set(before))
    expect(added.size).toBe(answer.status === 200 ? 2 : 0)
    for (const key of added) expect(key).toMatch(/^media\/media_attachments\/\d+\/[\w-]{43}\.png$/)
  })

  test('two files, or a file where a text belongs, are no problem', async () => {
    const form = uploadForm(Buffer.from('x'), { description: Buffer.from('y'), focus: Buffer.from('z') })
    form.append('file', new Blob(['w']), 'w')
    expect((await eve.post('/api/v2/media', form)).status).toBe(422)
    expect(await filesBelow(`${app.ctx.config.dataDir}/tmp`)).toEqual([])
  })
})

test('a picture in Base64 that is larger than pictures may be is refused [CNT-20]', async () => {
  const before = await everything()
  const answer = await app.fetch('/api/v2/media', {
    method: 'POST',
    headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
    body: hugeBase64(8),
    duplex: 'half',
  } as RequestInit)
  expect([answer.status, ((await answer.json()) as Json).error]).toEqual([
    422,
    'Validation failed: File must be less than 4 MB',
  ])
  expect(await everything()).toEqual(before)
})

test('more than any file may have is not read to its end [CNT-20]', async () => {
  const small = { 'content-type': 'application/json', authorization: `Bearer ${eve.token}` }
  const answer = await app.fetch('/api/v2/media', {
    method: 'POST',
    headers: small,
    body: hugeBase64(20),
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(413)
  expect(await filesBelow(`${app.ctx.config.dataDir}/tmp`)).toEqual([])
})

test('a picture that stands for something is read no further than pictures may be [CNT-20]', async () => {
  const { id } = await eve.say('to be edited')
  const { id: mediaId } = (await eve.post('/api/v2/media', uploadForm(await dot()))).ok()
  for (const path of [`/api/v1/media/${mediaId}`, `/api/v1/statuses/${id}`]) {
    const answer = await app.fetch(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${eve.token}` },
      body: hugeBase64(15),
      duplex: 'half',
    } as RequestInit)
    expect([path, answer.status]).toEqual([path, 413])
  }
  expect(await filesBelow(`${app.ctx.config.dataDir}/tmp`)).toEqual([])
})

const dot = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
