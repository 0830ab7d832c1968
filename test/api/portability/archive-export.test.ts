import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import { readZip } from '#test/files/archives.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { storedKeys, uploadForm } from '#test/client/upload.ts'
import { asId, type BackupId } from '#lib/id.ts'

const app = useApp()
const day = 86_400_000
let alice: Person
let browser: Browser

beforeEach(async () => {
  alice = await personWithPassword(app, 'alice')
  browser = await signedIn(app, alice)
})

const ask = async () => browser.submit((await browser.get('/settings/export')).form('/settings/export'))
const linkOn = (text: string) => /\/settings\/backups\/\d+/.exec(text)?.[0]

/** Has an archive made; answers its files. */
async function archive(): Promise<Map<string, Buffer>> {
  expect((await ask()).status).toBe(303)
  await app.settle()
  const link = linkOn((await browser.get('/settings/export')).text)
  return download(link as string)
}

async function download(link: string, who = browser): Promise<Map<string, Buffer>> {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await app.fetch(link, { headers: { cookie } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const file = path.join(app.ctx.config.dataDir, `${app.ctx.newId()}.zip`)
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  return readZip(file)
}

const json = (files: Map<string, Buffer>, name: string) => JSON.parse(String(files.get(name))) as Json

async function upload(color: string, more: Record<string, string> = {}): Promise<string> {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer()
  return (await alice.post('/api/v2/media', uploadForm(png, more))).ok().id
}

test('an archive is led to step by step, with how far it is, for its owner alone [ACC-25]', async () => {
  await alice.say('one')
  const page = new URL((await ask()).location as string, 'http://x').pathname
  const waiting = await browser.get(page)
  expect(waiting.headers.get('refresh')).toBe('5')
  expect(waiting.text).toContain('aria-current="step"')
  expect(waiting.text).toContain('<progress')
  expect((await browser.get('/settings/export')).text).toContain(page)
  await app.settle()
  const made = await browser.get(page)
  expect(made.headers.get('refresh')).toBeNull()
  expect(linkOn(made.text)).toBeDefined()
  expect((await newBrowser(app).get(page)).status).toBe(302)
  const stranger = await signedIn(app, await personWithPassword(app, 'stranger'))
  expect((await stranger.get(page)).status).toBe(404)
})

describe('what is in an archive', () => {
  test('everything one wrote, in Mastodon’s form', async () => {
    const bob = await app.person('bob')
    const red = await upload('red', { description: 'red all over', focus: '0.5,-0.25' })
    const first = await alice.say('<b>one</b> #Birds', { media_ids: [red], language: 'de' })
    await alice.say(`@${bob.username} two`, { visibility: 'direct', spoiler_text: 'careful' })
    await alice.say('three', { in_reply_to_id: first.id, visibility: 'private' })
    const poll = await alice.say('which?', { poll: { options: ['a', 'b'], expires_in: 600 } })
    ;(await bob.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [1] })).ok()
    const theirs = await bob.say('theirs')
    ;(await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)).ok()
    await alice.say('look', { quoted_status_id: first.id })
    ;(await alice.post(`/api/v1/statuses/${theirs.id}/favourite`)).ok()
    ;(await alice.post(`/api/v1/statuses/${theirs.id}/bookmark`)).ok()
    const gone = await alice.say('gone')
    ;(await alice.delete(`/api/v1/statuses/${gone.id}`)).ok()

    const green = await upload('green', { description: 'leaves' })
    const draft = { status: 'four, perhaps', quoted_status_id: theirs.id, media_ids: [green] }
    ;(await alice.post('/api/v1/drafts', { in_reply_to_id: first.id, posts: [draft] })).ok()

    const files = await archive()
    const [drafted, ...more] = json(files, 'drafts.json')
    expect(more).toEqual([])
    expect(drafted).toMatchObject({
      in_reply_to: first.uri,
      posts: [{ status: 'four, perhaps', quoted_status: theirs.uri, media: [{ description: 'leaves' }] }],
    })
    expect(files.has(drafted.posts[0].media[0].file)).toBe(true)
    const actor = `https://chat.example/users/${alice.username}`
    const outbox = json(files, 'outbox.json')
    expect(outbox).toMatchObject({ id: 'outbox.json', type: 'OrderedCollection', totalItems: 5 })
    expect(outbox['@context'][0]).toBe('https://www.w3.org/ns/activitystreams')
    const items: Json[] = outbox.orderedItems
    expect(items.map((item) => [item.type, item.object.source?.content])).toEqual([
      ['Create', '<b>one</b> #Birds'],
      ['Create', `@${bob.username} two`],
      ['Create', 'three'],
      ['Create', 'which?'],
      ['Announce', undefined],
      ['Create', 'look'],
    ])
    const [one, two, three, question, announce, quoting] = items.map((item) => item.object)
    expect(items[0]).toMatchObject({ id: `${first.uri}/activity`, actor, published: first.created_at })
    expect(one).toMatchObject({
      id: first.uri,
      type: 'Note',
      summary: null,
      inReplyTo: null,
      published: first.created_at,
      url: first.url,
      attributedTo: actor,
      to: ['https://www.w3.org/ns/activitystreams#Public'],
      cc: [`${actor}/followers`],
      sensitive: false,
      content: first.content,
      contentMap: { de: first.content },
      tag: [{ type: 'Hashtag', name: '#birds', href: 'https://chat.example/tags/birds' }],
    })
    const [attachment] = one.attachment
    expect(attachment).toMatchObject({
      type: 'Document',
      mediaType: 'image/png',
      name: 'red all over',
      focalPoint: [0.5, -0.25],
      width: 40,
      height: 30,
      blurhash: expect.stringMatching(/^.{6,}$/),
    })
    // The place of the file in the archive.
    const { data } = await sharp(files.get(attachment.url.slice(1)))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([data[0], data[1], data[2]]).toEqual([255, 0, 0])
    const bobUri = `https://chat.example/users/${bob.username}`
    expect(two).toMatchObject({
      summary: 'careful',
      sensitive: true,
      to: [bobUri],
      cc: [],
      tag: [{ type: 'Mention', href: bobUri, name: `@${bob.username}@chat.example` }],
    })
    expect(three).toMatchObject({ inReplyTo: first.uri, to: [`${actor}/followers`], cc: [] })
    expect(question).toMatchObject({
      type: 'Question',
      oneOf: [
        { type: 'Note', name: 'a', replies: { type: 'Collection', totalItems: 0 } },
        { type: 'Note', name: 'b', replies: { type: 'Collection', totalItems: 1 } },
      ],
      votersCount: 1,
      endTime: poll.poll.expires_at,
    })
    expect(question).not.toHaveProperty('closed')
    expect([announce, items[4]!.cc]).toEqual([theirs.uri, [bobUri, `${actor}/followers`]])
    expect(quoting).toMatchObject({ quote: first.uri, quoteUri: first.uri })
    expect(json(files, 'likes.json')).toMatchObject({ id: 'likes.json', orderedItems: [theirs.uri] })
    expect(json(files, 'bookmarks.json')).toMatchObject({ id: 'bookmarks.json', orderedItems: [theirs.uri] })
    expect(json(files, 'actor.json')).toMatchObject({
      id: actor,
      type: 'Person',
      preferredUsername: alice.username,
      outbox: 'outbox.json',
      likes: 'likes.json',
      bookmarks: 'bookmarks.json',
    })
  })

  test('the pictures of the profile', async () => {
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('avatar', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'me.png')
    ;(await alice.patch('/api/v1/accounts/update_credentials', form)).ok()
    const files = await archive()
    const actor = json(files, 'actor.json')
    expect(actor.icon.url).toMatch(/^avatar\.(png|webp|jpg)$/)
    expect((await sharp(files.get(actor.icon.url)).metadata()).width).toBeGreaterThan(10)
    expect(actor).not.toHaveProperty('image')
  })

  test('nothing one may not see any more [ACC-2]', async () => {
    const bob = await app.person('bob')
    const seen = await bob.say('for followers', { visibility: 'private' })
    const open = await bob.say('for all')
    await alice.follow(bob)
    for (const { id } of [seen, open]) {
      ;(await alice.post(`/api/v1/statuses/${id}/favourite`)).ok()
      ;(await alice.post(`/api/v1/statuses/${id}/bookmark`)).ok()
    }
    ;(await alice.post(`/api/v1/statuses/${open.id}/reblog`)).ok()
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/unfollow`)).ok()
    const before = await archive()
    expect(json(before, 'likes.json').orderedItems).toEqual([open.uri])
    expect(json(before, 'bookmarks.json').orderedItems).toEqual([open.uri])
    expect(json(before, 'outbox.json').orderedItems).toHaveLength(1)
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    app.clock.advance(8 * day)
    const after = await archive()
    for (const name of ['outbox.json', 'likes.json', 'bookmarks.json']) {
      expect([name, json(after, name).orderedItems]).toEqual([name, []])
    }
  })

  test('all pages of a long outbox, oldest first', async () => {
    await sql`
      insert into statuses (id, account_id, text, content, visibility)
      select n, ${alice.accountId}, 'n' || n, '<p>n' || n || '</p>', 'public' from generate_series(1, 1203) n`.execute(
      app.ctx.db,
    )
    const { orderedItems } = json(await archive(), 'outbox.json')
    expect(orderedItems.map((item: Json) => item.object.source.content)).toEqual(
      Array.from({ length: 1203 }, (_, n) => `n${n + 1}`),
    )
    await sql`delete from statuses where account_id = ${alice.accountId}`.execute(app.ctx.db)
  })
})

describe('asking for an archive', () => {
  test('works once a week, and a mail tells when it is there', async () => {
    app.mails.length = 0
    expect((await ask()).status).toBe(303)
    const waiting = await browser.get('/settings/export')
    expect(waiting.text).toContain('waiting')
    expect(waiting.forms.some((form) => form.action === '/settings/export')).toBe(false)
    expect((await browser.post('/settings/export', waiting.forms[0]!.fields)).status).toBe(429)
    await app.settle()
    const link = linkOn((await browser.get('/settings/export')).text)
    expect(app.mails.map((mail) => [mail.to, mail.subject])).toEqual([
      [alice.email, 'Your archive from chat.example is ready'],
    ])
    expect(app.mails[0]?.text).toContain(`https://chat.example${link}`)
    expect(app.mails[0]?.text).toContain('after 7 days')
    app.clock.advance(6 * day)
    expect((await browser.get('/settings/export')).text).toContain(link)
    app.clock.advance(2 * day)
    expect((await ask()).status).toBe(303)
  })

  test('nobody else can fetch it, and not for ever [ACC-25] [ACC-7]', async () => {
    await setSetting(app.ctx, 'backups_retention_period', 2)
    expect((await ask()).status).toBe(303)
    await app.settle()
    const link = linkOn((await browser.get('/settings/export')).text) as string
    const eve = await signedIn(app, await personWithPassword(app, 'eve'))
    expect((await eve.get(link)).status).toBe(404)
    const stranger = await newBrowser(app).get(link)
    expect([stranger.status, stranger.location]).toEqual([302, expect.stringContaining('/auth/sign_in')])
    // A token of an app is no session (AUTH-21).
    const byToken = await app.fetch(link, { headers: { authorization: `Bearer ${alice.token}` } })
    expect(byToken.status).toBe(302)
    // Nor does the address of the file help.
    const [key] = (await storedKeys(app.ctx)).filter((one) => one.startsWith('backups/')).slice(-1)
    expect((await app.fetch(`/media/${key}`)).status).toBe(404)
    const { headers } = await browser.get(link)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="archive-\d{4}-\d\d-\d\d\.zip"$/,
    )
    app.clock.advance(2 * day + 1)
    expect((await browser.get(link)).status).toBe(404)
    expect((await browser.get('/settings/export')).text).not.toContain(link)
    await app.ctx.jobs.add('purge-archives', {})
    await app.settle()
    await app.ctx.jobs.add('delete-abandoned-files', {})
    await app.settle()
    expect(await storedKeys(app.ctx)).not.toContain(key)
    await setSetting(app.ctx, 'backups_retention_period', 7)
  })

  test('a part of it can be had, to go on after an interruption', async () => {
    await ask()
    await app.settle()
    const link = linkOn((await browser.get('/settings/export')).text) as string
    const whole = (await browser.get(link)).headers.get('content-length')
    const part = await browser.get(link, { range: 'bytes=0-3' })
    expect([part.status, part.text]).toEqual([206, 'PK\u0003\u0004'])
    expect(part.headers.get('content-range')).toBe(`bytes 0-3/${whole}`)
    expect((await browser.get(link, { range: 'bytes=99999999-' })).status).toBe(416)
  })

  test('goes on after the store failed, and is given up when it always does', async () => {
    const { storage } = app.ctx as { storage: { put: (typeof app.ctx.storage)['put'] } }
    const { put } = storage
    const { makeArchive } = await import('#domain/transfer/portability/archive/archive-build.ts')
    const writer = { context: [], actor: () => ({}), activity: () => ({}) }
    await alice.say('one')
    await ask()
    const { rows } = await sql<{ id: string }>`
      select id from backups where account_id = ${alice.accountId}`.execute(app.ctx.db)
    const id = rows[0]!.id
    storage.put = async () => {
      throw new Error('the store is away')
    }
    try {
      for (let tries = 0; tries < 5; tries++) {
        await expect(makeArchive(app.ctx, asId<BackupId>(id), writer)).rejects.toThrow('the store is away')
      }
      await makeArchive(app.ctx, asId<BackupId>(id), writer)
    } finally {
      storage.put = put
    }
    const shown = await browser.get('/settings/export')
    expect(shown.text).toContain('could not be made')
    // One that failed does not count.
    expect((await ask()).status).toBe(303)
    await app.settle()
    expect(linkOn((await browser.get('/settings/export')).text)).toBeDefined()
  })

  test('its file goes with the account', async () => {
    await ask()
    await app.settle()
    const { rows } = await sql<{ file_key: string }>`
      select file_key from backups where account_id = ${alice.accountId}`.execute(app.ctx.db)
    await sql`delete from backups where account_id = ${alice.accountId}`.execute(app.ctx.db)
    await app.ctx.jobs.add('delete-abandoned-files', {})
    await app.settle()
    expect(await storedKeys(app.ctx)).not.toContain(rows[0]!.file_key)
  })
})
