// What is not ready at once: films, sounds and animations.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { processMedia } from '#domain/content/media/process.ts'
import { unavailable } from '#lib/errors.ts'
import { useApp } from '#test/app/app.ts'
import type { Answer, Json } from '#test/client/client.ts'
import { ffmpegMissing, picture, tinyGif, tone, useFolder } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { filesBelow, keyOfUrl, storedKeys, uploadForm } from '#test/client/upload.ts'
import { asId, type MediaId } from '#lib/id.ts'

const app = useApp()
const folder = useFolder()
let alice: Person
let video: Buffer
let sound: Buffer
let png: Buffer

beforeAll(async () => {
  alice = await app.person('alice')
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#105090' } })
    .png()
    .toBuffer()
  if (ffmpegMissing) return
  video = readFileSync(folder.encode('film.mp4', ...picture(), ...tone(), '-pix_fmt', 'yuv420p', '-shortest'))
  sound = readFileSync(folder.encode('sound.wav', ...tone()))
})

beforeEach(({ skip }) => skip(ffmpegMissing !== null, ffmpegMissing ?? ''))

const send = (bytes: Buffer, fields: Record<string, string | Buffer> = {}) =>
  alice.post('/api/v2/media', uploadForm(bytes, fields))
const get = (media: Json) => alice.get(`/api/v1/media/${media.id}`)
const leftInTmp = async () => filesBelow(`${app.ctx.config.dataDir}/tmp`)
const rowOf = async (id: string) =>
  (
    await sql<{ state: string; attempts: number; upload_key: string | null; error: string | null }>`
      select state, attempts, upload_key, error from media_attachments where id = ${id}`.execute(app.ctx.db)
  ).rows[0]!

