// What whoever runs the server does about stored files: orphans, pictures of profiles and cards, fetching, looking up.
import type { RequestListener } from 'node:http'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { keyColumns } from '#db/dump/media-keys.ts'
import { removeCardImages } from '#domain/content/cards/remove-images.ts'
import { findFileUse } from '#domain/content/media/find-file.ts'
import { folders } from '#domain/content/media/storage/named-files.ts'
import { removeOrphans } from '#domain/content/media/storage/orphans.ts'
import { removeProfileImages } from '#domain/content/media/profile-images.ts'
import { countMedia, refetchMedia } from '#domain/content/media/refetch.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { uploadForm } from '#test/client/upload.ts'
import type { MediaId, StatusId } from '#lib/id.ts'

const app = useApp({
  env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8', RATE_LIMITS: 'off' },
})
let alice: Person
let png: Buffer

beforeAll(async () => {
  alice = await app.person('alice')
  png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2040a0' } })
    .png()
    .toBuffer()
})

const put = (key: string) => app.ctx.storage.put(key, { body: png }, { contentType: 'image/png' })
const isThere = async (key: string) => {
  const file = await app.ctx.storage.open(key)
  await file?.stream.cancel()
  return file !== null
}

/** Makes a stored file look older. */
async function age(key: string, milliseconds: number): Promise<void> {
  const time = new Date(app.clock.now() - milliseconds)
  await utimes(path.join(app.ctx.config.dataDir, 'media', key), time, time)
}

async function audited(): Promise<Json> {
  const { rows } = await sql<Json>`
    select actor, action, details from audit_log order by id desc limit 1`.execute(app.ctx.db)
  return rows[0]
}

