import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { runDry } from '#domain/content/spam/dry-run.ts'
import { purgeHits } from '#domain/content/spam/hits.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import { blackPng } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { uploadForm } from '#test/client/upload.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { readReason } from '#lib/messages/keep-reason.ts'
import { asId, type ScheduledStatusId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/spam_rules'
const refused = 'Your post was refused by a rule of this server against spam'

let admin: Person
let alice: Person
let bob: Person
beforeEach(async () => {
  await app.ctx.db.deleteFrom('spam_rules').execute()
  admin = await app.person('admin', { role: 'Admin' })
  alice = await app.person('alice')
  bob = await app.person('bob')
})

const makeRule = async (conditions: object, action = 'reject', more: object = {}): Promise<Json> =>
  (await admin.post(path, { name: 'Casinos', conditions, action, ...more })).ok()
const tryTo = async (who: Person, status: string, more: object = {}) =>
  (await who.post('/api/v1/statuses', { status, ...more })).status
const hitsOf = async (id: string): Promise<Json[]> => (await admin.get(`${path}/${id}/hits`)).ok()
const reports = async (): Promise<Json[]> =>
  (await admin.get('/api/v1/admin/reports', { target_account_id: alice.accountId })).ok()

describe('rules against spam', () => {
  test('are made, listed, changed and deleted', async () => {
    const conditions = { origin: 'local', keywords: ['casino'], account_age_hours_below: 24 }
    const made = await makeRule(conditions, 'limit')
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Casinos',
      enabled: true,
      conditions,
      action: 'limit',
      hits: 0,
      last_hit_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await admin.get(path)).ok()).toEqual([made])
    const changed = (await admin.put(`${path}/${made.id}`, { enabled: false, name: 'Other' })).ok()
    expect(changed).toMatchObject({ enabled: false, name: 'Other', action: 'limit', conditions })
    const form = new URLSearchParams([
      ['conditions[links_at_least]', '2'],
      ['conditions[link_domains][]', 'spam.example'],
    ])
    expect((await admin.put(`${path}/${made.id}`, form)).ok().conditions).toEqual({
      links_at_least: 2,
      link_domains: ['spam.example'],
    })
    expect((await admin.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await admin.get(`${path}/${made.id}`)).status).toBe(404)
    const log: Json[] = (await admin.get('/api/v1/admin/audit_log')).ok()
    expect(log.slice(0, 4).map((row) => `${row.action} ${row.target_type}`)).toEqual([
      'destroy spam_rule',
      'update spam_rule',
      'update spam_rule',
      'create spam_rule',
    ])
  })

  test('say what is wrong with them', async () => {
    const reply = { reply: true }
    for (const [params, problem] of [
      [{ conditions: reply }, "Name can't be blank"],
      [{ name: 'x' }, 'Conditions must be an object'],
      [{ name: 'x', conditions: reply, action: 'explode' }, 'Action must be of report, limit, hold, reject'],
      [{ name: 'x', conditions: { origin: 'local' } }, 'needs a condition besides the origin'],
      [{ name: 'x'.repeat(201), conditions: reply }, 'Name is too long'],
      [{ name: 'x', conditions: { media_hashes: ['1234567890123'] } }, 'not here or have no hash'],
    ] as const) {
      const answer = await admin.post(path, params)
      expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining(problem)])
    }
    expect((await admin.put(`${path}/1`, { name: 'x' })).status).toBe(404)
  })

  test('are fifty at most', async () => {
    for (let index = 0; index < 50; index++) await makeRule({ reply: true }, 'report', { enabled: false })
    expect((await admin.post(path, { name: 'x', conditions: { reply: true } })).status).toBe(422)
  })

  test('are for those who may write them [ACC-9]', async () => {
    const calls = [
      ['post', path],
      ['post', `${path}/dry_run`],
      ['put', `${path}/1`],
      ['delete', `${path}/1`],
      ['post', `${path}/1/undo`],
    ] as const
    const intruders = await findIntruders(app, calls, 'spam_rules where id')
    expect(
      intruders.filter((one) => !one.startsWith('reader post /api/v1/admin/spam_rules/dry_run')),
    ).toEqual([])
    const moderator = await app.person('moderator', { role: 'Moderator' })
    expect((await moderator.get(path)).status).toBe(200)
    expect((await bob.get(path)).status).toBe(403)
  })

  test('cost no query while none is enabled, and one when what they ask for has to be asked for', async () => {
    for (const text of ['warm', 'warmer', 'warmest']) await alice.say(text)
    const without = await app.countQueries(() => alice.say('plain'))
    await makeRule({ keywords: ['casino'], account_age_hours_below: 24 })
    const missed = await app.countQueries(() => alice.say('also plain'))
    expect(missed).toHaveLength(without.length)
    await makeRule({ reply: false, followers_below: 0 + 1, account_age_hours_below: 1, statuses_below: 1 })
    const asked = await app.countQueries(() => alice.say('still plain'))
    expect(asked).toHaveLength(without.length + 1)
  })

  test('are seen without delay where they are made, and end when they are disabled', async () => {
    expect(await tryTo(alice, 'best casino')).toBe(200)
    const { id } = await makeRule({ keywords: ['casino'] })
    expect(await tryTo(alice, 'best casino')).toBe(422)
    ;(await admin.put(`${path}/${id}`, { enabled: false })).ok()
    expect(await tryTo(alice, 'best casino')).toBe(200)
  })
})

