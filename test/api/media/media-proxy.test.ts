// Other servers' files, by way of this one.
import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { removeCachedMedia, trimMediaCache } from '#domain/content/media/cache.ts'
import { deleteUnattachedMedia } from '#domain/content/media/delete.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { sumMediaUsage } from '#domain/content/media/usage.ts'
import { removeStatus } from '#domain/content/statuses/delete-status.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { filesBelow, keyOfUrl, storedKeys } from '#test/client/upload.ts'
import type { MediaId, StatusId } from '#lib/id.ts'

const app = useApp({
  env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8', RATE_LIMITS: 'off' },
})
let alice: Person
let png: Buffer

beforeAll(async () => {
  alice = await app.person('alice')
  const pixels = sharp({ create: { width: 120, height: 90, channels: 3, background: '#20a040' } })
  png = await pixels
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .png()
    .toBuffer()
})

interface Options {
  visibility?: string
  type?: string
  previewUrl?: string
  domain?: string
}

/** A status of another server with one attachment, as ingestion leaves it. */
async function remoteStatus(url: string, options: Options = {}) {
  const author = await remoteAccount(app.ctx, options.domain)
  const [id, mediaId] = [app.ctx.newId<StatusId>(), app.ctx.newId<MediaId>()]
  await sql`
    insert into statuses (id, account_id, text, content, visibility, local, uri, media_ids)
    values (${id}, ${author.accountId}, '', '', ${options.visibility ?? 'public'}, false,
      ${`https://${author.domain}/${id}`}, ${[mediaId]}::bigint[])`.execute(app.ctx.db)
  await sql`
    insert into media_attachments (id, account_id, status_id, type, state, remote_url, remote_preview_url)
    values (${mediaId}, ${author.accountId}, ${id}, ${options.type ?? 'image'}, 'complete', ${url},
      ${options.previewUrl ?? null})`.execute(app.ctx.db)
  return { id, mediaId, author }
}

const picture: RequestListener = (_, response) => {
  response.setHeader('content-type', 'image/png')
  response.end(png)
}
const serve = (listener: RequestListener = picture) => startRemote('127.0.0.5', listener)
const ask = (mediaId: string, part = 'original', headers: Record<string, string> = {}) =>
  app.fetch(`/media_proxy/${mediaId}/${part}`, { headers })
const tokenOf = (person: Person) => ({ authorization: `Bearer ${person.token}` })
const see = async (id: string): Promise<Json> =>
  (await app.anonymous.get(`/api/v1/statuses/${id}`)).ok().media_attachments[0]

