import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { deleteUnattachedMedia } from '#domain/content/media/delete.ts'
import { deleteAbandonedFiles, storeFiles } from '#domain/content/media/files.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { keyOfUrl, storedKeys, uploadForm } from '#test/client/upload.ts'

const app = useApp()
let png: Buffer
let alice: Person
let bob: Person

beforeAll(async () => {
  png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#a04020' } })
    .png()
    .toBuffer()
  alice = await app.person('alice')
  bob = await app.person('bob')
})

const send = (person: Client, fields?: Record<string, string>) =>
  person.post('/api/v2/media', uploadForm(png, fields))
const upload = async (person: Client, fields?: Record<string, string>): Promise<Json> =>
  (await send(person, fields)).ok()
const fileOf = (url: string) => app.fetch(new URL(url).pathname)
const keysOf = (media: Json) => [keyOfUrl(media.url), keyOfUrl(media.preview_url)]
const isStored = async (media: Json) => {
  const stored = await storedKeys(app.ctx)
  return keysOf(media).map((key) => stored.includes(key))
}
const statusOf = async (person: Client, media: Json) => (await person.get(`/api/v1/media/${media.id}`)).status

describe('a picture', () => {
  test('is ready in the answer, with what was said of it [4-33] [4-34] [2.2-21] [2.2-23]', async () => {
    const answer = await send(alice, { description: ' a cat ', focus: '-0.5,2' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      type: 'image',
      description: 'a cat',
      remote_url: null,
      meta: {
        original: { width: 80, height: 60, size: '80x60' },
        small: { width: 80, height: 60 },
        focus: { x: -0.5, y: 1 },
      },
    })
    expect(answer.body.blurhash).toMatch(/^.{20,}$/)
    for (const url of [answer.body.url, answer.body.preview_url]) {
      const file = await fileOf(url)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await sharp(Buffer.from(await file.arrayBuffer())).metadata()).width).toBe(80)
    }
    expect(await statusOf(alice, answer.body)).toBe(200)
  })

  test('is taken by the older route too', async () => {
    const answer = await alice.post('/api/v1/media', uploadForm(png))
    expect([answer.status, answer.body.type, answer.body.description]).toEqual([200, 'image', null])
    expect((await fileOf(answer.body.url)).status).toBe(200)
  })

  test('is taken in Base64, in every type of body [4-35]', async () => {
    const file = `data:image/png;base64,${png.toString('base64')}`
    for (const body of [{ file }, new URLSearchParams({ file })]) {
      expect((await alice.post('/api/v1/media', body)).ok()).toMatchObject({ type: 'image' })
    }
  })

  test('a focus that is none is left out; text that is too long is refused [CNT-20]', async () => {
    for (const focus of ['', 'x', '1', '1,2,3', 'NaN,0', '0,']) {
      expect((await upload(alice, { focus })).meta.focus).toBeUndefined()
    }
    const max = app.ctx.config.limits.mediaDescriptionCharacters
    const family = '👨‍👩‍👧‍👦'
    const description = family.repeat(20) + 'x'.repeat(max - 20)
    expect((await upload(alice, { description })).description).toBe(description)
    for (const long of [`${description}x`, `a${'\u0301'.repeat(200_000)}`]) {
      const answer = await send(alice, { description: long })
      expect(answer.status).toBe(422)
      expect(answer.body.error).toBe(
        'Validation failed: Description is too long (maximum is 1500 characters)',
      )
    }
  })

  test('without a file, or with something else, is refused and leaves nothing', async () => {
    const before = await storedKeys(app.ctx)
    expect((await alice.post('/api/v2/media', { description: 'x' })).status).toBe(422)
    expect((await alice.post('/api/v2/media', uploadForm(Buffer.from('<html>')))).status).toBe(422)
    expect((await alice.post('/api/v2/media', uploadForm(png.subarray(0, 60)))).status).toBe(422)
    await app.settle()
    await deleteAbandonedFiles(app.ctx)
    expect(await storedKeys(app.ctx)).toEqual(before)
    expect((await sql`select key from abandoned_files`.execute(app.ctx.db)).rows).toEqual([])
  })
})