describe('orphans', () => {
  test('are files older than a day that no row names', async () => {
    const form = new FormData()
    form.set('avatar', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
    const avatar = (await alice.patch('/api/v1/accounts/update_credentials', form)).ok().avatar
    const media = (await alice.post('/api/v2/media', uploadForm(png))).ok()
    await app.settle()
    const named = [avatar, media.url, media.preview_url].map((url: string) => url.replace(/^.*\/media\//, ''))
    const lost = [
      `avatars/${alice.accountId}/lost.png`,
      'media_attachments/77/lost.png',
      'cache/media_attachments/78/lost.png',
      'emojis/79/lost.png',
      'preview_cards/80/lost.png',
      'site_uploads/lost.png',
      'doctor/lost.png',
    ]
    const fresh = 'media_attachments/81/fresh.png'
    const strange = ['other/1/a.png', 'media_attachments/a.png', 'avatars/1/2/a.png']
    const doomed = 'media_attachments/82/doomed.png'
    for (const key of [...lost, fresh, ...strange, doomed]) await put(key)
    for (const key of [...named, ...lost, ...strange, doomed]) await age(key, days(2))
    await sql`
      insert into abandoned_files (key, delete_after)
      values (${doomed}, ${new Date(app.clock.now() + days(1))})`.execute(app.ctx.db)

    const keys: string[] = []
    const dry = await removeOrphans(app.ctx, 'operator', {
      dryRun: true,
      onOrphan: (key) => void keys.push(key),
    })
    expect(keys.toSorted()).toEqual(lost.toSorted())
    expect(dry).toMatchObject({ files: lost.length, bytes: png.length * lost.length, strange: 3 })
    expect(await Promise.all(lost.map(isThere))).not.toContain(false)

    const some = await removeOrphans(app.ctx, 'operator', { prefix: 'emojis/' })
    expect(some).toMatchObject({ files: 1, looked: 1 })
    const done = await removeOrphans(app.ctx, 'operator')
    expect(done.files).toBe(lost.length - 1)
    expect(await Promise.all(lost.map(isThere))).not.toContain(true)
    const kept = [...named, fresh, ...strange, doomed]
    expect(await Promise.all(kept.map(isThere))).toEqual(kept.map(() => true))
    expect(await audited()).toMatchObject({
      actor: 'operator',
      action: 'remove_orphans',
      details: { files: 6 },
    })
  })

  test('every column that names a file is thought of', () => {
    const tables = Object.values(folders).flatMap(({ byId, anywhere = [] }) => [...anywhere, byId])
    const missing = keyColumns.filter(({ table }) => !tables.includes(table))
    expect(missing).toEqual([])
  })
})

describe('pictures of profiles', () => {
  async function pictured(name: string): Promise<string> {
    const { accountId } = await remoteAccount(app.ctx, `${name}.example`)
    for (const kind of ['avatars', 'headers']) await put(`${kind}/${accountId}/x.png`)
    const long = new Date(app.clock.now() - days(30))
    await sql`
      update accounts set avatar_key = ${`avatars/${accountId}/x.png`}, header_key = ${`headers/${accountId}/x.png`},
        fetched_at = ${long}, updated_at = ${long} where id = ${accountId}`.execute(app.ctx.db)
    return accountId
  }
  const has = (id: string) => Promise.all([isThere(`avatars/${id}/x.png`), isThere(`headers/${id}/x.png`)])

  test('are removed where nobody follows and nobody looked, and come back when the account is read', async () => {
    const [lone, followed, recent] = [
      await pictured('lone'),
      await pictured('followed'),
      await pictured('recent'),
    ]
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${alice.accountId}, ${followed})`.execute(app.ctx.db)
    await sql`update accounts set fetched_at = ${new Date(app.clock.now())} where id = ${recent}`.execute(
      app.ctx.db,
    )
    expect(await removeProfileImages(app.ctx, { days: 7, dryRun: true })).toEqual({ accounts: 1, files: 2 })
    expect(await has(lone)).toEqual([true, true])
    expect(await removeProfileImages(app.ctx, { days: 7, onlyHeaders: true })).toEqual({
      accounts: 1,
      files: 1,
    })
    await app.settle()
    expect(await has(lone)).toEqual([true, false])
    expect(await removeProfileImages(app.ctx, { days: 7, includeFollows: true })).toEqual({
      accounts: 2,
      files: 3,
    })
    await app.settle()
    expect([await has(lone), await has(followed), await has(recent)]).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ])
    const shown = (await alice.get(`/api/v1/accounts/${lone}`)).ok()
    expect(shown.avatar).not.toContain('x.png')
  })
})

test('pictures of old cards are removed, and the cards stay', async () => {
  const old = new Date(app.clock.now() - days(200))
  const ids = await Promise.all(
    ['link', 'photo'].map(async (type) => {
      const id = app.ctx.newId<StatusId>()
      await put(`preview_cards/${id}/x.png`)
      await sql`
        insert into preview_cards (id, url, url_hash, type, image_key, image_bytes, fetched_at)
        values (${id}, 'https://page.example/', ${Buffer.from(id)}, ${type}, ${`preview_cards/${id}/x.png`}, 500, ${old})`.execute(
        app.ctx.db,
      )
      return id
    }),
  )
  const choice = { days: 180, onlyLinks: true }
  expect(await removeCardImages(app.ctx, { days: 300 })).toEqual({ files: 0, bytes: 0 })
  expect(await removeCardImages(app.ctx, { ...choice, dryRun: true })).toEqual({ files: 1, bytes: 500 })
  expect(await removeCardImages(app.ctx, choice)).toEqual({ files: 1, bytes: 500 })
  await app.settle()
  expect(await Promise.all(ids.map((id) => isThere(`preview_cards/${id}/x.png`)))).toEqual([false, true])
  const { rows } = await sql`select 1 from preview_cards where id = any(${ids}::bigint[])`.execute(app.ctx.db)
  expect(rows).toHaveLength(2)
})

/** A status of another server with one attachment, as ingestion leaves it. */
async function remoteStatus(url: string, domain: string) {
  const author = await remoteAccount(app.ctx, domain)
  const [id, mediaId] = [app.ctx.newId<StatusId>(), app.ctx.newId<MediaId>()]
  const uri = `https://${author.domain}/${id}`
  await sql`
    insert into statuses (id, account_id, text, content, visibility, local, uri, url, media_ids)
    values (${id}, ${author.accountId}, '', '', 'public', false, ${uri}, ${uri}, ${[mediaId]}::bigint[])`.execute(
    app.ctx.db,
  )
  await sql`
    insert into media_attachments (id, account_id, status_id, type, state, remote_url)
    values (${mediaId}, ${author.accountId}, ${id}, 'image', 'complete', ${url})`.execute(app.ctx.db)
  return { id, mediaId, uri, author }
}

const picture: RequestListener = (_, response) => {
  response.setHeader('content-type', 'image/png')
  response.end(png)
}

describe('files of other servers', () => {
  test('are fetched before somebody looks, and again where that is wanted', async () => {
    const remote = await startRemote('127.0.0.5', picture)
    const statuses = await Promise.all(
      [1, 2].map((n) => remoteStatus(remote.url(`/${n}.png`), 'pics.example')),
    )
    const [one] = statuses as [Awaited<ReturnType<typeof remoteStatus>>]
    expect(await countMedia(app.ctx, { domain: 'pics.example' })).toBe(2)
    expect(await refetchMedia(app.ctx, { domain: 'pics.example' }, { dryRun: true })).toMatchObject({
      fetched: 2,
    })
    expect(remote.requests).toHaveLength(0)
    const first = await refetchMedia(app.ctx, { statusId: one.id })
    expect(first).toMatchObject({ fetched: 1, failed: 0, unreachable: [] })
    expect(first.bytes).toBeGreaterThan(0)
    expect(await refetchMedia(app.ctx, { days: 1 })).toMatchObject({ fetched: 1 })
    expect(await refetchMedia(app.ctx, { domain: 'pics.example' })).toMatchObject({ fetched: 0 })
    expect(remote.requests.map((request) => request.url)).toEqual(['/1.png', '/2.png'])
    const again = await refetchMedia(app.ctx, { accountId: one.author.accountId }, { force: true })
    expect([again.fetched, remote.requests.length]).toEqual([1, 3])
  })

  test('a server that does not answer is not asked for all of them', async () => {
    const remote = await startRemote('127.0.0.6', (request) => request.socket.destroy())
    for (let n = 0; n < 6; n += 1) await remoteStatus(remote.url(`/${n}.png`), 'dead.example')
    const choice = { domain: 'dead.example' }
    const result = await refetchMedia(app.ctx, choice, { concurrency: 1 })
    expect(result).toEqual({ fetched: 0, failed: 3, bytes: 0, unreachable: ['dead.example'] })
  })
})

test('where a file is shown is found by its address', async () => {
  const remote = await startRemote('127.0.0.7', picture)
  const { id, mediaId, uri, author } = await remoteStatus(remote.url('/a.png'), 'look.example')
  const expected = { kind: 'attachment', id: mediaId, name: author.acct, status_id: id, url: uri }
  expect(await findFileUse(app.ctx, `/media_proxy/${mediaId}/original`)).toEqual(expected)
  await refetchMedia(app.ctx, { statusId: id })
  const { url } = (await alice.get(`/api/v1/statuses/${id}`)).ok().media_attachments[0]
  expect(await findFileUse(app.ctx, url)).toEqual(expected)
  const own = (await alice.post('/api/v2/media', uploadForm(png))).ok()
  const status = await alice.say('look', { media_ids: [own.id] })
  expect(await findFileUse(app.ctx, own.url)).toMatchObject({ status_id: status.id, url: status.url })
  const { avatar } = (await alice.get('/api/v1/accounts/verify_credentials')).ok()
  expect(await findFileUse(app.ctx, avatar)).toMatchObject({ kind: 'profile', id: alice.accountId })
  for (const bad of ['https://elsewhere.example/media/avatars/1/a.png', '/media/avatars/1/a.png', 'x', ''])
    expect(await findFileUse(app.ctx, bad)).toBeNull()
})
