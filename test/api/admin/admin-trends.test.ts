// What staff see of trends, and decide about them. What trends at all: test/api/reading/trends.test.ts.
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensurePublishers, publisherOf, purgePublishers } from '#domain/content/cards/providers.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { applaud, crowd, discoverable, noon, pageCard, share } from '#test/people/trending.ts'

const app = useApp()
const base = '/api/v1/admin/trends'
const publishers = `${base}/links/publishers`
let fans: Person[]
let admin: Person
let start = noon

beforeAll(async () => {
  app.clock.set(noon)
  fans = await crowd(app, 6)
  admin = await app.person('admin', { role: 'Admin' })
})

beforeEach(async () => {
  // A week later nothing of the test before is left.
  start += days(7)
  app.clock.set(start)
  await setSetting(app.ctx, 'trendable_by_default', false)
  await setSetting(app.ctx, 'trends', true)
  await refresh()
})

const refresh = () => refreshTrends(app.ctx)
const use = async (people: readonly Person[], tag: string) => {
  for (const person of people) await person.say(`about #${tag}`)
}
const list = async (client: Client, kind: string, query: Record<string, unknown> = {}): Promise<Json[]> =>
  (await client.get(`/api/v1/${kind}`, query)).ok()
const log = async (targetType: string) => {
  const { rows } = await sql<{ action: string; target_label: string; account_id: string }>`
    select action, target_label, account_id from audit_log where target_type = ${targetType} order by id desc`.execute(
    app.ctx.db,
  )
  return rows
}

describe('hashtags', () => {
  test('are shown before they are reviewed, and after they are rejected', async () => {
    await use(fans, 'Heron')
    await refresh()
    expect(await list(app.anonymous, 'trends/tags')).toEqual([])
    const [tag, ...rest] = await list(admin, 'admin/trends/tags')
    expect(rest).toEqual([])
    expect(tag).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Heron',
      url: 'https://chat.example/tags/heron',
      history: expect.arrayContaining([{ day: expect.any(String), uses: '6', accounts: '6' }]),
      following: false,
      featuring: false,
      trendable: false,
      usable: true,
      listable: true,
      requires_review: true,
    })
    const approved = (await admin.post(`${base}/tags/${tag.id}/approve`)).ok()
    expect(approved).toEqual({ ...tag, trendable: true, requires_review: false })
    expect((await list(app.anonymous, 'trends/tags'))[0]).toMatchObject({ name: 'Heron' })
    const rejected = (await admin.post(`${base}/tags/${tag.id}/reject`)).ok()
    expect(rejected).toEqual({ ...tag, trendable: false, requires_review: false })
    expect(await list(app.anonymous, 'trends/tags')).toEqual([])
    expect(await list(admin, 'admin/trends/tags')).toEqual([rejected])
    const entry = { target_label: '#Heron', account_id: admin.accountId }
    expect(await log('tag')).toEqual([
      { action: 'reject', ...entry },
      { action: 'approve', ...entry },
    ])
    expect((await admin.post(`${base}/tags/1/approve`)).status).toBe(404)
  })

  test('are listed in parts, the strongest first, whatever language the staff read; also while trends are off', async () => {
    await sql`update users set chosen_languages = '{de}' where id = ${admin.userId}`.execute(app.ctx.db)
    await use(fans.slice(0, 5), 'small')
    await use(fans, 'large')
    await sql`update tag_trends set language = 'de'`.execute(app.ctx.db)
    await refresh()
    const names = async (query: Record<string, unknown>) =>
      (await list(admin, 'admin/trends/tags', query)).map((tag) => tag.name)
    await setSetting(app.ctx, 'trends', false)
    expect(await names({})).toEqual(['large', 'small'])
    expect(await names({ limit: 1, offset: 1 })).toEqual(['small'])
    const page = await admin.get(`${base}/tags`, { limit: 1 })
    expect(page.links).toEqual({ next: `${base}/tags?limit=1&offset=1` })
    const queries = async (limit: number) =>
      (await app.countQueries(() => admin.get(`${base}/tags`, { limit }))).length
    expect(await queries(1)).toBe(await queries(2))
  })
})

