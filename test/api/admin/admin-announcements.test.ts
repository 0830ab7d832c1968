import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { RoleId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/announcements'
const hour = 3_600_000
const at = (ms: number) => new Date(app.clock.now() + ms).toISOString()

async function staff(role: 'Owner' | 'Admin' | 'Moderator', scopes = ['read', 'admin:read', 'admin:write']) {
  return app.withScopes(await app.person('staff', { role }), scopes)
}

const shownTo = async (client: Client): Promise<Json[]> => (await client.get('/api/v1/announcements')).ok()

describe('staff', () => {
  test('announce, change and delete', async () => {
    const admin = await staff('Admin')
    const made = (await admin.post(path, { text: 'We move on Sunday #move' })).ok()
    expect(made).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      text: 'We move on Sunday #move',
      content: expect.stringContaining('class="mention hashtag"'),
      starts_at: null,
      ends_at: null,
      all_day: false,
      scheduled_at: null,
      published: true,
      published_at: expect.any(String),
    })
    expect((await shownTo(admin)).map((one) => one.id)).toContain(made.id)
    expect((await admin.get(`${path}/${made.id}`)).ok()).toEqual(made)
    const times = { starts_at: at(hour), ends_at: at(2 * hour), all_day: 'true' }
    const changed = (await admin.put(`${path}/${made.id}`, times)).ok()
    expect(changed).toMatchObject({ ...times, all_day: true, text: made.text, published: true })
    expect((await admin.put(`${path}/${made.id}`, { published: false })).ok()).toMatchObject({
      published: false,
    })
    expect((await shownTo(admin)).map((one) => one.id)).not.toContain(made.id)
    expect((await admin.put(`${path}/${made.id}`, { published: true })).ok()).toMatchObject({
      published: true,
    })
    expect((await admin.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await admin.delete(`${path}/${made.id}`)).status).toBe(404)
    expect((await admin.get(`${path}/${made.id}`)).status).toBe(404)
    expect((await admin.put(`${path}/${made.id}`, { text: 'x' })).status).toBe(404)
    expect((await shownTo(admin)).map((one) => one.id)).not.toContain(made.id)
  })

  test('keep drafts, and schedule what waits for its time', async () => {
    const owner = await staff('Owner')
    const scheduled_at = at(hour)
    const draft = (await owner.post(path, { text: 'draft', published: false })).ok()
    const later = (await owner.post(path, { text: 'later', scheduled_at, published: true })).ok()
    expect(draft).toMatchObject({ published: false, published_at: null, scheduled_at: null })
    expect(later).toMatchObject({ published: false, published_at: null, scheduled_at })
    expect(await shownTo(owner)).toEqual([])
    const all = await owner.get(path, { limit: 1 })
    expect(all.ok()).toEqual([later])
    expect((await owner.get(all.links['next'] as string)).ok()).toMatchObject([{ id: draft.id }])
  })

  test('cannot set all_day without a time range [2.2-32]', async () => {
    const admin = await staff('Admin')
    const error = 'Validation failed: All day can be set only when a time range is given'
    for (const times of [{}, { starts_at: at(hour) }, { ends_at: at(hour) }]) {
      const answer = await admin.post(path, { text: 'x', all_day: true, ...times })
      expect([answer.status, answer.body]).toEqual([422, { error }])
    }
    const range = { starts_at: '2026-08-01', ends_at: '2026-08-03' }
    const made = (await admin.post(path, { text: 'x', all_day: true, ...range })).ok()
    expect(made).toMatchObject({ all_day: true, starts_at: '2026-08-01T00:00:00.000Z' })
    const taken = await admin.put(`${path}/${made.id}`, { ends_at: '' })
    expect([taken.status, taken.body]).toEqual([422, { error }])
  })

  test.each([
    [{}, "Text can't be blank"],
    [{ text: '  ' }, "Text can't be blank"],
    [{ text: 'x', starts_at: 'tomorrow' }, 'Starts at is invalid'],
    [{ text: 'x', scheduled_at: '2026-13-01' }, 'Scheduled at is invalid'],
    [{ text: 'x', starts_at: '2026-02-02', ends_at: '2026-02-01' }, 'Ends at must not be before its start'],
  ])('are told what is wrong with %j', async (params, problem) => {
    const admin = await staff('Admin')
    const answer = await admin.post(path, params)
    expect([answer.status, answer.body]).toEqual([422, { error: `Validation failed: ${problem}` }])
  })
})

describe('others', () => {
  const calls = [
    ['get', path],
    ['get', `${path}/1`],
    ['post', path],
    ['put', `${path}/1`],
    ['put', `${path}/x`],
    ['delete', `${path}/1`],
    ['delete', `${path}/x`],
  ] as const

  test('may not, and are refused before any work [ACC-9]', async () => {
    const user = await app.withScopes(await app.person('user'), ['admin:read', 'admin:write'])
    const moderator = await staff('Moderator')
    const admin = await staff('Admin', ['read', 'write', 'follow', 'push'])
    const reader = await staff('Admin', ['admin:read'])
    for (const [verb, target] of calls) {
      const status = async (client: Client) => (await client[verb](target)).status
      expect([verb, target, await status(app.anonymous)]).toEqual([verb, target, 401])
      expect([verb, target, await status(user)]).toEqual([verb, target, 403])
      expect([verb, target, await status(moderator)]).toEqual([verb, target, 403])
      expect([verb, target, await status(admin)]).toEqual([verb, target, 403])
      const forReader = verb === 'get' ? (target === path ? 200 : 404) : 403
      expect([verb, target, await status(reader)]).toEqual([verb, target, forReader])
      const statements = await app.countQueries(() => user[verb](target))
      expect(statements.filter((statement) => statement.includes('announcements'))).toEqual([])
    }
    const application = await app.application(['admin:read', 'admin:write'])
    expect((await application.get(path)).status).toBe(422)
    expect((await user.post(path, { text: 'x' })).body).toEqual({ error: 'This action is not allowed' })
  })

  test('whose role names the permission may', async () => {
    const id = app.ctx.newId<RoleId>()
    const herald = await app.person('herald')
    const role = { id, name: 'Herald', permissions: String(0x2000) }
    await app.ctx.db.insertInto('roles').values(role).execute()
    await app.ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', herald.userId).execute()
    const client = await app.withScopes(herald, ['admin:write'])
    expect((await client.post(path, { text: 'hear' })).ok()).toMatchObject({ text: 'hear' })
    await app.ctx.db.updateTable('users').set({ disabled: true }).where('id', '=', herald.userId).execute()
    expect((await client.post(path, { text: 'hear' })).status).toBe(403)
  })
})