describe('who may', () => {
  test('needs a token of a user with the scope', async () => {
    const media = await upload(alice)
    const reader = await app.withScopes(alice, ['read'])
    const writer = await app.withScopes(alice, ['write:media'])
    const machine = await app.application(['write'])
    for (const [client, status] of [
      [app.anonymous, 401],
      [reader, 403],
      [machine, 422],
    ] as const) {
      expect((await send(client)).status).toBe(status)
      expect((await client.post('/api/v1/media', uploadForm(png))).status).toBe(status)
      expect(await statusOf(client, media)).toBe(status)
      expect((await client.put(`/api/v1/media/${media.id}`, { description: 'x' })).status).toBe(status)
      expect((await client.delete(`/api/v1/media/${media.id}`)).status).toBe(status)
    }
    expect((await send(writer)).status).toBe(200)
    expect(await statusOf(writer, media)).toBe(200)
  })

  test("other people's are not found, nor can they be attached, changed or deleted [ACC-7]", async () => {
    const media = await upload(alice, { description: 'mine' })
    const path = `/api/v1/media/${media.id}`
    expect((await bob.get(path)).status).toBe(404)
    expect((await bob.put(path, { description: 'yours' })).status).toBe(404)
    expect((await bob.delete(path)).status).toBe(404)
    const taken = await bob.post('/api/v1/statuses', { status: 'x', media_ids: [media.id] })
    expect([taken.status, taken.body.error]).toEqual([
      422,
      'Media IDS not found or already attached to another post',
    ])
    expect((await alice.get(path)).ok().description).toBe('mine')
    for (const id of ['1', 'x', '999999999999999999']) {
      expect((await alice.get(`/api/v1/media/${id}`)).status).toBe(404)
      expect((await alice.delete(`/api/v1/media/${id}`)).status).toBe(404)
    }
  })

  test('names cannot be guessed: a long secret of its own for each file [ACC-21]', async () => {
    const media = await upload(alice)
    const secrets = keysOf(media).map((key) => /^media_attachments\/\d+\/([\w-]{43})\.png$/.exec(key)?.[1])
    expect(secrets.every(Boolean)).toBe(true)
    expect(secrets[0]).not.toBe(secrets[1])
  })
})

describe('changing', () => {
  test('description and focus, one without the other [4-36] [2.2-22]', async () => {
    const media = await upload(alice, { description: 'before', focus: '0.5,0.5' })
    const put = async (change: object) => (await alice.put(`/api/v1/media/${media.id}`, { ...change })).ok()
    expect(await put({ focus: '0,-1' })).toMatchObject({
      description: 'before',
      meta: { focus: { x: 0, y: -1 } },
    })
    expect(await put({ description: 'after' })).toMatchObject({
      description: 'after',
      meta: { focus: { x: 0, y: -1 } },
    })
    expect((await put({ description: '' })).description).toBeNull()
    const long = await alice.put(`/api/v1/media/${media.id}`, { description: 'x'.repeat(1501) })
    expect(long.status).toBe(422)
  })

  test('a picture stands for itself, whatever thumbnail comes along', async () => {
    const media = await upload(alice)
    const form = uploadForm(Buffer.from('no picture'), { description: 'x' })
    const thumbnail = new FormData()
    thumbnail.append('thumbnail', form.get('file') as Blob, 'x.png')
    const answer = (await alice.put(`/api/v1/media/${media.id}`, thumbnail)).ok()
    expect(answer.preview_url).toBe(media.preview_url)
  })

  test('one that a status carries is changed by editing the status: here it is not found', async () => {
    const media = await upload(alice)
    await alice.say('with', { media_ids: [media.id] })
    expect(await statusOf(alice, media)).toBe(404)
    expect((await alice.put(`/api/v1/media/${media.id}`, { description: 'x' })).status).toBe(404)
    const answer = await alice.delete(`/api/v1/media/${media.id}`)
    expect([answer.status, answer.body.error]).toEqual([
      422,
      'Media attachment is currently used by a status',
    ])
  })

  test('one that a scheduled status will carry can be changed, not deleted [4-37]', async () => {
    const media = await upload(alice)
    const at = new Date(app.clock.now() + hours(1)).toISOString()
    await alice.say('later', { media_ids: [media.id], scheduled_at: at })
    const changed = (await alice.put(`/api/v1/media/${media.id}`, { description: 'later' })).ok()
    expect(changed.description).toBe('later')
    expect(await statusOf(alice, media)).toBe(200)
    expect((await alice.delete(`/api/v1/media/${media.id}`)).status).toBe(422)
    const again = await alice.post('/api/v1/statuses', { status: 'now', media_ids: [media.id] })
    expect(again.status).toBe(422)
  })
})

describe('attaching', () => {
  test('keeps the order asked for, at most four, each once', async () => {
    const media = [await upload(alice), await upload(alice), await upload(alice), await upload(alice)]
    const ids = media.map((one) => one.id).toReversed()
    const fifth = await upload(alice)
    const many = await alice.post('/api/v1/statuses', { media_ids: [...ids, fifth.id] })
    expect([many.status, many.body.error]).toEqual([422, 'Cannot attach more than 4 files'])
    const status = await alice.say('', { media_ids: [...ids, ids[0]] })
    expect(status.media_attachments.map((one: Json) => one.id)).toEqual(ids)
    const seen = (await app.anonymous.get(`/api/v1/statuses/${status.id}`)).ok()
    expect(seen.media_attachments.map((one: Json) => one.url)).toEqual(
      media.map((one) => one.url).toReversed(),
    )
    const again = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [ids[0]] })
    expect(again.body.error).toBe('Media IDS not found or already attached to another post')
  })

  test('two statuses at once: one gets it', async () => {
    const media = await upload(alice)
    const both = await Promise.all(
      [1, 2].map((n) => alice.post('/api/v1/statuses', { status: `s${n}`, media_ids: [media.id] })),
    )
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 422])
  })

  test('a page with media takes as many queries whatever its length', async () => {
    const carol = await app.person('carol')
    const post = async () => carol.say('pic', { media_ids: [(await upload(carol)).id] })
    for (let i = 0; i < 3; i++) await post()
    const path = `/api/v1/accounts/${carol.accountId}/statuses`
    const countFor = async (limit: number) => {
      // What is kept of them rendered is not to be used.
      await sql`update statuses set version = version + 1`.execute(app.ctx.db)
      let page: Json[] = []
      const queries = await app.countQueries(async () => {
        page = (await app.anonymous.get(path, { limit })).ok()
      })
      expect(page.flatMap((status) => status.media_attachments)).toHaveLength(limit)
      return queries.length
    }
    const few = await countFor(3)
    for (let i = 0; i < 6; i++) await post()
    expect(await countFor(9)).toBe(few)
  })
})