describe('links', () => {
  const url = 'https://www.news.example/story'

  test('are decided about for all addresses of the page, also those to come [ACC-16]', async () => {
    const canonical = { canonical_url: 'https://www.news.example/same' }
    const one = await pageCard(app.ctx, `${url}?a`, canonical)
    const two = await pageCard(app.ctx, `${url}?b`, canonical)
    await share(app, fans, one)
    await refresh()
    const [link, ...rest] = await list(admin, 'admin/trends/links')
    expect(rest).toEqual([])
    expect(link).toMatchObject({
      id: one,
      url: canonical.canonical_url,
      title: 'A story',
      requires_review: true,
      history: expect.any(Array),
    })
    expect(await list(app.anonymous, 'trends/links')).toEqual([])
    expect((await admin.post(`${base}/links/${one}/approve`)).ok()).toEqual({
      ...link,
      requires_review: false,
    })
    const shown = await list(app.anonymous, 'trends/links')
    expect(shown).toHaveLength(1)
    expect(shown[0]).not.toHaveProperty('requires_review')
    await setSetting(app.ctx, 'trendable_by_default', true)
    expect((await admin.post(`${base}/links/${one}/reject`)).ok()).toMatchObject({ requires_review: false })
    const { rows } = await sql<{ trendable: boolean }>`
      select trendable from preview_cards where id = any(${[one, two]}::bigint[])`.execute(app.ctx.db)
    expect(rows).toEqual([{ trendable: false }, { trendable: false }])
    expect(await list(app.anonymous, 'trends/links')).toEqual([])
    // Shared anew under another address, when the one that was decided about is in no list any more.
    app.clock.set(start + days(4))
    await refresh()
    await share(app, fans, await pageCard(app.ctx, `${url}?c`, canonical))
    await share(app, fans.slice(0, 1), two)
    await refresh()
    expect(await list(app.anonymous, 'trends/links')).toEqual([])
    expect(await log('preview_card')).toMatchObject([
      { action: 'reject', target_label: canonical.canonical_url },
      { action: 'approve' },
    ])
    expect((await admin.post(`${base}/links/1/reject`)).status).toBe(404)
  })

  test('follow what was decided about who publishes them, unless they were decided about themselves [ACC-16]', async () => {
    const [first, second] = [await pageCard(app.ctx, `${url}/1`), await pageCard(app.ctx, `${url}/2`)]
    await share(app, fans, first)
    await share(app, fans.slice(0, 5), second)
    await refresh()
    const [publisher] = await list(admin, 'admin/trends/links/publishers')
    expect(publisher).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain: 'news.example',
      trendable: null,
      reviewed_at: null,
      requested_review_at: null,
      requires_review: true,
    })
    const approved = (await admin.post(`${publishers}/${publisher.id}/approve`)).ok()
    expect(approved).toEqual({
      ...publisher,
      trendable: true,
      reviewed_at: expect.stringMatching(/^20\d\d-/),
      requires_review: false,
    })
    const urls = async () => (await list(app.anonymous, 'trends/links')).map((link) => link.url)
    expect(await urls()).toEqual([`${url}/1`, `${url}/2`])
    const waiting = (await list(admin, 'admin/trends/links')).map((link) => link.requires_review)
    expect(waiting).toEqual([false, false])
    ;(await admin.post(`${base}/links/${first}/reject`)).ok()
    expect(await urls()).toEqual([`${url}/2`])
    ;(await admin.post(`${publishers}/${publisher.id}/reject`)).ok()
    await setSetting(app.ctx, 'trendable_by_default', true)
    expect(await urls()).toEqual([])
    ;(await admin.post(`${base}/links/${second}/approve`)).ok()
    expect(await urls()).toEqual([`${url}/2`])
    expect(await log('preview_card_provider')).toMatchObject([
      { action: 'reject', target_label: 'news.example' },
      { action: 'approve', target_label: 'news.example' },
    ])
    expect((await admin.post(`${publishers}/1/approve`)).status).toBe(404)
  })
})

