import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { purgeImports } from '#domain/transfer/portability/imports.ts'
import { useApp } from '#test/app/app.ts'
import {
  archivedBoost,
  archivedPost,
  archivedUri,
  makeTarGz,
  makeZip,
  outboxOf,
  type Entries,
} from '#test/files/archives.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { storedKeys } from '#test/client/upload.ts'
import { readReason } from '#lib/messages/keep-reason.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { asId, type BulkImportId } from '#lib/id.ts'

const app = useApp()
let ann: Person
let browser: Browser

beforeEach(async () => {
  ann = await personWithPassword(app, 'ann')
  browser = await signedIn(app, ann)
})

async function send(bytes: Buffer, name = 'archive.zip', who = browser) {
  const page = await who.get('/settings/imports')
  const content = new File([new Uint8Array(bytes)], name)
  return who.upload(page.form('/settings/imports/archive'), {}, { name: 'data', content })
}

/** Uploads and confirms; answers the id. */
async function confirm(bytes: Buffer, name?: string): Promise<string> {
  const sent = await send(bytes, name)
  expect([sent.status, sent.text]).toEqual([303, ''])
  const shown = await browser.get(sent.location as string)
  const form = shown.forms.find((one) => one.action.endsWith('/confirm'))
  expect((await browser.submit(form!)).status).toBe(303)
  const running = await browser.get(sent.location as string)
  expect([running.headers.get('refresh'), running.text]).toEqual(['5', expect.stringContaining('<progress')])
  return /(\d+)$/.exec(sent.location as string)![1] as string
}

async function bring(entries: Entries): Promise<string> {
  const id = await confirm(await makeZip(entries))
  await app.settle()
  return id
}

const posts = (...items: unknown[]) => ({ 'outbox.json': outboxOf(items) })
const listed = async (): Promise<Json[]> =>
  (await ann.get(`/api/v1/accounts/${ann.accountId}/statuses?limit=40`)).ok()
const texts = async () => (await listed()).map((status) => status.content)
const importPage = async () => (await browser.get('/settings/imports')).text