describe('a picture of another server', () => {
  test('is fetched once, made anew, and shown from here then', async () => {
    const remote = await serve()
    const { id, mediaId } = await remoteStatus(remote.url('/a.png'))
    const before = await see(id)
    expect(before).toMatchObject({
      url: `http://chat.example/media_proxy/${mediaId}/original`,
      preview_url: `http://chat.example/media_proxy/${mediaId}/small`,
      remote_url: remote.url('/a.png'),
    })
    const answers = await Promise.all([ask(mediaId), ask(mediaId), ask(mediaId)])
    expect(answers.map((answer) => answer.status)).toEqual([302, 302, 302])
    expect(remote.requests.map((request) => request.url)).toEqual(['/a.png'])
    expect(remote.requests[0]?.headers).not.toHaveProperty('referer')
    const location = answers[0]?.headers.get('location') ?? ''
    expect(location).toMatch(/^http:\/\/chat\.example\/media\/cache\/media_attachments\/\d+\/[\w-]{43}\.png$/)
    expect(answers[0]?.headers.get('cache-control')).toMatch(/^private/)
    const file = await app.fetch(new URL(location).pathname)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect([file.status, (await sharp(bytes).metadata()).width]).toEqual([200, 120])
    expect(bytes.includes('somebody')).toBe(false)
    expect(await see(id)).toMatchObject({ url: location, remote_url: remote.url('/a.png') })
    expect((await ask(mediaId, 'small')).status).toBe(302)
    expect(remote.requests).toHaveLength(1)
    expect(await filesBelow(`${app.ctx.config.dataDir}/tmp`)).toEqual([])
  })

  test('has its preview fetched alone when only that is asked for', async () => {
    const remote = await serve()
    const { mediaId } = await remoteStatus(remote.url('/film.mp4'), {
      type: 'video',
      previewUrl: remote.url('/film.png'),
    })
    expect((await ask(mediaId, 'small')).status).toBe(302)
    expect(remote.requests.map((request) => request.url)).toEqual(['/film.png'])
  })

  test('is refused when it is none, too large, or away, and not asked for again at once', async () => {
    const bad: [RequestListener, number][] = [
      [(_, response) => response.setHeader('content-type', 'text/html').end('<script>1</script>'), 404],
      [(_, response) => response.setHeader('content-type', 'image/png').end('<script>1</script>'), 404],
      [(_, response) => response.setHeader('content-type', 'image/svg+xml').end('<svg/>'), 404],
      [(_, response) => response.writeHead(404).end(), 404],
      [(_, response) => response.writeHead(410).end(), 404],
      [(_, response) => response.writeHead(500).end(), 503],
      [(_, response) => response.destroy(), 503],
      [
        (_, response) => {
          response.setHeader('content-type', 'image/png')
          response.on('error', () => {})
          response.end(Buffer.alloc(app.ctx.config.limits.imageBytes + 1))
        },
        404,
      ],
    ]
    const before = await storedKeys(app.ctx)
    for (const [listener, status] of bad) {
      const remote = await serve(listener)
      const { mediaId } = await remoteStatus(remote.url('/x'))
      expect((await ask(mediaId)).status).toBe(status)
      const asked = remote.requests.length
      expect((await ask(mediaId)).status).toBe(status)
      expect(remote.requests).toHaveLength(asked)
    }
    expect(await storedKeys(app.ctx)).toEqual(before)
    expect(await filesBelow(`${app.ctx.config.dataDir}/tmp`)).toEqual([])
  })

  test('is tried again after a while', async () => {
    let isUp = false
    const remote = await serve((request, response) =>
      isUp ? picture(request, response) : void response.writeHead(503).end(),
    )
    const { mediaId } = await remoteStatus(remote.url('/x'))
    expect((await ask(mediaId)).status).toBe(503)
    isUp = true
    app.clock.advance(minutes(3))
    expect((await ask(mediaId)).status).toBe(302)
  })

  test('is not had from where we must not go [SSRF-12]', async () => {
    for (const url of ['http://10.0.0.1/x.png', 'file:///etc/passwd', 'http://[::1]/x.png']) {
      const { mediaId } = await remoteStatus(url)
      expect((await ask(mediaId)).status).toBe(404)
    }
  })
})