describe('publishers', () => {
  test.each([
    ['https://www.example.com/a?b', 'example.com'],
    ['https://BLOG.example.co.uk:8443/', 'example.co.uk'],
    ['https://someone.github.io/', 'someone.github.io'],
    ['http://192.0.2.7/x', '192.0.2.7'],
    ['https://news.example./', 'news.example'],
    ['no address', null],
  ])('%s is by %s', (url, domain) => expect(publisherOf(url)).toBe(domain))

  test('are listed in pages, and forgotten when nothing of theirs is left and nobody decided about them', async () => {
    const names = ['p1.example', 'p2.example', 'p3.example']
    for (const name of names) await app.ctx.transaction((tx) => ensurePublishers(tx, [name]))
    const again = await app.ctx.transaction((tx) => ensurePublishers(tx, [...names, ...names]))
    expect([...again.keys()].toSorted()).toEqual(names)
    const first = await admin.get(publishers, { limit: 2 })
    expect(first.ok().map((one: Json) => one.domain)).toEqual(['p3.example', 'p2.example'])
    const next = await admin.get(first.links['next'] as string)
    expect(next.ok()[0]).toMatchObject({ domain: 'p1.example' })
    await admin.post(`${publishers}/${again.get('p2.example')}/reject`)
    app.clock.advance(days(31))
    await purgePublishers(app.ctx)
    const left = (await list(admin, 'admin/trends/links/publishers')).map((one) => one.domain)
    expect(left.filter((domain) => names.includes(domain))).toEqual(['p2.example'])
  })
})

describe('statuses', () => {
  test('wait for a decision about them or their author; a rejected one is shown to staff while it has no rival', async () => {
    const author = await discoverable(app, 'author')
    ;(await admin.post(`/api/v1/accounts/${author.accountId}/block`)).ok()
    const { id } = await author.say('liked')
    await applaud(fans, id)
    await refresh()
    expect(await list(app.anonymous, 'trends/statuses')).toEqual([])
    const [waiting] = await list(admin, 'admin/trends/statuses')
    expect(waiting).toMatchObject({ id, content: '<p>liked</p>', requires_review: true })
    expect((await admin.post(`${base}/statuses/${id}/approve`)).ok()).toMatchObject({
      id,
      requires_review: false,
    })
    expect((await list(app.anonymous, 'trends/statuses')).map((status) => status.id)).toEqual([id])
    expect((await admin.post(`${base}/statuses/${id}/reject`)).ok()).toMatchObject({ requires_review: false })
    await refresh()
    expect(await list(app.anonymous, 'trends/statuses')).toEqual([])
    expect((await list(admin, 'admin/trends/statuses')).map((status) => status.id)).toEqual([id])
    const better = await author.say('another')
    await applaud(fans.slice(0, 5), better.id)
    await refresh()
    expect((await list(admin, 'admin/trends/statuses')).map((status) => status.id)).toEqual([better.id])
    expect(await log('status')).toMatchObject([{ action: 'reject' }, { action: 'approve' }])
  })

  test('what is not for everybody cannot be approved [ACC-16]', async () => {
    const author = await discoverable(app, 'author')
    const { id } = await author.say('among us', { visibility: 'private' })
    const gone = await author.say('gone')
    ;(await author.delete(`/api/v1/statuses/${gone.id}`)).ok()
    for (const one of [id, gone.id, '1', 'x'])
      expect((await admin.post(`${base}/statuses/${one}/approve`)).status).toBe(404)
  })
})

test('who may not decide sees nothing of it, and changes nothing', async () => {
  await use(fans, 'secret')
  const card = await pageCard(app.ctx, 'https://secret.example/')
  await share(app, fans, card)
  await refresh()
  const [tag] = await list(admin, 'admin/trends/tags')
  const alice = await app.person('alice')
  const plain = await app.withScopes(alice, ['read', 'write', 'admin:read', 'admin:write'])
  for (const kind of ['tags', 'links', 'statuses']) {
    expect((await plain.get(`${base}/${kind}`)).status).toBe(403)
    expect((await app.anonymous.get(`${base}/${kind}`)).status).toBe(401)
    expect((await (await app.withScopes(admin, ['read'])).get(`${base}/${kind}`)).status).toBe(403)
  }
  const [publisher] = await list(admin, 'admin/trends/links/publishers')
  const reading = await app.withScopes(admin, ['admin:read'])
  for (const path of [`tags/${tag?.id}`, `links/${card}`, `links/publishers/${publisher?.id}`, 'statuses/1'])
    for (const decision of ['approve', 'reject']) {
      expect((await app.anonymous.post(`${base}/${path}/${decision}`)).status).toBe(401)
      for (const client of [plain, reading])
        expect((await client.post(`${base}/${path}/${decision}`)).status).toBe(403)
    }
  expect((await plain.get(publishers)).status).toBe(403)
})