describe('a rule that rejects', () => {
  test('refuses posts and edits, which leave no trace but a hit', async () => {
    const { id } = await makeRule({ keywords: ['casino'] })
    const answer = await alice.post('/api/v1/statuses', { status: 'The best Casino!' })
    expect([answer.status, answer.body]).toEqual([422, { error: refused }])
    const fine = await alice.say('fine')
    const edit = await alice.put(`/api/v1/statuses/${fine.id}`, { status: 'casino' })
    expect([edit.status, edit.body.error]).toEqual([422, expect.stringContaining('Your change was refused')])
    expect((await bob.get(`/api/v1/statuses/${fine.id}`)).ok().content).toBe('<p>fine</p>')
    await app.settle()
    const hits = await hitsOf(id)
    expect(hits).toMatchObject([
      { action: 'reject', decisive: true, status_id: fine.id, account: { id: alice.accountId } },
      { action: 'reject', decisive: true, status_id: null, undone_at: null },
    ])
    expect((await admin.get(`${path}/${id}`)).ok()).toMatchObject({
      hits: 2,
      last_hit_at: expect.any(String),
    })
    expect(await reports()).toEqual([])
  })

  test('looks at warnings, options and descriptions', async () => {
    await makeRule({ keywords: ['casino'] })
    expect(await tryTo(alice, 'x', { spoiler_text: 'casino' })).toBe(422)
    expect(await tryTo(alice, 'x', { poll: { options: ['casino', 'b'], expires_in: 3600 } })).toBe(422)
    const upload = uploadForm(blackPng(32, 16), { description: 'A casino' })
    const { id } = (await alice.post('/api/v2/media', upload)).ok()
    expect(await tryTo(alice, 'x', { media_ids: [id] })).toBe(422)
    expect(await tryTo(alice, 'casinos are fine')).toBe(200)
  })

  test('knows uploads again, by their sum or by the id of one', async () => {
    const bytes = blackPng(32, 16)
    const first = (await bob.post('/api/v2/media', uploadForm(bytes))).ok()
    const { conditions } = await makeRule({ media_hashes: [first.id] })
    const sum = createHash('sha256').update(bytes).digest('hex')
    expect(conditions).toEqual({ media_hashes: [sum] })
    const again = (await alice.post('/api/v2/media', uploadForm(bytes))).ok()
    expect(await tryTo(alice, 'look', { media_ids: [again.id] })).toBe(422)
    const other = (await alice.post('/api/v2/media', uploadForm(blackPng(33, 16)))).ok()
    expect(await tryTo(alice, 'look', { media_ids: [other.id] })).toBe(200)
  })

  test('counts what an author wrote in the last hour', async () => {
    await makeRule({ posts_per_hour_at_least: 3 })
    expect([await tryTo(alice, '1'), await tryTo(alice, '2'), await tryTo(alice, '3')]).toEqual([
      200, 200, 422,
    ])
    expect(await tryTo(bob, '1')).toBe(200)
    app.clock.advance(hours(1) + 1)
    expect(await tryTo(alice, '4')).toBe(200)
  })

  test('tells strangers from those whom the author knows', async () => {
    await makeRule({ strangers_mentioned_at_least: 1 })
    const [follower, asking] = [await app.person('follower'), await app.person('asking')]
    await follower.follow(alice)
    expect(await tryTo(alice, `@${bob.username} hello`)).toBe(422)
    expect(await tryTo(alice, `@${follower.username} hello`)).toBe(200)
    expect(await tryTo(alice, `@${alice.username} hello`)).toBe(200)
    ;(await admin.put(`${path}/${(await admin.get(path)).ok()[0].id}`, { enabled: false })).ok()
    const question = await asking.say(`@${alice.username} what time is it?`)
    await makeRule({ strangers_mentioned_at_least: 1 })
    expect(await tryTo(alice, `@${asking.username} late`, { in_reply_to_id: question.id })).toBe(200)
    expect(await tryTo(alice, `@${asking.username} late`)).toBe(422)
    ;(await admin.put(`${path}/${(await admin.get(path)).ok()[1].id}`, { enabled: false })).ok()
    const both = await asking.say(`@${alice.username} @${bob.username} when?`)
    const own = await alice.say(`@${alice.username} @${bob.username}`)
    await makeRule({ strangers_mentioned_at_least: 1 })
    const answer = `@${asking.username} @${bob.username} now`
    expect(await tryTo(alice, answer, { in_reply_to_id: both.id })).toBe(200)
    expect(await tryTo(alice, `@${bob.username} now`, { in_reply_to_id: own.id })).toBe(422)
  })

  test('lets staff write what they like', async () => {
    await makeRule({ keywords: ['casino'] })
    expect(await tryTo(admin, 'casino')).toBe(200)
  })

  test('sets scheduled posts aside with the reason', async () => {
    const at = new Date(app.clock.now() + hours(1)).toISOString()
    const scheduled = await alice.say('casino', { scheduled_at: at })
    await makeRule({ keywords: ['casino'] })
    app.clock.advance(hours(1) + 1)
    await app.ctx.jobs.add('publish-scheduled', {})
    await app.settle()
    const { error } = await app.ctx.db
      .selectFrom('scheduled_statuses')
      .select('error')
      .where('id', '=', asId<ScheduledStatusId>(scheduled.id))
      .executeTakeFirstOrThrow()
    expect(describeReason(readReason(error ?? ''), 'en')).toBe(refused)
  })
})