describe('going', () => {
  test('DELETE removes it with its files', async () => {
    const media = await upload(alice)
    expect((await alice.delete(`/api/v1/media/${media.id}`)).ok()).toEqual({})
    await app.settle()
    expect(await isStored(media)).toEqual([false, false])
    expect((await fileOf(media.url)).status).toBe(404)
    expect(await statusOf(alice, media)).toBe(404)
  })

  test('what a deleted status carried can be used again for a day, and is purged then [ACC-20]', async () => {
    const [one, two] = [await upload(alice), await upload(alice)]
    const status = await alice.say('draft', { media_ids: [one.id, two.id] })
    app.clock.advance(days(3))
    const source = (await alice.delete(`/api/v1/statuses/${status.id}`)).ok()
    expect(source.media_attachments.map((media: Json) => media.id)).toEqual([one.id, two.id])
    app.clock.advance(hours(23))
    expect(await deleteUnattachedMedia(app.ctx)).toBeGreaterThanOrEqual(0)
    const again = await alice.say('again', { media_ids: [one.id] })
    expect(again.media_attachments[0].url).toBe(one.url)
    app.clock.advance(hours(2))
    await deleteUnattachedMedia(app.ctx)
    await app.settle()
    expect([await isStored(one), await isStored(two)]).toEqual([
      [true, true],
      [false, false],
    ])
    expect((await fileOf(two.url)).status).toBe(404)
  })

  test('delete_media takes the files along at once [ACC-20]', async () => {
    const media = await upload(alice)
    const status = await alice.say('gone', { media_ids: [media.id] })
    await alice.delete(`/api/v1/statuses/${status.id}?delete_media=true`)
    expect(await statusOf(alice, media)).toBe(404)
    await app.settle()
    expect(await isStored(media)).toEqual([false, false])
  })

  test('what an edit took out stays while the status lives, and goes with it', async () => {
    const [one, two] = [await upload(alice), await upload(alice)]
    const status = await alice.say('two', { media_ids: [one.id, two.id] })
    app.clock.advance(1_000)
    const edited = await alice.put(`/api/v1/statuses/${status.id}`, { status: 'one', media_ids: [two.id] })
    expect(edited.ok().media_attachments.map((media: Json) => media.id)).toEqual([two.id])
    app.clock.advance(days(2))
    await deleteUnattachedMedia(app.ctx)
    await app.settle()
    expect(await isStored(one)).toEqual([true, true])
    await alice.delete(`/api/v1/statuses/${status.id}?delete_media=1`)
    await app.settle()
    expect([await isStored(one), await isStored(two)]).toEqual([
      [false, false],
      [false, false],
    ])
  })

  test('all of an account, with its row: [ACC-17] [ACC-20]', async () => {
    const emil = await app.person('emil')
    const his = await upload(emil)
    await sql`delete from accounts where id = ${emil.accountId}`.execute(app.ctx.db)
    await deleteAbandonedFiles(app.ctx)
    expect(await isStored(his)).toEqual([false, false])
  })

  test('a process that dies while it stores leaves nothing for longer than a day', async () => {
    const key = 'media_attachments/1/half.png'
    const source = path.join(app.ctx.config.dataDir, 'half')
    await writeFile(source, png)
    const [stored, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
    const file = { key, path: source, contentType: 'image/png' }
    const work = () => {
      stored.resolve()
      return dead.promise
    }
    void storeFiles(app.ctx, [file], work).catch(() => {})
    await stored.promise
    expect(await storedKeys(app.ctx)).toContain(key)
    dead.reject(new Error('over'))
    await expect
      .poll(async () => {
        await deleteAbandonedFiles(app.ctx)
        return storedKeys(app.ctx)
      })
      .not.toContain(key)
    await sql`insert into abandoned_files values (${key}, ${new Date(app.clock.now() + days(1))})`.execute(
      app.ctx.db,
    )
    await app.ctx.storage.put(key, { path: source }, { contentType: 'image/png' })
    await deleteAbandonedFiles(app.ctx)
    expect(await storedKeys(app.ctx)).toContain(key)
    app.clock.advance(days(1) + 1)
    await deleteAbandonedFiles(app.ctx)
    expect(await storedKeys(app.ctx)).not.toContain(key)
  })
})