describe('a video', () => {
  test('is accepted with 202 and no url; 206 until it is ready, then 200', async () => {
    const answer = await send(video, { description: 'moving', focus: '0,1' })
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ type: 'video', url: null, preview_url: null, description: 'moving' })
    const waiting = await get(answer.body)
    expect([waiting.status, waiting.body.url, waiting.body.meta]).toEqual([206, null, answer.body.meta])
    const early = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [answer.body.id] })
    expect([early.status, early.body.error]).toEqual([
      422,
      'Cannot attach files that have not finished processing. Try again in a moment!',
    ])
    await app.settle()
    const ready = await get(answer.body)
    expect(ready.status).toBe(200)
    expect(ready.body).toMatchObject({
      id: answer.body.id,
      type: 'video',
      description: 'moving',
      meta: {
        focus: { x: 0, y: 1 },
        original: { width: 320, height: 240, frame_rate: '25/1' },
        audio_encode: expect.any(String),
      },
    })
    expect(ready.body.blurhash).toMatch(/^.{20,}$/)
    const file = await app.fetch(new URL(ready.body.url).pathname)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    await file.body?.cancel()
    const status = await alice.say('', { media_ids: [answer.body.id] })
    expect(status.media_attachments[0].url).toBe(ready.body.url)
  })

  test('is told with its 202 as far as its header says what it is', async () => {
    const uploaded = (await send(video)).body
    expect(uploaded.meta.original).toEqual({
      width: 320,
      height: 240,
      frame_rate: '25/1',
      duration: expect.closeTo(1, 0),
      bitrate: expect.any(Number),
    })
    expect(uploaded.meta).toMatchObject({
      length: expect.any(String),
      fps: 25,
      aspect: 320 / 240,
      size: '320x240',
    })
    const audio = (await send(sound)).body
    expect(audio.meta.original).toEqual({
      duration: expect.closeTo(1, 0),
      bitrate: expect.any(Number),
    })
    const animation = (await send(tinyGif(3))).body
    expect(animation.meta.original).toEqual({ width: expect.any(Number), height: expect.any(Number) })
    await app.settle()
    const ready = (await get(uploaded)).ok().meta.original
    expect([ready.width, ready.height, ready.frame_rate]).toEqual([320, 240, '25/1'])
  })

  test('stands alone in a status; pictures and silent videos go together', async () => {
    const moving = (await send(video)).ok()
    const image = (await send(png)).ok()
    const gif = (await send(tinyGif(3))).ok()
    await app.settle()
    const mixed = await alice.post('/api/v1/statuses', { media_ids: [image.id, moving.id] })
    expect([mixed.status, mixed.body.error]).toEqual([
      422,
      'Cannot attach a video to a post that already contains images',
    ])
    const both = await alice.say('', { media_ids: [image.id, gif.id] })
    expect(both.media_attachments.map((media: Json) => media.type)).toEqual(['image', 'gifv'])
  })

  test('that was uploaded is never served as it came, and is gone once it is ready', async () => {
    const { id } = (await send(video)).ok()
    const { upload_key: key } = await rowOf(id)
    expect(key).toMatch(/^uploads\/[\w-]{43}\.bin$/)
    expect(await storedKeys(app.ctx)).toContain(key)
    for (const name of [key, `./${key}`, key?.replace('/', '%2f'), `x/../${key}`]) {
      expect((await app.fetch(`/media/${name}`)).status).toBe(404)
    }
    await app.settle()
    expect(await storedKeys(app.ctx)).not.toContain(key)
    expect(await leftInTmp()).toEqual([])
  })

  test('is waited for by the older route', async () => {
    let answer: Answer | undefined
    const posting = alice.post('/api/v1/media', uploadForm(video)).then((given) => (answer = given))
    while (!answer) await app.settle()
    await posting
    expect([answer.status, answer.body.type]).toEqual([200, 'video'])
    expect(answer.body.url).toMatch(/\.mp4$/)
  })

  test('has the thumbnail that came with it, or that was chosen later [2.2-24]', async () => {
    const answer = await send(video, { thumbnail: png })
    expect([answer.status, answer.body.url]).toEqual([202, null])
    const chosen = answer.body.preview_url
    await app.settle()
    const ready = (await get(answer.body)).ok()
    expect([ready.preview_url, ready.meta.small.width]).toEqual([chosen, 64])
    expect(ready.meta.colors).toEqual(answer.body.meta.colors)
    const color = expect.stringMatching(/^#[0-9a-f]{6}$/)
    expect(ready.meta.colors).toEqual({ background: color, foreground: color, accent: color })
    const form = new FormData()
    const wide = await sharp({ create: { width: 90, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    form.append('thumbnail', new Blob([new Uint8Array(wide)]), 'wide.png')
    const changed = (await alice.put(`/api/v1/media/${answer.body.id}`, form)).ok()
    expect([changed.meta.small.width, changed.preview_url === chosen]).toEqual([90, false])
    expect(changed.meta.colors.background).toBe('#f3f3f3')
    await app.settle()
    expect(await storedKeys(app.ctx)).not.toContain(keyOfUrl(chosen))
    const broken = new FormData()
    broken.append('thumbnail', new Blob(['<svg/>']), 'x.png')
    expect((await alice.put(`/api/v1/media/${answer.body.id}`, broken)).status).toBe(422)
    expect((await get(answer.body)).ok().preview_url).toBe(changed.preview_url)
  })

  test('deleted while it waits, or while it is converted, is gone with all its files', async () => {
    const before = await storedKeys(app.ctx)
    const early = (await send(video)).ok()
    await alice.delete(`/api/v1/media/${early.id}`)
    const late = (await send(video)).ok()
    await Promise.all([
      processMedia(app.ctx, asId<MediaId>(late.id)),
      alice.delete(`/api/v1/media/${late.id}`),
    ])
    await app.settle()
    expect([await storedKeys(app.ctx), await leftInTmp()]).toEqual([before, []])
  })
})

test('a sound is ready after a while, with the cover it was given [2.2-24]', async () => {
  const plain = (await send(sound)).ok()
  const covered = (await send(sound, { thumbnail: png })).ok()
  await app.settle()
  expect((await get(plain)).ok()).toMatchObject({ type: 'audio', preview_url: null, blurhash: null })
  expect((await get(plain)).ok().meta).not.toHaveProperty('colors')
  expect((await get(covered)).ok().meta.colors.background).toMatch(/^#/)
  const ready = (await get(covered)).ok()
  expect(ready.meta.original.duration).toBeCloseTo(1, 0)
  expect(ready.url).toMatch(/\.mp3$/)
  expect(ready.preview_url).toMatch(/\.png$/)
})

describe('what fails', () => {
  /** A film whose header is right, and whose pictures cannot be decoded. */
  const broken = () => {
    const bytes = Buffer.from(video)
    const start = bytes.indexOf('mdat') + 4
    return bytes.fill(0xff, start, start + bytes.readUInt32BE(start - 8) - 8)
  }

  test('answers 422 with what is wrong, and nothing is left of it', async () => {
    const before = await storedKeys(app.ctx)
    const answer = await send(broken())
    expect(answer.status).toBe(202)
    await app.settle()
    const failed = await get(answer.body)
    expect([failed.status, failed.body.error]).toEqual([422, expect.stringMatching(/\S/)])
    expect((await alice.put(`/api/v1/media/${answer.body.id}`, { description: 'x' })).status).toBe(422)
    const status = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [answer.body.id] })
    expect(status.status).toBe(422)
    expect((await alice.delete(`/api/v1/media/${answer.body.id}`)).status).toBe(200)
    await app.settle()
    expect([await storedKeys(app.ctx), await leftInTmp()]).toEqual([before, []])
  })

  test('a file that ends the process each time is given up; the others go on [ROB-20]', async () => {
    const deadly = (await send(video)).ok()
    const harmless = (await send(video)).ok()
    // The process ended after it had begun, three times.
    await sql`
      update media_attachments set state = 'in_progress', attempts = 3 where id = ${deadly.id}`.execute(
      app.ctx.db,
    )
    await app.settle()
    expect((await get(deadly)).status).toBe(422)
    expect(await rowOf(deadly.id)).toMatchObject({ state: 'failed', upload_key: null })
    expect((await get(harmless)).status).toBe(200)
    expect(app.logLines.filter((line) => line.level === 'error')).toHaveLength(1)
  })

  test('through no fault of the file is tried again, and does not count against it', async () => {
    const { id } = (await send(video)).ok()
    const busy = {
      ...app.ctx,
      media: { ...app.ctx.media, process: () => Promise.reject(unavailable()) },
    }
    for (let i = 0; i < 6; i++)
      await expect(processMedia(busy, asId<MediaId>(id))).rejects.toThrow('could not be fetched')
    expect(await rowOf(id)).toMatchObject({ state: 'in_progress', attempts: 0 })
    await app.settle()
    expect((await get({ id })).status).toBe(200)
  })

  test('twice at once and once more leaves one set of files', async () => {
    const { id } = (await send(video)).ok()
    const before = (await storedKeys(app.ctx)).length
    await Promise.all([processMedia(app.ctx, asId<MediaId>(id)), processMedia(app.ctx, asId<MediaId>(id))])
    await processMedia(app.ctx, asId<MediaId>(id))
    await app.settle()
    expect((await storedKeys(app.ctx)).length).toBe(before + 1)
    expect((await get({ id })).status).toBe(200)
  })
})
