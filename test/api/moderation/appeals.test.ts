// What people say against decisions of staff about them, through the API, and how staff decide. Pages: strikes.test.ts.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { mailsTo, setLocale } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { insertMedia } from '#test/people/status-parts.ts'
import { asId, type AccountWarningId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/appeals'
const day = 86_400_000

const staff = (role: 'Owner' | 'Admin' | 'Moderator' = 'Admin') => app.person('staff', { role })

/** Staff decide about somebody; answers the strike. */
async function strike(by: Client, target: Person, params: Record<string, unknown>): Promise<string> {
  ;(await by.post(`/api/v1/admin/accounts/${target.accountId}/action`, params)).ok()
  return newestStrike(target)
}

async function newestStrike(target: Person): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from account_warnings where target_account_id = ${target.accountId} order by id desc limit 1`.execute(
    app.ctx.db,
  )
  return rows[0]?.id as string
}

const appealTo = (id: string) => `/api/v1/strikes/${id}/appeal`

/** Somebody objects; answers the appeal. */
async function objection(person: Person, strikeId: string, text = 'it was a joke'): Promise<string> {
  ;(await person.post(appealTo(strikeId), { text })).ok()
  const row = await app.ctx.db
    .selectFrom('appeals')
    .select('id')
    .where('warning_id', '=', asId<AccountWarningId>(strikeId))
    .executeTakeFirstOrThrow()
  return row.id
}

const account = async (person: Person): Promise<Json> =>
  (await app.anonymous.get(`/api/v1/accounts/${person.accountId}`)).ok()

describe('strikes', () => {
  test('are seen by the person concerned alone, without who made them', async () => {
    const [admin, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const first = await strike(admin, alice, { type: 'none', text: 'Be kind' })
    const second = await strike(admin, alice, { type: 'silence' })
    const page = await alice.get('/api/v1/strikes', { limit: 1 })
    expect(page.ok()).toMatchObject([{ id: second, action: 'silence', appeal: null }])
    const next = (await alice.get(page.links['next'] as string)).ok()
    expect(next).toEqual([
      {
        id: first,
        action: 'none',
        text: 'Be kind',
        status_ids: [],
        target_account: expect.objectContaining({ id: alice.accountId }),
        appeal: null,
        created_at: expect.any(String),
      },
    ])
    expect((await alice.get(`/api/v1/strikes/${first}`)).ok()).toEqual(next[0])
    expect((await bob.get('/api/v1/strikes')).ok()).toEqual([])
    expect((await bob.get(`/api/v1/strikes/${first}`)).status).toBe(404)
    expect((await bob.post(appealTo(first), { text: 'x' })).status).toBe(404)
    expect((await admin.get(`/api/v1/strikes/${first}`)).status).toBe(404)
    expect((await app.anonymous.get('/api/v1/strikes')).status).toBe(401)
    const reading = await app.withScopes(alice, ['read:accounts'])
    expect((await reading.get('/api/v1/strikes')).status).toBe(200)
    expect((await reading.post(appealTo(first), { text: 'x' })).status).toBe(403)
    expect((await (await app.withScopes(alice, ['read:statuses'])).get('/api/v1/strikes')).status).toBe(403)
  })

  test('are objected to once, in 2000 characters, within 20 days', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const id = await strike(admin, alice, { type: 'silence' })
    for (const text of ['', '  ', 'x'.repeat(2001)])
      expect((await alice.post(appealTo(id), { text })).status).toBe(422)
    const told = (await alice.post(appealTo(id), { text: ` ${'😀'.repeat(2000)} ` })).ok()
    expect(told.appeal).toEqual({ text: '😀'.repeat(2000), state: 'pending' })
    expect((await alice.post(appealTo(id), { text: 'again' })).status).toBe(422)
    const late = await strike(admin, alice, { type: 'none' })
    app.clock.advance(20 * day - 60_000)
    const last = await strike(admin, alice, { type: 'none' })
    app.clock.advance(60_000)
    expect((await alice.post(appealTo(late), { text: 'late' })).body).toEqual({
      error: 'Validation failed: It is too late to appeal this strike',
    })
    expect((await alice.post(appealTo(last), { text: 'in time' })).status).toBe(200)
  })

  test('two objections at the same time are one', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const id = await strike(admin, alice, { type: 'none' })
    const answers = await Promise.all([1, 2, 3].map((n) => alice.post(appealTo(id), { text: `no. ${n}` })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })

  test('are objected to also by those whose login is shut, with a token that they still have', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const id = await strike(admin, alice, { type: 'disable' })
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(403)
    expect((await alice.get(`/api/v1/strikes/${id}`)).ok().action).toBe('disable')
    await objection(alice, id)
  })

  test('are in the notification, with what came of the objection', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const id = await strike(admin, alice, { type: 'none', text: 'Be kind' })
    const appeal = await objection(alice, id, 'I was kind')
    ;(await admin.post(`${path}/${appeal}/reject`)).ok()
    await app.settle()
    const [told] = (await alice.get('/api/v1/notifications', { types: ['moderation_warning'] })).ok()
    expect(told.moderation_warning.appeal).toEqual({ text: 'I was kind', state: 'rejected' })
    const grouped = (await alice.get('/api/v2/notifications', { types: ['moderation_warning'] })).ok()
    expect(grouped.notification_groups[0].moderation_warning.appeal.state).toBe('rejected')
  })
})

describe('staff', () => {
  test('hear of an objection by mail, those who decide and want to', async () => {
    const [admin, owner, moderator] = [await staff(), await staff('Owner'), await staff('Moderator')]
    const concerned = await staff()
    const id = await strike(owner, concerned, { type: 'none' })
    await app.settle()
    app.mails.length = 0
    await objection(concerned, id, 'I was kind\nall the time')
    await app.settle()
    for (const person of [admin, owner]) {
      const [mail, ...more] = mailsTo(app, person)
      expect(more).toEqual([])
      expect(mail?.subject).toContain(`@${concerned.username}`)
      expect(mail?.text).toContain('> I was kind\n> all the time')
    }
    expect([mailsTo(app, moderator), mailsTo(app, concerned)]).toEqual([[], []])
  })

  test('see what it is about, by its state, in pages', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const { id: statusId } = await alice.say('rude', { visibility: 'private' })
    const bob = await app.person('bob')
    await bob.follow(alice)
    const reported = { account_id: alice.accountId, status_ids: [statusId] }
    const report_id = (await bob.post('/api/v1/reports', reported)).ok().id
    const first = await strike(admin, alice, { type: 'silence', text: 'Rude', report_id })
    const second = await strike(admin, alice, { type: 'none' })
    const ids = [await objection(alice, first, 'not rude'), await objection(alice, second)]
    const shown = (await admin.get(`${path}/${ids[0]}`)).ok()
    expect(shown).toMatchObject({
      id: ids[0],
      state: 'pending',
      text: 'not rude',
      created_at: expect.any(String),
      decided_at: null,
      decided_by_account: null,
      account: { id: alice.accountId },
      strike: {
        id: first,
        action: 'silence',
        text: 'Rude',
        account: { id: admin.accountId },
        report_id,
        overruled_at: null,
        statuses: [{ id: statusId }],
      },
    })
    const listed = async (query: Record<string, unknown>) =>
      (await admin.get(path, query)).ok().map((one: Json) => one.id)
    expect((await listed({ state: 'pending' })).slice(0, 2)).toEqual([ids[1], ids[0]])
    ;(await admin.post(`${path}/${ids[0]}/approve`)).ok()
    ;(await admin.post(`${path}/${ids[1]}/reject`)).ok()
    expect((await listed({ state: 'approved' }))[0]).toBe(ids[0])
    expect((await listed({ state: 'rejected' }))[0]).toBe(ids[1])
    expect(await listed({ state: 'pending' })).not.toContain(ids[0])
    const page = await admin.get(path, { limit: 1 })
    expect(page.ok()).toMatchObject([{ id: ids[1] }])
    expect((await admin.get(page.links['next'] as string)).ok()).toMatchObject([{ id: ids[0] }])
    expect((await admin.get(path, { state: 'odd' })).status).toBe(422)
    expect((await admin.get(`${path}/99`)).status).toBe(404)
  })

  test('the list costs the same number of statements whatever it has', async () => {
    const admin = await staff()
    for (let i = 0; i < 6; i += 1) {
      const person = await app.person('person')
      await objection(person, await strike(admin, person, { type: 'none' }))
    }
    const count = async (limit: number) => {
      await admin.get(path, { limit })
      return (await app.countQueries(() => admin.get(path, { limit }))).length
    }
    expect(await count(6)).toBe(await count(3))
  })

  test.each([
    ['silence', 'silenced'],
    ['suspend', 'suspended'],
  ] as const)('undo %s when they approve', async (type, column) => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const stateOf = async () => (await admin.get(`/api/v1/admin/accounts/${alice.accountId}`)).ok()[column]
    const id = await strike(admin, alice, { type })
    expect(await stateOf()).toBe(true)
    const appeal = await objection(alice, id)
    const answer = (await admin.post(`${path}/${appeal}/approve`)).ok()
    expect(answer).toMatchObject({
      state: 'approved',
      decided_at: expect.any(String),
      decided_by_account: { id: admin.accountId },
      strike: { overruled_at: expect.any(String) },
    })
    expect(await stateOf()).toBe(false)
  })

  test('undo a shut login and the mark of all media when they approve', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    for (const [type, column] of [
      ['disable', 'disabled'],
      ['sensitive', 'sensitized'],
    ] as const) {
      const stateOf = async () => (await admin.get(`/api/v1/admin/accounts/${alice.accountId}`)).ok()[column]
      const id = await strike(admin, alice, { type })
      expect(await stateOf()).toBe(true)
      const appeal = await objection(alice, id)
      ;(await admin.post(`${path}/${appeal}/approve`)).ok()
      expect(await stateOf()).toBe(false)
    }
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
  })

  test('unmark the posts that the strike marked, and no others', async () => {
    const [admin, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const say = async (more: Record<string, unknown>) =>
      (await alice.say('look', { media_ids: [await insertMedia(app.ctx, alice)], ...more })).id
    const [plain, own] = [await say({}), await say({ sensitive: true })]
    app.clock.advance(1000)
    const reported = { account_id: alice.accountId, status_ids: [plain, own] }
    const report = (await bob.post('/api/v1/reports', reported)).ok().id
    const type = 'mark_statuses_as_sensitive'
    ;(await admin.post(`/api/v1/admin/reports/${report}/actions`, { type })).ok()
    const sensitive = async (id: string) => (await bob.get(`/api/v1/statuses/${id}`)).ok().sensitive
    expect([await sensitive(plain), await sensitive(own)]).toEqual([true, true])
    app.clock.advance(1000)
    const appeal = await objection(alice, await newestStrike(alice))
    ;(await admin.post(`${path}/${appeal}/approve`)).ok()
    expect([await sensitive(plain), await sensitive(own)]).toEqual([false, true])
  })

  test('keep a limit that a later strike demands', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const first = await strike(admin, alice, { type: 'silence' })
    const second = await strike(admin, alice, { type: 'silence' })
    ;(await admin.post(`${path}/${await objection(alice, first)}/approve`)).ok()
    expect((await account(alice)).limited).toBe(true)
    ;(await admin.post(`${path}/${await objection(alice, second)}/approve`)).ok()
    expect((await account(alice)).limited).toBeFalsy()
  })

  test('decide once, and leave a row in the audit log', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const appeal = await objection(alice, await strike(admin, alice, { type: 'silence' }))
    ;(await admin.post(`${path}/${appeal}/reject`)).ok()
    expect((await account(alice)).limited).toBe(true)
    for (const verb of ['approve', 'reject'])
      expect((await admin.post(`${path}/${appeal}/${verb}`)).status).toBe(422)
    const { rows } = await sql<Json>`
      select account_id, action, target_label from audit_log
      where target_type = 'appeal' and target_id = ${appeal}`.execute(app.ctx.db)
    expect(rows).toEqual([{ account_id: admin.accountId, action: 'reject', target_label: alice.username }])
    expect((await admin.post(`${path}/99/approve`)).status).toBe(404)
  })

  test('decide only about those below them, never about themselves', async () => {
    const [owner, admin, other] = [await staff('Owner'), await staff(), await staff()]
    const appeal = await objection(admin, await strike(owner, admin, { type: 'none' }))
    for (const person of [admin, other])
      for (const verb of ['approve', 'reject'])
        expect((await person.post(`${path}/${appeal}/${verb}`)).status).toBe(403)
    expect((await owner.post(`${path}/${appeal}/approve`)).status).toBe(200)
  })

  test.each([
    ['en', 'approve', 'was accepted'],
    ['en', 'reject', 'was rejected'],
    ['de', 'approve', 'wurde stattgegeben'],
    ['de', 'reject', 'wurde abgelehnt'],
  ])('tell the person by mail, in %s, that they %s, and never who did', async (locale, verb, words) => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    await setLocale(app, alice, locale)
    const appeal = await objection(alice, await strike(admin, alice, { type: 'suspend' }))
    await app.settle()
    app.mails.length = 0
    ;(await admin.post(`${path}/${appeal}/${verb}`)).ok()
    await app.settle()
    const [mail, ...more] = mailsTo(app, alice)
    expect(more).toEqual([])
    expect(mail?.text).toContain(words)
    expect(JSON.stringify(mail)).not.toContain(admin.username)
  })

  test('need manage_appeals and a scope of staff [ACC-9]', async () => {
    const [admin, moderator, alice] = [await staff(), await staff('Moderator'), await app.person('alice')]
    const appeal = await objection(alice, await strike(admin, alice, { type: 'none' }), 'between us')
    const reading = await app.withScopes(admin, ['admin:read'])
    expect((await reading.get(`${path}/${appeal}`)).status).toBe(200)
    expect((await reading.post(`${path}/${appeal}/reject`)).status).toBe(403)
    for (const [who, status] of [
      [moderator, 403],
      [alice, 403],
      [await app.withScopes(admin, ['read', 'write']), 403],
      [app.anonymous, 401],
    ] as const) {
      for (const answer of [
        await who.get(path),
        await who.get(`${path}/${appeal}`),
        await who.post(`${path}/${appeal}/approve`),
        await who.post(`${path}/${appeal}/reject`),
      ]) {
        expect(answer.status).toBe(status)
        expect(JSON.stringify(answer.body)).not.toContain('between us')
      }
    }
  })
})
