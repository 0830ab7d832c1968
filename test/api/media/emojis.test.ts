import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createGzip, gzipSync } from 'node:zlib'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmoji } from '#domain/server/instance/emojis/create-emoji.ts'
import { deleteEmoji, purgeEmojis } from '#domain/server/instance/emojis/delete-emojis.ts'
import { exportEmojis } from '#domain/server/instance/emojis/export-emojis.ts'
import { importEmojis, type ImportOptions } from '#domain/server/instance/emojis/import-emojis.ts'
import { updateEmoji } from '#domain/server/instance/emojis/update-emoji.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { asId, type CustomEmojiId, type DomainBlockId } from '#lib/id.ts'

const app = useApp()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stonechat-emojis-'))
})
afterAll(() => rm(folder, { recursive: true }))

const picture = (colour: string, width = 64, height = 32) =>
  sharp({ create: { width, height, channels: 4, background: colour } })

const png = (colour = '#ff0000') => picture(colour).png().toBuffer()

function gif(): Promise<Buffer> {
  const raw = Buffer.concat([Buffer.alloc(20 * 20 * 3, 10), Buffer.alloc(20 * 20 * 3, 200)])
  return sharp(raw, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
    .gif()
    .toBuffer()
}

interface Entry {
  name: string
  body?: Buffer
  type?: 'file' | 'directory' | 'symlink' | 'link' | 'character-device' | 'fifo'
  linkname?: string
}

let made = 0
const newPath = (extension = 'tar.gz') => path.join(folder, `${++made}.${extension}`)

async function archiveOf(entries: readonly Entry[]): Promise<string> {
  const target = newPath()
  const archive = pack()
  for (const { body, ...header } of entries) archive.entry(header, body ?? Buffer.alloc(0))
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(target))
  return target
}

const fileOf = async (bytes: Buffer) => {
  const target = newPath('png')
  await writeFile(target, bytes)
  return target
}

/** Imports files under names that no other test has; answers their result. */
async function importOf(entries: readonly Entry[], options?: ImportOptions) {
  const result = await importEmojis(app.ctx, 'operator', await archiveOf(entries), options)
  await app.settle()
  return result
}

const listed = async (): Promise<Json[]> => (await app.anonymous.get('/api/v1/custom_emojis')).ok()
const find = async (shortcode: string) => (await listed()).find((emoji) => emoji.shortcode === shortcode)
const statusOf = async (url: string) => (await app.fetch(new URL(url).pathname)).status
const bytesOf = async (url: string) =>
  Buffer.from(await (await app.fetch(new URL(url).pathname)).arrayBuffer())