describe('who may', () => {
  test('is who may see the status: ids can be guessed [ACC-21]', async () => {
    const remote = await serve()
    const { mediaId, author } = await remoteStatus(remote.url('/x'), { visibility: 'private' })
    expect((await ask(mediaId)).status).toBe(404)
    expect((await ask(mediaId, 'original', tokenOf(alice))).status).toBe(404)
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${alice.accountId}, ${author.accountId})`.execute(app.ctx.db)
    expect(remote.requests).toHaveLength(0)
    expect((await ask(mediaId, 'original', tokenOf(alice))).status).toBe(302)
    expect((await ask(mediaId)).status).toBe(404)
    for (const part of ['large', '../original', 'x/y']) expect((await ask(mediaId, part)).status).toBe(404)
    for (const id of ['1', 'x', alice.accountId]) expect((await ask(id)).status).toBe(404)
  })

  test('nobody, when the server of the file is blocked [SSRF-20]', async () => {
    const remote = await serve()
    const { mediaId } = await remoteStatus(remote.url('/x'))
    await sql`
      insert into domain_blocks (id, domain, severity)
      values (${app.ctx.newId()}, '127.0.0.5', 'suspend')`.execute(app.ctx.db)
    expect([(await ask(mediaId)).status, remote.requests.length]).toEqual([404, 0])
    await sql`delete from domain_blocks`.execute(app.ctx.db)
  })

  test('nobody, however the name of an unwanted server is written [FED-38]', async () => {
    await sql`
      insert into domain_blocks (id, domain, severity, reject_media)
      values (${app.ctx.newId()}, 'unwanted.example', 'noop', true)`.execute(app.ctx.db)
    for (const url of ['http://unwanted.example./x', 'http://CDN.Unwanted.example:81/x']) {
      const { mediaId } = await remoteStatus(url)
      expect([url, (await ask(mediaId)).status]).toEqual([url, 404])
    }
    await sql`delete from domain_blocks`.execute(app.ctx.db)
  })

  test('nobody, when the server of the author is not wanted', async () => {
    const remote = await serve()
    const { mediaId } = await remoteStatus(remote.url('/x'), { domain: 'cdn.bad.example' })
    await sql`
      insert into domain_blocks (id, domain, severity, reject_media)
      values (${app.ctx.newId()}, 'bad.example', 'noop', true)`.execute(app.ctx.db)
    expect((await ask(mediaId)).status).toBe(404)
    await sql`delete from domain_blocks`.execute(app.ctx.db)
    expect((await ask(mediaId)).status).toBe(302)
  })

  test('local files have no proxy', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(png)]))
    const media = (await alice.post('/api/v2/media', form)).ok()
    await alice.say('', { media_ids: [media.id] })
    expect((await ask(media.id, 'original', tokenOf(alice))).status).toBe(404)
  })
})

describe('copies', () => {
  const copy = async () => {
    const remote = await serve()
    const status = await remoteStatus(remote.url('/x.png'))
    const location = (await ask(status.mediaId)).headers.get('location') ?? ''
    return { ...status, remote, key: keyOfUrl(location) }
  }
  const isKept = async (key: string) => (await storedKeys(app.ctx)).includes(key)

  test('that nobody looks at go after some days, and come back when somebody does', async () => {
    const [old, used] = [await copy(), await copy()]
    app.clock.advance(days(5))
    await (await app.fetch(`/media/${used.key}`)).body?.cancel()
    const choice = { days: 3 }
    const { bytes } = await removeCachedMedia(app.ctx, { ...choice, dryRun: true })
    expect(bytes).toBeGreaterThan(0)
    expect(await removeCachedMedia(app.ctx, choice)).toMatchObject({ bytes })
    await app.settle()
    expect([await isKept(old.key), await isKept(used.key)]).toEqual([false, true])
    expect((await see(old.id)).url).toBe(`http://chat.example/media_proxy/${old.mediaId}/original`)
    expect((await ask(old.mediaId)).status).toBe(302)
    expect(old.remote.requests).toHaveLength(2)
  })

  test('of statuses that people here did something with can be kept', async () => {
    const [dull, liked] = [await copy(), await copy()]
    ;(await alice.post(`/api/v1/statuses/${liked.id}/favourite`)).ok()
    app.clock.advance(days(9))
    await removeCachedMedia(app.ctx, { days: 8, keepInteracted: true })
    await app.settle()
    expect([await isKept(dull.key), await isKept(liked.key)]).toEqual([false, true])
  })

  test('stay within the budget: what is unused for longest goes first', async () => {
    await removeCachedMedia(app.ctx, { days: -1 })
    const copies = []
    for (let i = 0; i < 4; i++) {
      copies.push(await copy())
      app.clock.advance(minutes(1))
    }
    const { attachments, previews } = await sumMediaUsage(app.ctx)
    expect([attachments.cached.files, previews.cached.files]).toEqual([4, 4])
    const total = attachments.cached.bytes + previews.cached.bytes
    await setSetting(app.ctx, 'media_cache_budget_gb', (total * 0.6) / 1e9)
    await trimMediaCache(app.ctx)
    await app.settle()
    expect(await Promise.all(copies.map(({ key }) => isKept(key)))).toEqual([false, false, true, true])
    await setSetting(app.ctx, 'media_cache_budget_gb', null)
    await setSetting(app.ctx, 'media_cache_retention_period', 1)
    app.clock.advance(days(2))
    await trimMediaCache(app.ctx)
    await app.settle()
    expect(await Promise.all(copies.map(({ key }) => isKept(key)))).toEqual([false, false, false, false])
    await setSetting(app.ctx, 'media_cache_retention_period', null)
  })

  test('go with their status, however that goes [ACC-20]', async () => {
    const [deleted, purged] = [await copy(), await copy()]
    await app.ctx.transaction((tx) => removeStatus(tx, deleted.id))
    await sql`delete from statuses where id = ${purged.id}`.execute(app.ctx.db)
    await deleteUnattachedMedia(app.ctx)
    await app.settle()
    expect([await isKept(deleted.key), await isKept(purged.key)]).toEqual([false, false])
  })
})