describe('a rule that reports', () => {
  test('makes one report that waits, to which further posts are added', async () => {
    const { id } = await makeRule({ keywords: ['casino'] }, 'report')
    const first = await alice.say('casino')
    await app.settle()
    const second = await alice.say('casino again')
    await app.settle()
    const [report, ...others] = await reports()
    expect(others).toEqual([])
    expect(report).toMatchObject({
      category: 'spam',
      comment: 'Rule against spam: Casinos',
      target_account: { id: alice.accountId },
    })
    expect(report.statuses.map((status: Json) => status.id).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    )
    expect((await hitsOf(id)).map((hit) => hit.report_id)).toEqual([report.id, report.id])
    const told: Json[] = (await admin.get('/api/v1/notifications')).ok()
    expect(told).toMatchObject([{ type: 'admin.report', report: { id: report.id } }])
    ;(await admin.post(`/api/v1/admin/reports/${report.id}/resolve`)).ok()
    await alice.say('casino once more')
    await app.settle()
    expect((await reports()).map((one) => one.id)).not.toContain(report.id)
    expect(await reports()).toHaveLength(1)
  })

  test('gives way to stricter ones, and is counted all the same', async () => {
    const mild = await makeRule({ keywords: ['casino'] }, 'report')
    const strict = await makeRule({ reply: false, keywords: ['best'] }, 'reject')
    expect(await tryTo(alice, 'best casino')).toBe(422)
    await app.settle()
    expect(await reports()).toEqual([])
    expect(await hitsOf(mild.id)).toMatchObject([{ action: 'report', decisive: false }])
    expect(await hitsOf(strict.id)).toMatchObject([{ action: 'reject', decisive: true }])
    expect((await admin.get(`${path}/${mild.id}`)).ok().hits).toBe(1)
  })
})