const picture = (color: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

const document = (file: string, more: object = {}) => ({
  type: 'Document',
  mediaType: 'image/jpeg',
  url: `/media_attachments/files/${file}`,
  name: null,
  blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  width: 40,
  height: 30,
  ...more,
})

describe('an archive of Mastodon', () => {
  const mention =
    '<p><span class="h-card" translate="no"><a href="https://old.example/@bob" class="u-url mention">@<span>bob</span></a></span> look at <a href="https://birds.org/a/long/path/to/somewhere" target="_blank" rel="nofollow"><span class="invisible">https://</span><span class="ellipsis">birds.org/a/long/path/to/s</span><span class="invisible">omewhere</span></a><br />and <a href="https://old.example/tags/Birds" class="mention hashtag" rel="tag">#<span>Birds</span></a></p>'
  const items = [
    archivedPost('109000000000000001', '2022-10-01T10:00:00Z', '<p>first</p>', {
      attachment: [document('109/000/a.jpg', { name: 'red & round', focalPoint: [0.5, -0.5] })],
    }),
    archivedPost('109000000000000002', '2022-10-01T10:00:00Z', '<p>second, in the same second</p>', {
      inReplyTo: archivedUri('109000000000000001'),
      visibility: 'unlisted',
    }),
    archivedBoost('109000000000000003', '2022-10-01T10:05:00Z', 'https://far.example/notes/1'),
    archivedPost('109000000000000004', '2022-10-02T10:00:00Z', mention, {
      inReplyTo: 'https://far.example/notes/1',
      tag: [
        { type: 'Mention', href: 'https://old.example/users/bob', name: '@bob@old.example' },
        { type: 'Hashtag', href: 'https://old.example/tags/Birds', name: '#Birds' },
      ],
    }),
    archivedPost('109000000000000005', '2022-10-03T10:00:00Z', '<p>which?</p>', {
      type: 'Question',
      endTime: '2022-10-04T10:00:00Z',
      closed: '2022-10-04T10:00:00Z',
      votersCount: 5,
      anyOf: [
        { type: 'Note', name: 'this', replies: { type: 'Collection', totalItems: 4 } },
        { type: 'Note', name: 'that', replies: { type: 'Collection', totalItems: 3 } },
      ],
      summary: 'a question',
      sensitive: true,
      contentMap: { de: '<p>which?</p>' },
    }),
    archivedPost('109000000000000006', '2022-10-04T10:00:00Z', '<p>for followers</p>', {
      visibility: 'private',
      inReplyTo: archivedUri('109000000000000002'),
      updated: '2022-10-04T11:00:00Z',
    }),
    archivedPost('109000000000000007', '2022-10-05T10:00:00Z', '<p>psst</p>', {
      to: ['https://old.example/users/bob'],
      cc: [],
    }),
    archivedPost('109000000000000008', '2022-10-06T10:00:00Z', '<p>note to self</p>', {
      visibility: 'direct',
    }),
    archivedPost('109000000000000009', '2022-10-07T10:00:00Z', '<p>quoting them</p>', {
      quote: 'https://far.example/notes/2',
    }),
    archivedPost(
      '109000000000000010',
      '2022-10-08T10:00:00Z',
      `<p class="quote-inline">RE: <a href="https://old.example/@ann/1"><span class="invisible">https://</span>old</a></p><p>quoting me</p>`,
      { quote: archivedUri('109000000000000001') },
    ),
    archivedBoost('109000000000000011', '2022-10-09T10:00:00Z', archivedUri('109000000000000002')),
  ]

  async function checkedImport(): Promise<string> {
    const found = await listed()
    expect(found.map((one) => [one.created_at, one.reblog?.content ?? one.content, one.visibility])).toEqual([
      ['2022-10-09T10:00:00.000Z', '<p>second, in the same second</p>', 'public'],
      [
        '2022-10-08T10:00:00.000Z',
        expect.stringMatching(/<p class="quote-inline">.*<p>quoting me<\/p>$/),
        'public',
      ],
      ['2022-10-06T10:00:00.000Z', '<p>note to self</p>', 'direct'],
      ['2022-10-04T10:00:00.000Z', '<p>for followers</p>', 'private'],
      ['2022-10-03T10:00:00.000Z', '<p>which?</p>', 'public'],
      ['2022-10-02T10:00:00.000Z', expect.stringContaining('@bob@old.example look at'), 'public'],
      ['2022-10-01T10:00:00.000Z', '<p>second, in the same second</p>', 'unlisted'],
      ['2022-10-01T10:00:00.000Z', '<p>first</p>', 'public'],
    ])
    const [, quoting, , followers, question, reply, second, first] = found as Json[]
    // Ids sort with everybody else's, by time.
    expect(found.map((one) => Number(BigInt(one.id) >> 16n))).toEqual(
      found.map((one) => Date.parse(one.created_at)),
    )
    expect(first.media_attachments).toMatchObject([
      { type: 'image', description: 'red & round', meta: { focus: { x: 0.5, y: -0.5 } } },
    ])
    const [media] = first.media_attachments
    const file = await app.fetch(media.url)
    const { data, info } = await sharp(Buffer.from(await file.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, data[0]! > 240]).toEqual([40, 30, true])
    expect([second.in_reply_to_id, second.in_reply_to_account_id]).toEqual([first.id, ann.accountId])
    expect(followers).toMatchObject({ in_reply_to_id: second.id, edited_at: '2022-10-04T11:00:00.000Z' })
    expect([first.replies_count, second.replies_count, second.reblogs_count]).toEqual([1, 0, 1])
    const context = (await ann.get(`/api/v1/statuses/${followers.id}/context`)).ok()
    expect(context.ancestors.map((one: Json) => one.id)).toEqual([first.id, second.id])
    expect(reply).toMatchObject({ in_reply_to_id: null, mentions: [], tags: [{ name: 'birds' }] })
    expect(reply.content).toContain('href="https://birds.org/a/long/path/to/somewhere"')
    expect(reply.content).toContain('href="https://chat.example/tags/birds"')
    expect(question).toMatchObject({
      spoiler_text: 'a question',
      sensitive: true,
      language: 'de',
      poll: {
        expired: true,
        expires_at: '2022-10-04T10:00:00.000Z',
        multiple: true,
        votes_count: 7,
        voters_count: 5,
        options: [
          { title: 'this', votes_count: 4 },
          { title: 'that', votes_count: 3 },
        ],
      },
    })
    expect(quoting.quote).toMatchObject({ state: 'accepted', quoted_status: { id: first.id } })
    const account = (await ann.get(`/api/v1/accounts/${ann.accountId}`)).ok()
    // All but what is direct.
    expect([account.statuses_count, account.last_status_at]).toEqual([7, '2022-10-09'])
    return /<small>([^<]*)/.exec(await importPage())?.[1] ?? ''
  }
  const told = '11 of 11 · 8 imported · 1 boosts left out · 1 quotes left out · 1 private mentions left out'

  test('as .zip', async () => {
    const entries = {
      'outbox.json': outboxOf(items),
      'media_attachments/files/109/000/a.jpg': await picture('red'),
      'likes.json': '{}',
      'actor.json': '{}',
    }
    const bytes = await makeZip(entries)
    await confirm(bytes)
    await app.settle()
    expect(await checkedImport()).toBe(told)
    // The archive itself is of no more use.
    await app.ctx.jobs.add('delete-abandoned-files', {})
    await app.settle()
    expect((await storedKeys(app.ctx)).filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  test('as .tar.gz, with the files before the list, in a folder', async () => {
    const bytes = await makeTarGz({
      './archive/media_attachments/files/109/000/a.jpg': await picture('red'),
      './archive/outbox.json': outboxOf(items.toReversed()),
    })
    await confirm(bytes, 'archive.tar.gz')
    await app.settle()
    expect(await checkedImport()).toBe(told)
  })

  test('is imported once, however often it comes', async () => {
    const entries = {
      'outbox.json': outboxOf(items),
      'media_attachments/files/109/000/a.jpg': await picture('red'),
    }
    await bring(entries)
    const before = await listed()
    await bring(entries)
    expect(await listed()).toEqual(before)
    expect(await importPage()).toContain('8 were here already')
  })
})

describe('nobody is told', () => {
  test('no notification, no home entry, no event, no mail; search and featured tags know it', async () => {
    const bob = await app.person('bob')
    await bob.follow(ann)
    ;(await bob.post(`/api/v1/accounts/${ann.accountId}/follow`, { notify: true })).ok()
    ;(await bob.post('/api/v1/tags/birds/follow')).ok()
    ;(await ann.post('/api/v1/featured_tags', { name: 'birds' })).ok()
    const home = async (who: Person) =>
      (await who.get('/api/v1/timelines/home')).ok().map((one: Json) => one.id)
    await ann.say('now')
    await app.settle()
    const [homeOfBob, homeOfAnn] = [await home(bob), await home(ann)]
    const notified = (await bob.get('/api/v1/notifications')).ok().length
    app.mails.length = 0
    await confirm(
      await makeZip(
        posts(
          archivedPost('1', '2026-01-01T10:00:00Z', `<p>@${bob.username} hello #birds of paradise</p>`, {
            tag: [
              {
                type: 'Mention',
                href: `https://chat.example/users/${bob.username}`,
                name: `@${bob.username}@chat.example`,
              },
            ],
          }),
          archivedPost('2', '2019-01-01T10:00:00Z', '<p>old #birds</p>'),
        ),
      ),
    )
    const { runArchiveImport } = await import('#domain/transfer/portability/archive/archive-run.ts')
    const { rows } = await sql<{ id: string }>`
      select id from bulk_imports where account_id = ${ann.accountId}`.execute(app.ctx.db)
    await runArchiveImport(app.ctx, asId<BulkImportId>(rows[0]!.id))
    const events = await sql<{ type: string }>`select event ->> 'type' as type from outbox`.execute(
      app.ctx.db,
    )
    expect(new Set(events.rows.map((row) => row.type))).toEqual(
      new Set(['import.confirmed', 'files.abandoned']),
    )
    await app.settle()
    expect((await listed()).length).toBe(3)
    expect([await home(bob), await home(ann)]).toEqual([homeOfBob, homeOfAnn])
    expect((await bob.get('/api/v1/notifications')).ok()).toHaveLength(notified)
    expect((await bob.get('/api/v1/conversations')).ok()).toEqual([])
    expect(app.mails).toEqual([])
    const mentions = await sql`select 1 from mentions where account_id = ${bob.accountId}`.execute(app.ctx.db)
    expect(mentions.rows).toEqual([])
    expect((await ann.get(`/api/v1/accounts/${ann.accountId}/featured_tags`)).ok()).toMatchObject([
      { statuses_count: '2', last_status_at: '2026-01-01' },
    ])
    const found = (await ann.get('/api/v2/search?q=paradise&type=statuses')).ok()
    expect(found.statuses).toHaveLength(1)
    // The latest post stays the latest.
    const account = (await ann.get(`/api/v1/accounts/${ann.accountId}`)).ok()
    expect([account.statuses_count, account.last_status_at]).toEqual([
      3,
      new Date(app.clock.now()).toISOString().slice(0, 10),
    ])
  })
})

describe('what is never wider than it was', () => {
  test('audiences that differ, and what was for one server alone', async () => {
    const post = (id: string, more: object, around: object = {}) => ({
      ...archivedPost(id, `2020-01-0${id}T10:00:00Z`, `<p>${id}</p>`, more as never),
      ...around,
    })
    await bring(
      posts(
        post('1', {}, { to: ['https://old.example/users/ann/followers'], cc: [] }),
        post('2', { localOnly: true }),
        post('3', { to: ['https://old.example/users/other/followers'], cc: [] }),
        post('4', { to: undefined, cc: undefined }, { to: undefined, cc: undefined }),
        post('5', { to: 'as:Public', cc: [] }),
        post('6', { published: '2999-01-01T00:00:00Z' }),
      ),
    )
    expect((await listed()).map((one) => [one.content, one.visibility])).toEqual([
      ['<p>6</p>', 'public'],
      ['<p>5</p>', 'public'],
      ['<p>4</p>', 'direct'],
      ['<p>2</p>', 'private'],
      ['<p>1</p>', 'private'],
    ])
    const [future] = await listed()
    expect(Date.parse(future!.created_at)).toBeLessThanOrEqual(app.clock.now())
    const { rows } = await sql`
      select 1 from statuses where account_id = ${ann.accountId} and local_only`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  test('a limited account’s posts', async () => {
    await sql`update accounts set silenced_at = now() where id = ${ann.accountId}`.execute(app.ctx.db)
    await bring(posts(archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>')))
    expect((await listed()).map((one) => one.visibility)).toEqual(['unlisted'])
  })
})

describe('what is not as it should be [CNT-19]', () => {
  const outbox = () => outboxOf([archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>')])

  async function refused(bytes: Buffer, name: string): Promise<string> {
    const sent = await send(bytes, name)
    if (sent.status === 422) return /role="alert">([^<]*)</.exec(sent.text)?.[1] ?? ''
    expect(sent.status).toBe(303)
    const shown = await browser.get(sent.location as string)
    await browser.submit(shown.forms.find((one) => one.action.endsWith('/confirm'))!)
    await app.settle()
    const { rows } = await sql<{ state: string; error: string }>`
      select state, error from bulk_imports where account_id = ${ann.accountId} order by id desc limit 1`.execute(
      app.ctx.db,
    )
    expect([name, rows[0]?.state]).toEqual([name, 'failed'])
    const told = describeReason(readReason(rows[0]!.error), 'en')
    expect(await importPage()).toContain(told)
    return told
  }

  test('no archive, a broken one, one without posts, one that leads elsewhere', async () => {
    const zip = await makeZip({ 'outbox.json': outbox() })
    const patched = (from: string, to: string) =>
      Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
    const tar = await makeTarGz({ 'outbox.json': outbox() })
    const cases: [string, Buffer, string | RegExp][] = [
      ['x.zip', Buffer.from('hello'), /no \.zip or \.tar\.gz/],
      ['empty.zip', Buffer.alloc(0), /no \.zip or \.tar\.gz/],
      ['cut.zip', zip.subarray(0, zip.length - 40), 'The archive is damaged'],
      ['cut.tar.gz', tar.subarray(0, tar.length - 20), 'The archive is damaged'],
      ['none.zip', await makeZip({ 'a.txt': 'x' }), 'There is no outbox.json in the archive'],
      ['none.tar.gz', await makeTarGz({ 'a.txt': 'x' }), 'There is no outbox.json in the archive'],
      ['climb.zip', patched('outbox.json', '../../x.txt'), 'The archive names files outside of itself'],
      ['root.zip', patched('outbox.json', '/etc/passwd'), 'The archive names files outside of itself'],
      [
        'climb.tar.gz',
        await makeTarGz({ '../../evil': 'x', 'outbox.json': outbox() }),
        'The archive names files outside of itself',
      ],
      [
        'link.tar.gz',
        await makeTarGz({}, [{ name: 'outbox.json', type: 'symlink', linkname: '/etc/passwd' }]),
        'There is no outbox.json in the archive',
      ],
      ['json.zip', await makeZip({ 'outbox.json': 'hello' }), 'outbox.json is no JSON'],
      ['half.zip', await makeZip({ 'outbox.json': outbox().slice(0, -30) }), 'outbox.json breaks off'],
      ['other.zip', await makeZip({ 'outbox.json': '{"a":1}' }), 'outbox.json is no list of posts'],
    ]
    for (const [name, bytes, expected] of cases) {
      expect([name, await refused(bytes, name)]).toEqual([name, expect.stringMatching(expected)])
    }
    expect(await listed()).toEqual([])
  })

  test('links in a .zip are no files', async () => {
    const { ZipFile } = await import('yazl')
    const { buffer } = await import('node:stream/consumers')
    const zip = new ZipFile()
    const post = archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>', { attachment: [document('a.jpg')] })
    zip.addBuffer(Buffer.from(outboxOf([post])), 'outbox.json')
    zip.addBuffer(Buffer.from('/etc/passwd'), 'media_attachments/files/a.jpg', { mode: 0o120777 })
    zip.end()
    await confirm(await buffer(zip.outputStream))
    await app.settle()
    expect(await texts()).toEqual(['<p>one</p>'])
    expect((await listed())[0]!.media_attachments).toEqual([])
  })

  test('bad posts among good ones are told, with the reason, and the others come', async () => {
    const good = archivedPost('1', '2020-01-01T10:00:00Z', '<p>good</p>', {
      attachment: [
        document('good.jpg'),
        document('missing.jpg'),
        document('bad.jpg'),
        { type: 'Document', url: '../../../etc/passwd' },
        document('fifth.jpg'),
      ],
    })
    const bad: unknown[] = [
      'text',
      null,
      { type: 'Create', object: { type: 'Note' } },
      archivedPost('3', 'yesterday', '<p>no date</p>'),
      archivedPost('4', '2020-01-01T10:00:00Z', '<p>theirs</p>', {
        attributedTo: 'https://old.example/users/bob',
      }),
      archivedPost('5', '2020-01-01T10:00:00Z', ''),
      archivedPost('6', '2020-01-01T10:00:00Z', `<p>${'long '.repeat(20_000)}</p>`),
      archivedPost('7', '2020-01-01T10:00:00Z', `<p>${'x'.repeat(1_100_000)}</p>`),
      { ...archivedPost('8', '2020-01-01T10:00:00Z', '<p>x</p>'), actor: 'https://old.example/users/bob' },
      archivedPost('9', '2020-01-01T10:00:00Z', '<p>forged</p>', { id: 'https://far.example/1' }),
    ]
    const deep = `{"type":"Create","object":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const outside = JSON.stringify({ type: 'Like', object: 'https://far.example/1' })
    const all = `{"orderedItems":[${[...[good, ...bad].map((item) => JSON.stringify(item)), deep, outside, '{"a":}'].join(',')}]}`
    await bring({
      'outbox.json': all,
      'media_attachments/files/good.jpg': await picture('red'),
      'media_attachments/files/bad.jpg': 'no picture at all',
      'media_attachments/files/fifth.jpg': await picture('blue'),
    })
    expect(await texts()).toEqual(['<p>good</p>'])
    expect((await listed())[0]!.media_attachments).toHaveLength(1)
    const page = await importPage()
    expect(page).toContain('14 of 14, 11 not possible')
    expect(page).toContain('1 imported')
    const failures = /\/settings\/imports\/\d+\/failures\.csv/.exec(page)![0]
    const told = (await browser.get(failures)).text.trim().split('\n')
    expect(told[0]).toMatch(
      /^1,https:\/\/old\.example\/users\/ann\/statuses\/1,"media_attachments\/files\/missing\.jpg is not in the archive; media_attachments\/files\/bad\.jpg: .*Only 4 of its files are here"$/,
    )
    expect(told.map((line) => line.split(',').at(-1)).slice(1)).toEqual([
      'It is no activity',
      'It is no activity',
      'The post has no address or author',
      'The post has no date',
      'The post is by somebody else',
      'The post is empty',
      'The post is too long',
      'The post is too long',
      'The post is by somebody else',
      'The post is by somebody else',
      'It is no JSON',
    ])
  })

  test('bombs are not unpacked: small limits stand for large ones', async () => {
    const { openArchive } = await import('#domain/transfer/portability/archive/archive-files.ts')
    const limits = { entries: 5, outboxBytes: 2 ** 20, fileBytes: 2 ** 20, totalBytes: 3 * 2 ** 20 }
    const folder = app.ctx.config.dataDir
    const opened = async (name: string, bytes: Buffer) => {
      const file = path.join(folder, name)
      await writeFile(file, bytes)
      return openArchive(file, folder, limits)
    }
    const zeros = Buffer.alloc(4 * 2 ** 20)
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}.txt`, 'x']))
    for (const make of [makeZip, makeTarGz]) {
      const name = make.name
      await expect(opened(name, await make({ ...many, 'outbox.json': '{}' }))).rejects.toThrow(
        'more than 5 entries',
      )
      const large = async () => {
        const archive = await opened(name, await make({ 'outbox.json': zeros }))
        await archive.extractOutbox(path.join(folder, 'outbox.out')).finally(() => archive.close())
      }
      await expect(large()).rejects.toThrow(/outbox\.json is larger than 1 MB|unpacks to more than 3 MB/)
      const archive = await opened(
        name,
        await make({ 'outbox.json': '{}', a: zeros.subarray(0, 2 ** 20 + 1) }),
      )
      await archive.extractOutbox(path.join(folder, 'outbox.out'))
      await archive.locate(new Set(['a', 'b']))
      const extracted = archive
        .extract('a', path.join(folder, 'a.out'))
        .catch((error: Error) => error.message)
      expect(await extracted).toSatisfy(
        (told: unknown) => told === false || told === 'The file is larger than 1 MB',
      )
      expect(await archive.extract('b', path.join(folder, 'b.out'))).toBe(false)
      await archive.close()
    }
  })
})

describe('an import', () => {
  test('goes on after it was stopped in the middle, and does nothing twice', async () => {
    const items = Array.from({ length: 30 }, (_, n) =>
      archivedPost(String(n), `2020-01-01T10:00:${String(n).padStart(2, '0')}Z`, `<p>${n}</p>`, {
        inReplyTo: n > 0 ? archivedUri(String(n - 1)) : null,
        attachment: n % 10 === 5 ? [document(`${n}.jpg`)] : [],
      }),
    )
    const files: Entries = {}
    for (const n of [5, 15, 25]) files[`media_attachments/files/${n}.jpg`] = await picture('red')
    const id = await confirm(await makeZip({ 'outbox.json': outboxOf(items), ...files }))
    const { runArchiveImport } = await import('#domain/transfer/portability/archive/archive-run.ts')
    const storage = app.ctx.storage as { put: (typeof app.ctx.storage)['put'] }
    const { put } = storage
    let stored = 0
    storage.put = async (...args) => {
      if (++stored > 2) throw new Error('the store is away')
      return put(...args)
    }
    await expect(runArchiveImport(app.ctx, asId<BulkImportId>(id))).rejects.toThrow('the store is away')
    storage.put = put
    expect(await texts()).toHaveLength(15)
    expect(await importPage()).toContain('15 of 30')
    await app.settle()
    const found = await listed()
    expect(found.map((one) => one.content)).toEqual(items.map((_, n) => `<p>${29 - n}</p>`))
    expect(found.map((one) => one.in_reply_to_id)).toEqual([...found.slice(1).map((one) => one.id), null])
    expect(found.filter((one) => one.media_attachments.length === 1)).toHaveLength(3)
    expect(await importPage()).toContain('30 of 30')
    await runArchiveImport(app.ctx, asId<BulkImportId>(id))
    expect(await texts()).toHaveLength(30)
    // Nothing that nothing names is left of the first try.
    await app.ctx.jobs.add('delete-abandoned-files', {})
    await app.settle()
    const { rows } = await sql<{ key: string }>`
      select unnest(array[original_key, preview_key]) as key from media_attachments`.execute(app.ctx.db)
    expect((await storedKeys(app.ctx)).filter((key) => key.startsWith('media_attachments/'))).toEqual(
      rows.map((row) => row.key).toSorted(),
    )
  })

  test('is its owner’s alone; waits for a yes, and can be thrown away [ACC-7]', async () => {
    const bytes = await makeZip(posts(archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>')))
    const sent = await send(bytes)
    await app.settle()
    expect(await texts()).toEqual([])
    const eve = await signedIn(app, await personWithPassword(app, 'eve'))
    expect((await eve.get(sent.location as string)).status).toBe(404)
    expect((await eve.get('/settings/imports')).text).not.toContain('archive.zip')
    const shown = await browser.get(sent.location as string)
    const discard = shown.forms.find((one) => one.action.endsWith('/discard'))
    expect((await browser.submit(discard!)).status).toBe(303)
    await app.ctx.jobs.add('delete-abandoned-files', {})
    await app.settle()
    expect((await storedKeys(app.ctx)).filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  test('is refused to strangers before a byte is read, and while another one runs', async () => {
    const bytes = await makeZip(posts(archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>')))
    const stranger = newBrowser(app)
    await stranger.get('/auth/sign_in')
    const form = { action: '/settings/imports/archive', method: 'post', fields: {} }
    const file = { name: 'data', content: new File([new Uint8Array(bytes)], 'archive.zip') }
    expect((await stranger.upload(form, {}, file)).status).toBe(401)
    await confirm(bytes)
    const again = await send(bytes)
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('Another archive')])
    await app.settle()
    expect((await send(bytes)).status).toBe(303)
  })

  test('that nobody goes on with has failed after a week, and stands in nobody’s way', async () => {
    const bytes = await makeZip(posts(archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>')))
    const id = await confirm(bytes)
    await sql`update bulk_imports set created_at = created_at - interval '8 days' where id = ${id}`.execute(
      app.ctx.db,
    )
    await purgeImports(app.ctx)
    expect((await send(bytes)).status).toBe(303)
    expect(await importPage()).toContain('Interrupted')
  })

  test('of what is here already, and was deleted since, brings it back', async () => {
    const kept = await ann.say('kept')
    const lost = await ann.say('lost')
    const here = (status: Json, html: string) =>
      JSON.parse(
        JSON.stringify(archivedPost(status.id, status.created_at, html))
          .replaceAll('https://old.example/users/ann', `https://chat.example/users/${ann.username}`)
          .replaceAll('https://old.example', 'https://chat.example'),
      ) as unknown
    ;(await ann.delete(`/api/v1/statuses/${lost.id}`)).ok()
    await bring(posts(here(kept, '<p>kept</p>'), here(lost, '<p>lost</p>')))
    const found = await listed()
    expect(found.map((one) => one.content).toSorted()).toEqual(['<p>kept</p>', '<p>lost</p>'])
    expect(found.map((one) => one.id)).not.toContain(lost.id)
  })
})
