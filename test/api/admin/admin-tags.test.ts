import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureTags } from '#domain/content/tags/ensure-tags.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const tags = '/api/v1/admin/tags'
let admin: Person
let alice: Person

beforeAll(async () => {
  admin = await app.person('admin', { role: 'Admin' })
  alice = await app.person('alice')
})

/** A hashtag that Alice has used, as staff see it. */
async function used(name: string): Promise<Json> {
  await alice.say(`about #${name}`)
  const { id } = (await admin.get(`/api/v1/tags/${name}`)).ok()
  return (await admin.get(`${tags}/${id}`)).ok()
}

describe('hashtags [4-107]', () => {
  test('are shown and changed by staff, which counts as a review', async () => {
    const tag = await used('cooltag')
    expect(tag).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'cooltag',
      url: 'https://chat.example/tags/cooltag',
      history: expect.any(Array),
      following: false,
      featuring: false,
      trendable: false,
      usable: true,
      listable: true,
      requires_review: true,
    })
    expect(tag.history[0]).toMatchObject({ uses: '1', accounts: '1' })
    const changed = (
      await admin.put(`${tags}/${tag.id}`, { display_name: '#CoolTag', trendable: 'true', listable: '0' })
    ).ok()
    expect(changed).toEqual({
      ...tag,
      name: 'CoolTag',
      trendable: true,
      listable: false,
      requires_review: false,
    })
    expect((await admin.put(`${tags}/${tag.id}`, {})).ok()).toEqual(changed)
    const { rows } = await sql`
      select account_id, action, target_id, target_label, details from audit_log
      where target_type = 'tag' order by id limit 1`.execute(app.ctx.db)
    expect(rows).toEqual([
      {
        account_id: admin.accountId,
        action: 'update',
        target_id: tag.id,
        target_label: '#CoolTag',
        details: { display_name: 'CoolTag', trendable: true, usable: true, listable: false },
      },
    ])
  })

  test('keep their name but for its letters’ case and marks', async () => {
    const tag = await used('bodo')
    expect((await admin.put(`${tags}/${tag.id}`, { display_name: 'Bodø' })).ok()).toMatchObject({
      name: 'Bodø',
    })
    for (const name of ['oslo', 'bodo2', 'bo do', '', '#'])
      expect(await admin.put(`${tags}/${tag.id}`, { display_name: name })).toMatchObject({
        status: 422,
        body: { error: 'Validation failed: Display name does not match the previous name' },
      })
    expect((await admin.get(`${tags}/${tag.id}`)).ok()).toMatchObject({ name: 'Bodø' })
  })

  test('are listed in pages, the newest first, by as many queries whatever the number', async () => {
    for (const name of ['page1', 'page2', 'page3']) await used(name)
    const first = await admin.get(tags, { limit: 2 })
    expect(first.ok().map((tag: Json) => tag.name)).toEqual(['page3', 'page2'])
    const second = await admin.get(first.links['next'] as string)
    expect(second.ok()[0]).toMatchObject({ name: 'page1' })
    const newer = await admin.get(tags, { min_id: second.ok()[0].id, limit: 1 })
    expect(newer.ok()).toMatchObject([{ name: 'page2' }])
    const queries = async (limit: number) => (await app.countQueries(() => admin.get(tags, { limit }))).length
    expect(await queries(1)).toBe(await queries(3))
  })

  test('that nobody may use are refused in posts, stay out of what other servers send, and have no timeline', async () => {
    const tag = await used('Banned')
    const { id: earlier } = await alice.say('without it')
    ;(await admin.put(`${tags}/${tag.id}`, { usable: false })).ok()
    const refused = {
      status: 422,
      body: { error: 'Validation failed: Text contained a disallowed hashtag: banned' },
    }
    expect(await alice.post('/api/v1/statuses', { status: 'more #banned' })).toMatchObject(refused)
    expect(await alice.put(`/api/v1/statuses/${earlier}`, { status: 'now #banned' })).toMatchObject(refused)
    const later = new Date(app.clock.now() + 3_600_000).toISOString()
    const scheduled = { status: '#fine #banned', scheduled_at: later }
    expect(await alice.post('/api/v1/statuses', scheduled)).toMatchObject(refused)
    const made = await app.ctx.transaction((tx) =>
      ensureTags(tx, [
        { name: 'banned', display: 'banned' },
        { name: 'welcome', display: 'welcome' },
      ]),
    )
    expect(made).toHaveLength(1)
    expect(made).not.toContain(tag.id)
    expect((await alice.get('/api/v1/timelines/tag/banned')).status).toBe(404)
    expect((await app.fetch('/tags/banned')).status).toBe(404)
    await alice.say('a #welcome post')
    const both = (await alice.get('/api/v1/timelines/tag/welcome', { any: ['banned'] })).ok()
    expect(both.map((status: Json) => status.content)).toEqual([expect.stringContaining('welcome')])
    ;(await admin.put(`${tags}/${tag.id}`, { usable: true })).ok()
    ;(await alice.post('/api/v1/statuses', { status: 'more #banned' })).ok()
    expect((await alice.get('/api/v1/timelines/tag/banned')).ok()).toHaveLength(2)
  })

  test('that are not listed are not found by search', async () => {
    const tag = await used('hidden')
    const found = async () =>
      (await alice.get('/api/v2/search', { q: 'hidden', type: 'hashtags' })).ok().hashtags.length
    expect(await found()).toBe(1)
    ;(await admin.put(`${tags}/${tag.id}`, { listable: false })).ok()
    expect(await found()).toBe(0)
    expect((await alice.get('/api/v1/timelines/tag/hidden')).ok()).toHaveLength(1)
  })
})

test('only staff with the permission, and tokens with the scope, get in', async () => {
  const { id } = await used('guarded')
  const moderator = await app.person('moderator', { role: 'Moderator' })
  await sql`update roles set permissions = permissions & ~256::bigint where name = 'Moderator'`.execute(
    app.ctx.db,
  )
  const reading = await app.withScopes(admin, ['admin:read'])
  const writing = await app.withScopes(admin, ['admin:write'])
  const change = { usable: false }
  expect((await app.anonymous.get(tags)).status).toBe(401)
  expect((await app.anonymous.put(`${tags}/${id}`, change)).status).toBe(401)
  for (const person of [moderator, alice]) {
    for (const path of [tags, `${tags}/${id}`]) expect((await person.get(path)).status).toBe(403)
    expect((await person.put(`${tags}/${id}`, change)).status).toBe(403)
  }
  expect((await reading.get(tags)).status).toBe(200)
  expect((await reading.put(`${tags}/${id}`, change)).status).toBe(403)
  expect((await writing.get(`${tags}/${id}`)).status).toBe(403)
  expect((await writing.put(`${tags}/${id}`, {})).status).toBe(200)
  for (const missing of ['1', 'x']) {
    expect((await admin.get(`${tags}/${missing}`)).status).toBe(404)
    expect((await admin.put(`${tags}/${missing}`, change)).status).toBe(404)
  }
})