const silenced = async (who: Person) =>
  (await admin.get(`/api/v1/admin/accounts/${who.accountId}`)).ok().silenced

describe('a rule that limits', () => {
  test('limits the author once, with a strike, and settles no report of people', async () => {
    await makeRule({ keywords: ['casino'] }, 'limit')
    const bad = await alice.say('casino')
    ;(await bob.post('/api/v1/reports', { account_id: alice.accountId, status_ids: [bad.id] })).ok()
    await app.settle()
    await alice.say('casino again')
    await app.settle()
    expect(await silenced(alice)).toBe(true)
    const { rows } = await sql<{ action: string }>`
      select action from account_warnings where target_account_id = ${alice.accountId}`.execute(app.ctx.db)
    expect(rows).toEqual([{ action: 'silence' }])
    expect(await reports()).toHaveLength(1)
    ;(await admin.post(`/api/v1/admin/reports/${(await reports())[0]?.id}/resolve`)).ok()
    const log: Json[] = (await admin.get('/api/v1/admin/audit_log')).ok()
    expect(log).toContainEqual(expect.objectContaining({ action: 'silence', actor: 'server' }))
  })

  test('acts on edits, too', async () => {
    await makeRule({ keywords: ['casino'] }, 'limit')
    const { id } = await alice.say('fine')
    ;(await alice.put(`/api/v1/statuses/${id}`, { status: 'casino' })).ok()
    await app.settle()
    expect(await silenced(alice)).toBe(true)
  })
})