const storedFiles = async () =>
  (
    await readdir(path.join(app.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
  )
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()

describe('an imported archive', () => {
  test('becomes emoji, listed with their category and used in posts and names', async () => {
    const alice = await app.person('alice')
    const before = await alice.say('before :blob_cat:')
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice :blob_cat:' })
    expect((await alice.get(`/api/v1/statuses/${before.id}`)).ok().emojis).toEqual([])
    const entries = [
      { name: 'pack/', type: 'directory' as const },
      { name: 'pack/blob_cat.png', body: await png() },
      { name: 'pack/party.GIF', body: await gif() },
      { name: 'pack/README.md', body: Buffer.from('hello') },
    ]
    expect(await importOf(entries, { category: ' Cats ' })).toMatchObject({
      imported: 2,
      skipped: 0,
      failed: 0,
    })
    const cat = await find('blob_cat')
    expect(cat).toEqual({
      shortcode: 'blob_cat',
      url: expect.stringMatching(/^https:\/\/chat\.example\/media\/emojis\/\d+\/[\w-]{43}\.png$/),
      static_url: cat.url,
      visible_in_picker: true,
      category: 'Cats',
    })
    const after = await alice.say('after :blob_cat: :party: :blob_cat:')
    expect(after.emojis).toEqual([cat, await find('party')])
    // What was rendered before shows it too: the account, the old post, and both names.
    const old = (await app.anonymous.get(`/api/v1/statuses/${before.id}`)).ok()
    expect([old.emojis, old.account.emojis]).toEqual([[cat], [cat]])
    const account = (await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok()
    expect(account.emojis).toEqual([cat])
  })

  test('keeps the proportions of pictures, makes none larger, and gives animations a still copy', async () => {
    await importOf([
      { name: 'wide.png', body: await picture('#00ff00', 100, 20).png().toBuffer() },
      { name: 'huge.png', body: await picture('#00ff00', 1000, 500).png().toBuffer() },
      { name: 'moving.gif', body: await gif() },
    ])
    const sizeOf = async (url: string) => {
      const { width, height, pages, format } = await sharp(await bytesOf(url)).metadata()
      return { width, height, pages, format }
    }
    expect(await sizeOf((await find('wide')).url)).toMatchObject({ width: 100, height: 20, format: 'png' })
    expect(await sizeOf((await find('huge')).url)).toMatchObject({ width: 512, height: 256 })
    const moving = await find('moving')
    expect(await sizeOf(moving.url)).toMatchObject({ format: 'gif', pages: 2 })
    expect(await sizeOf(moving.static_url)).toMatchObject({ format: 'png', width: 20, height: 20 })
  })

  test('unlisted ones are not offered, but shown where they are written', async () => {
    const alice = await app.person('alice')
    await importOf([{ name: 'quiet.png', body: await png() }], { unlisted: true })
    expect(await find('quiet')).toBeUndefined()
    const said = await alice.say('a :quiet: word')
    expect(said.emojis).toMatchObject([{ shortcode: 'quiet', visible_in_picker: false, category: null }])
  })

  test('names get a prefix and a suffix', async () => {
    await importOf([{ name: 'x.png', body: await png() }], { prefix: 'pre_', suffix: '_2' })
    expect(await find('pre_x_2')).toBeDefined()
  })

  test('those that are there are skipped, or replaced everywhere when asked', async () => {
    const alice = await app.person('alice')
    await importOf([{ name: 'twice.gif', body: await gif() }])
    const first = await find('twice')
    const said = await alice.say('again :twice:')
    const entries = [{ name: 'Twice.png', body: await png('#0000ff') }]
    expect(await importOf(entries)).toMatchObject({ imported: 0, skipped: 1 })
    expect(await find('twice')).toEqual(first)
    expect(await importOf(entries, { overwrite: true, category: 'New' })).toMatchObject({
      imported: 1,
      skipped: 0,
    })
    const second = await find('twice')
    expect(second).toMatchObject({ category: 'New' })
    expect(second.url).not.toBe(first.url)
    expect((await alice.get(`/api/v1/statuses/${said.id}`)).ok().emojis).toEqual([second])
    expect(await Promise.all([first.url, first.static_url, second.url].map(statusOf))).toEqual([
      404, 404, 200,
    ])
    expect((await listed()).filter((emoji) => /^twice$/i.test(emoji.shortcode))).toHaveLength(1)
  })

  test('of many emoji is written in few steps, and each is there', async () => {
    const body = await png()
    const names = Array.from({ length: 120 }, (_, i) => `many_${i}`)
    const result = await importOf(names.map((name) => ({ name: `${name}.png`, body })))
    expect(result.imported).toBe(120)
    const known = new Set((await listed()).map((emoji) => emoji.shortcode))
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })
})

describe('hostile archives', () => {
  test('paths to elsewhere, odd names, links and devices make nothing, least of all files [CNT-10] [CNT-19]', async () => {
    const body = await png()
    const before = await storedFiles()
    const outside = await readdir(tmpdir())
    const result = await importOf([
      { name: '../escape.png', body },
      { name: 'a/../../escape.png', body },
      { name: '/tmp/absolute.png', body },
      { name: 'C:\\escape.png', body },
      { name: 'c:escape.png', body },
      { name: 'a\\..\\escape.png', body },
      { name: 'sp ace.png', body },
      { name: 'x.png', body },
      { name: 'with-dash.png', body },
      { name: '💥💥.png', body },
      { name: `${'x'.repeat(129)}.png`, body },
      { name: '._shadow.png', body },
      { name: '__MACOSX/shadow.png', body },
      { name: '.hidden.png', body },
      { name: '.png', body },
      { name: 'link_to.png', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'hard_link.png', type: 'link', linkname: '/etc/passwd' },
      { name: 'device.png', type: 'character-device' },
      { name: 'pipe.png', type: 'fifo' },
      { name: 'folder.png', type: 'directory' },
    ])
    expect(result).toMatchObject({ imported: 0, skipped: 0, failed: 11 })
    expect(result.problems.every(({ reason }) => reason === 'no name for an emoji')).toBe(true)
    expect(await storedFiles()).toEqual(before)
    expect(
      (await readdir(tmpdir())).filter((name) => !outside.includes(name) && /escape|absolute/.test(name)),
    ).toEqual([])
    expect((await listed()).some((emoji) => /escape|shadow|link|device/.test(emoji.shortcode))).toBe(false)
  })

  test('prefix and suffix cannot make a name that is none [CNT-10]', async () => {
    const entries = [{ name: 'fine.png', body: await png() }]
    expect(await importOf(entries, { prefix: '../' })).toMatchObject({ imported: 0, failed: 1 })
    expect(await importOf(entries, { suffix: '/x' })).toMatchObject({ imported: 0, failed: 1 })
  })

  test('what is no picture, broken or too large fails alone [CNT-19]', async () => {
    const bomb = Buffer.from(await png())
    bomb.writeUInt32BE(50_000, 16)
    bomb.writeUInt32BE(50_000, 20)
    const before = await storedFiles()
    const result = await importOf([
      { name: 'text.png', body: Buffer.from('<!doctype html>') },
      { name: 'svg.png', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { name: 'cut.png', body: (await png()).subarray(0, 60) },
      { name: 'bomb.png', body: bomb },
      { name: 'large.png', body: Buffer.alloc(app.ctx.config.limits.emojiBytes + 1) },
      { name: 'empty.png' },
      { name: 'survivor.png', body: await png() },
    ])
    expect(result).toMatchObject({ imported: 1, failed: 6 })
    expect(await find('survivor')).toBeDefined()
    expect((await storedFiles()).length).toBe(before.length + 1)
  })

  test('what is no archive is refused with a reason, and a cut one leaves no files that nothing names', async () => {
    const before = await storedFiles()
    const body = await png()
    const whole = await readFile(await archiveOf([1, 2, 3].map((i) => ({ name: `cut_${i}.png`, body }))))
    const cases: [Buffer, RegExp][] = [
      [Buffer.from('no archive at all'), /not a whole \.tar\.gz archive/],
      [Buffer.alloc(0), /not a whole/],
      [gzipSync(Buffer.alloc(5000, 'x')), /not a whole/],
      [whole.subarray(0, whole.length - 30), /not a whole/],
    ]
    for (const [bytes, message] of cases) {
      const target = await fileOf(bytes)
      await expect(importEmojis(app.ctx, 'operator', target)).rejects.toMatchObject({
        code: 'invalid',
        message,
      })
    }
    await expect(importEmojis(app.ctx, 'operator', path.join(folder, 'missing'))).rejects.toMatchObject({
      message: expect.stringContaining('ENOENT'),
    })
    await expect(importEmojis(app.ctx, 'operator', folder)).rejects.toMatchObject({ code: 'EISDIR' })
    expect(await storedFiles()).toEqual(before)
  })
})

describe('one emoji', () => {
  test('is made, changed and deleted, and what shows it follows', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('look :single:', { spoiler_text: ':single:' })
    const emojis = async () => (await alice.get(`/api/v1/statuses/${said.id}`)).ok().emojis
    const id = await createEmoji(app.ctx, 'operator', {
      shortcode: 'single',
      path: await fileOf(await png()),
    })
    await app.settle()
    const first = await find('single')
    expect(await emojis()).toEqual([first])
    await updateEmoji(app.ctx, 'operator', id, { category: 'Mine', visibleInPicker: false })
    await app.settle()
    expect(await emojis()).toEqual([{ ...first, category: 'Mine', visible_in_picker: false }])
    await updateEmoji(app.ctx, 'operator', id, { path: await fileOf(await gif()), visibleInPicker: true })
    await app.settle()
    const second = await find('single')
    expect(second).toMatchObject({ category: 'Mine' })
    expect([await statusOf(first.url), await statusOf(second.url)]).toEqual([404, 200])
    await updateEmoji(app.ctx, 'operator', id, { disabled: true })
    await app.settle()
    expect([await emojis(), await find('single')]).toEqual([[], undefined])
    await updateEmoji(app.ctx, 'operator', id, { disabled: false })
    await deleteEmoji(app.ctx, 'operator', id)
    await app.settle()
    expect([await emojis(), await statusOf(second.url), await statusOf(second.static_url)]).toEqual([
      [],
      404,
      404,
    ])
    await expect(deleteEmoji(app.ctx, 'operator', id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(updateEmoji(app.ctx, 'operator', id, { category: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('with a bad name, a taken one, or a bad picture is refused, and leaves no file', async () => {
    await createEmoji(app.ctx, 'operator', { shortcode: 'taken', path: await fileOf(await png()) })
    const before = await storedFiles()
    const good = await fileOf(await png())
    for (const shortcode of ['taken', 'TAKEN', 'a', '', 'a-b', '../ab', 'a b', 'x'.repeat(129)]) {
      await expect(createEmoji(app.ctx, 'operator', { shortcode, path: good })).rejects.toMatchObject({
        code: 'invalid',
      })
    }
    for (const bytes of [Buffer.from('no'), Buffer.alloc(app.ctx.config.limits.emojiBytes + 1)]) {
      const bad = await fileOf(bytes)
      await expect(
        createEmoji(app.ctx, 'operator', { shortcode: 'unseen', path: bad }),
      ).rejects.toMatchObject({
        code: 'invalid',
      })
    }
    expect(await storedFiles()).toEqual(before)
  })
})

test('an export is what an import reads', async () => {
  await importOf(
    [
      { name: 'out_1.png', body: await png() },
      { name: 'out_2.gif', body: await gif() },
    ],
    { category: 'Out' },
  )
  const directory = path.join(folder, 'exported')
  expect(await exportEmojis(app.ctx, directory, { category: 'Out' })).toEqual({
    path: path.join(directory, 'export.tar.gz'),
    count: 2,
  })
  await expect(exportEmojis(app.ctx, directory)).rejects.toMatchObject({ code: 'conflict' })
  const all = await exportEmojis(app.ctx, directory, { overwrite: true })
  expect(all.count).toBeGreaterThan(2)
  expect(await readdir(directory)).toEqual(['export.tar.gz'])
  const again = await importEmojis(app.ctx, 'operator', all.path, { prefix: 'again_' })
  expect(again).toMatchObject({ imported: all.count, failed: 0 })
})

test('a purge takes what it says', async () => {
  const alice = await app.person('alice')
  await importOf([{ name: 'purged.png', body: await png() }])
  const insert = (id: number, domain: string) =>
    app.ctx.db
      .insertInto('custom_emojis')
      .values({
        id: asId<CustomEmojiId>(String(id)),
        shortcode: 'far',
        domain,
        image_key: null,
        static_key: null,
        category: null,
      })
      .execute()
  await insert(1, 'bad.example')
  await insert(2, 'sub.bad.example')
  await insert(3, 'good.example')
  await app.ctx.db
    .insertInto('domain_blocks')
    .values({
      id: asId<DomainBlockId>('1'),
      domain: 'bad.example',
      severity: 'suspend',
      private_comment: null,
      public_comment: null,
    })
    .execute()
  expect(await purgeEmojis(app.ctx, 'operator', 'suspended')).toBe(2)
  expect(await purgeEmojis(app.ctx, 'operator', 'remote')).toBe(1)
  const said = await alice.say(':purged:')
  const { url } = await find('purged')
  expect(await purgeEmojis(app.ctx, 'operator', 'all')).toBeGreaterThan(1)
  await app.settle()
  expect(await listed()).toEqual([])
  expect((await alice.get(`/api/v1/statuses/${said.id}`)).ok().emojis).toEqual([])
  expect(await statusOf(url)).toBe(404)
})