describe('undoing', () => {
  test('lifts limits, settles reports and lets posts through, once', async () => {
    const limiting = await makeRule({ keywords: ['casino'] }, 'limit')
    const reporting = await makeRule({ keywords: ['pills'] }, 'report')
    const holding = await makeRule({ keywords: ['coins'] }, 'hold')
    await alice.say('casino')
    await alice.say('pills')
    expect(await tryTo(alice, 'coins')).toBe(422)
    await app.settle()
    const none = { hits: 0, lifted: 0, resolved: 0, released: 0, stuck: 0, more: false }
    const undo = async ({ id }: Json, params = {}) => (await admin.post(`${path}/${id}/undo`, params)).ok()
    const future = new Date(app.clock.now() + hours(1)).toISOString()
    expect(await undo(limiting, { since: future })).toEqual(none)
    expect(await undo(limiting)).toEqual({ ...none, hits: 1, lifted: 1 })
    expect(await undo(reporting)).toEqual({ ...none, hits: 1, resolved: 1 })
    expect(await undo(holding)).toEqual({ ...none, hits: 1, released: 1 })
    expect(await silenced(alice)).toBe(false)
    expect(await reports()).toEqual([])
    expect((await hitsOf(limiting.id))[0]).toMatchObject({ limited: true, undone_at: expect.any(String) })
    const posts: Json[] = (await bob.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()
    expect(posts.map((post) => post.content)).toContain('<p>coins</p>')
    for (const rule of [limiting, reporting, holding]) expect(await undo(rule)).toEqual(none)
    expect((await admin.post(`${path}/${limiting.id}/undo`, { since: 'whenever' })).status).toBe(422)
  })

  test('leaves limits that staff confirmed', async () => {
    const { id } = await makeRule({ keywords: ['casino'] }, 'limit')
    await alice.say('casino')
    await app.settle()
    await takeAction(app.ctx, 'operator', alice.accountId, { type: 'silence' })
    expect((await admin.post(`${path}/${id}/undo`)).ok()).toMatchObject({ hits: 1, lifted: 0 })
    expect(await silenced(alice)).toBe(true)
  })

  test('has nothing to take back of what is forgotten after half a year', async () => {
    const { id } = await makeRule({ keywords: ['casino'] })
    await tryTo(alice, 'casino')
    await app.settle()
    app.clock.advance(days(181))
    await purgeHits(app.ctx)
    expect(await hitsOf(id)).toEqual([])
  })
})

describe('a dry run', () => {
  const run = async (conditions: object, more = {}): Promise<Json> =>
    (await admin.post(`${path}/dry_run`, { conditions, ...more })).ok()

  test('tells which posts of the past would have matched', async () => {
    app.clock.advance(days(8))
    const old = await alice.say('casino of old')
    app.clock.advance(hours(30))
    const first = await alice.say('casino')
    const reply = await bob.say('casino, you say?', { in_reply_to_id: first.id })
    await bob.say('casino whispered', { visibility: 'direct' })
    await bob.say('casino among friends', { visibility: 'private' })
    await alice.say('something else')
    await admin.say('casino of staff')
    const found = await run({ keywords: ['casino'] })
    expect(found).toMatchObject({ count: 2, examined: 3, truncated: false })
    expect(found.statuses.map((status: Json) => status.id)).toEqual([reply.id, first.id])
    expect((await run({ keywords: ['casino'] }, { hours: 168, limit: 1 })).count).toBe(3)
    expect((await run({ keywords: ['casino'], reply: true })).count).toBe(1)
    expect((await run({ keywords: ['casino'], account_age_hours_below: 24 * 20 })).count).toBe(2)
    expect((await run({ keywords: ['casino'], account_age_hours_below: 1 }, { hours: 168 })).count).toBe(0)
    expect((await run({ posts_per_hour_at_least: 2 })).count).toBe(1)
    expect(await run({ visibilities: ['direct', 'private'] })).toMatchObject({ count: 0, statuses: [] })
    const all = { hours: 24, limit: 5, closed: true }
    expect((await runDry(app.ctx, { keywords: ['casino'] }, all)).count).toBe(4)
    expect(old.id).toBeTruthy()
    expect((await admin.get(path)).ok()).toEqual([])
  })

  test('refuses bad conditions and times', async () => {
    expect((await admin.post(`${path}/dry_run`, { conditions: {} })).status).toBe(422)
    const conditions = { reply: true }
    expect((await admin.post(`${path}/dry_run`, { conditions, hours: 169 })).status).toBe(422)
  })

  test('looks at no more than a bounded number of posts', async () => {
    await sql`
      insert into statuses (id, account_id, text, content, visibility, conversation_id, created_at)
      select ${app.ctx.newId()}::bigint - n, ${alice.accountId}, '', 'casino', 'public', null, ${new Date(app.clock.now())}
      from generate_series(1, 5200) n`.execute(app.ctx.db)
    const statements = await app.countQueries(async () => {
      expect(await run({ keywords: ['casino'] }, { limit: 2 })).toMatchObject({ truncated: true })
    })
    expect(statements.filter((one) => one.includes('order by id desc limit'))).toHaveLength(10)
    await sql`delete from statuses where content = 'casino'`.execute(app.ctx.db)
  })
})
