// What staff decide about accounts: strikes, limits, their ends.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { disableLogin, liftLimit } from '#domain/trust/moderation/account-limits.ts'
import { expireLimits } from '#domain/trust/moderation/expire-limits.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, noId, type AccountId, type ReportId, type StatusId, type UserId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/accounts'
const presets = '/api/v1/admin/warning_presets'

let admin: Person
beforeAll(async () => {
  admin = await app.person('admin', { role: 'Admin' })
})

const act = (by: Person, whom: { accountId: AccountId }, params: object) =>
  by.post(`${path}/${whom.accountId}/action`, params as Record<string, unknown>)
const shown = async ({ accountId }: { accountId: AccountId }): Promise<Json> =>
  (await admin.get(`${path}/${accountId}`)).ok()

interface Strike {
  id: string
  action: string
  text: string
  account_id: string | null
  status_ids: string[]
  report_id: string | null
}
const strikesOf = async ({ accountId }: { accountId: AccountId }) =>
  (
    await sql<Strike>`
      select id, action, text, account_id, status_ids, report_id from account_warnings
      where target_account_id = ${accountId} order by id`.execute(app.ctx.db)
  ).rows

interface Logged {
  action: string
  actor: string
  target_type: string
  label: string
}
const auditOf = async ({ accountId, userId = noId<UserId>() }: { accountId: AccountId; userId?: UserId }) =>
  (
    await sql<Logged>`
      select action, actor, target_type, target_label as label from audit_log
      where target_id in (${accountId}, ${userId}) order by id`.execute(app.ctx.db)
  ).rows

async function report(by: Person, about: Person, statusIds: string[] = []): Promise<string> {
  const params = { account_id: about.accountId, status_ids: statusIds, comment: 'look' }
  return (await by.post('/api/v1/reports', params)).ok().id
}
const isSettled = async (id: string) => {
  const { rows } = await sql<{ at: Date | null; by: string | null }>`
    select action_taken_at as at, action_taken_by_account_id as by from reports where id = ${id}`.execute(
    app.ctx.db,
  )
  return rows[0]?.at !== null && rows[0]?.by === admin.accountId
}
const mailsTo = (person: Person) => app.mails.filter((mail) => mail.to === person.email)
const warningsOf = async (person: Person): Promise<Json[]> =>
  (await person.get('/api/v1/notifications', { types: ['moderation_warning'] })).ok()

const limits = [
  { type: 'sensitive', undo: 'unsensitive', shows: 'sensitized' },
  { type: 'disable', undo: 'enable', shows: 'disabled' },
  { type: 'silence', undo: 'unsilence', shows: 'silenced' },
  { type: 'suspend', undo: 'unsuspend', shows: 'suspended' },
] as const

describe.each(limits)('$type', ({ type, undo, shows }) => {
  test('is put on a person, who is told by mail, and taken back', async () => {
    const alice = await app.person('alice')
    expect((await act(admin, alice, { type, text: 'No spam' })).ok()).toEqual({})
    expect(await shown(alice)).toMatchObject({ [shows]: true })
    expect(await strikesOf(alice)).toEqual([
      {
        id: expect.any(String),
        action: type,
        text: 'No spam',
        account_id: admin.accountId,
        status_ids: [],
        report_id: null,
      },
    ])
    await app.settle()
    const [mail, ...more] = mailsTo(alice)
    expect(more).toEqual([])
    expect(mail?.text).toContain('No spam')
    expect(`${mail?.text}${mail?.html}`).not.toContain(admin.username)
    expect((await admin.post(`${path}/${alice.accountId}/${undo}`)).ok()).toMatchObject({ [shows]: false })
    const targetType = type === 'disable' ? 'user' : 'account'
    expect(await auditOf(alice)).toEqual(
      [type, undo].map((action) => ({
        action,
        actor: 'staff',
        target_type: targetType,
        label: alice.username,
      })),
    )
    await app.settle()
    ;(await alice.get('/api/v1/timelines/home')).ok()
  })

  test('has a job that ends it at its time', async () => {
    const alice = await app.person('alice')
    ;(await act(admin, alice, { type, expires_in: 3600 })).ok()
    await app.settle()
    const { rows } = await sql<{ inTime: boolean }>`
      select j.run_at = e.ends_at as "inTime"
      from account_limit_ends e join graphile_worker._private_jobs j
        on j.key = 'lift-limits:' || e.account_id || ':' || e.limit_kind
      where e.account_id = ${alice.accountId}`.execute(app.ctx.db)
    expect(rows).toEqual([{ inTime: true }])
    ;(await admin.post(`${path}/${alice.accountId}/${undo}`)).ok()
  })

  test('ends by itself when it is to, once, also with two at work', async () => {
    const alice = await app.person('alice')
    ;(await act(admin, alice, { type, expires_in: 3600 })).ok()
    expect(await expireLimits(app.ctx)).toBe(0)
    expect(await shown(alice)).toMatchObject({ [shows]: true })
    app.clock.advance(3_601_000)
    const lifted = await Promise.all([expireLimits(app.ctx), expireLimits(app.ctx)])
    expect(lifted.reduce((sum, count) => sum + count)).toBe(1)
    expect(await shown(alice)).toMatchObject({ [shows]: false })
    expect((await auditOf(alice)).map((row) => [row.action, row.actor])).toEqual([
      [type, 'staff'],
      [undo, 'server'],
    ])
    expect(await expireLimits(app.ctx)).toBe(0)
  })

  test('that is put on again without an end stays', async () => {
    const alice = await app.person('alice')
    const expires_at = new Date(app.clock.now() + 60_000).toISOString()
    ;(await act(admin, alice, { type, expires_at })).ok()
    ;(await act(admin, alice, { type })).ok()
    app.clock.advance(61_000)
    expect(await expireLimits(app.ctx)).toBe(0)
    expect(await shown(alice)).toMatchObject({ [shows]: true })
  })

  test('that is not there', async () => {
    const alice = await app.person('alice')
    const answer = await admin.post(`${path}/${alice.accountId}/${undo}`)
    expect(answer.status).toBe(type === 'suspend' ? 403 : 200)
  })
})

test.each(limits.filter(({ type }) => type !== 'disable'))(
  '$type is for accounts of other servers, too',
  async ({ type, undo, shows }) => {
    const remote = await remoteAccount(app.ctx)
    expect((await act(admin, remote, { type })).ok()).toEqual({})
    expect(await shown(remote)).toMatchObject({ [shows]: true })
    expect(await strikesOf(remote)).toMatchObject([{ action: type }])
    expect((await admin.post(`${path}/${remote.accountId}/${undo}`)).ok()).toMatchObject({ [shows]: false })
  },
)

test.each(limits.filter(({ type }) => type === 'silence' || type === 'suspend'))(
  '$type that ends leaves what a block of the server demands',
  async ({ type, shows }) => {
    const remote = await remoteAccount(app.ctx, `${type}.example`)
    const block = { domain: remote.domain, severity: type }
    const { id } = (await admin.post('/api/v1/admin/domain_blocks', block)).ok()
    await app.settle()
    ;(await act(admin, remote, { type, expires_in: 60 })).ok()
    app.clock.advance(61_000)
    expect(await expireLimits(app.ctx)).toBe(1)
    expect(await shown(remote)).toMatchObject({ [shows]: true })
    ;(await admin.delete(`/api/v1/admin/domain_blocks/${id}`)).ok()
    await app.settle()
    expect(await shown(remote)).toMatchObject({ [shows]: false })
  },
)

describe('a decision', () => {
  test('shuts out no login that is not of this server', async () => {
    expect((await act(admin, await remoteAccount(app.ctx), { type: 'disable' })).status).toBe(422)
  })

  test('names nobody to the person, who reads it as a notification', async () => {
    const alice = await app.person('alice')
    ;(await act(admin, alice, { type: 'none', text: 'Be nice' })).ok()
    await app.settle()
    const [notification] = await warningsOf(alice)
    expect(notification).toMatchObject({
      account: { id: alice.accountId },
      moderation_warning: { action: 'none', text: 'Be nice', target_account: { id: alice.accountId } },
    })
    expect(JSON.stringify(notification)).not.toContain(admin.accountId)
    expect(mailsTo(alice)).toHaveLength(1)
    const { rows } = await sql<{ target_type: string }>`
      select target_type from audit_log where target_id = ${(await strikesOf(alice))[0]?.id}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([{ target_type: 'account_warning' }])
  })

  test('without mail is a notification alone', async () => {
    const alice = await app.person('alice')
    ;(await act(admin, alice, { type: 'silence', send_email_notification: false })).ok()
    await app.settle()
    expect(mailsTo(alice)).toEqual([])
    expect(await warningsOf(alice)).toHaveLength(1)
  })

  test('begins with the words of a preset', async () => {
    const alice = await app.person('alice')
    const { id } = (await admin.post(presets, { title: 'Spam', text: 'Rule 1.' })).ok()
    ;(await act(admin, alice, { type: 'none', warning_preset_id: id, text: 'You know.' })).ok()
    ;(await act(admin, alice, { type: 'none', warning_preset_id: id })).ok()
    expect((await strikesOf(alice)).map((one) => one.text)).toEqual(['Rule 1.\n\nYou know.', 'Rule 1.'])
  })

  test('settles the report that led to it, and a limit all that wait about the account', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id: statusId } = await alice.say('bad')
    const [first, second] = [await report(bob, alice, [statusId]), await report(bob, alice)]
    ;(await act(admin, alice, { type: 'none', report_id: first })).ok()
    expect([await isSettled(first), await isSettled(second)]).toEqual([true, false])
    expect(await strikesOf(alice)).toMatchObject([{ status_ids: [statusId], report_id: first }])
    const third = await report(bob, alice)
    ;(await act(admin, alice, { type: 'silence', report_id: third })).ok()
    expect([await isSettled(second), await isSettled(third)]).toEqual([true, true])
  })

  test('without a report leaves those alone when it is only a word', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const id = await report(bob, alice)
    ;(await act(admin, alice, { type: 'none' })).ok()
    expect(await isSettled(id)).toBe(false)
  })

  test('is refused when something of it is not there, and then nothing happens', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const other = await report(alice, bob)
    for (const [status, params] of [
      [404, { type: 'silence', report_id: other }],
      [404, { type: 'silence', report_id: 'x' }],
      [404, { type: 'silence', warning_preset_id: '1' }],
      [422, {}],
      [422, { type: 'banish' }],
      [422, { type: 'delete_statuses' }],
      [422, { type: 'none', expires_in: 60 }],
      [422, { type: 'silence', expires_in: -5 }],
      [422, { type: 'silence', expires_at: 'soon' }],
      [422, { type: 'silence', expires_at: '2001-01-01T00:00:00Z' }],
      [422, { type: 'silence', text: 'x'.repeat(10_001) }],
    ] as const)
      expect([params, (await act(admin, alice, params)).status]).toEqual([params, status])
    for (const accountId of ['1', 'x'])
      expect((await act(admin, { accountId: asId<AccountId>(accountId) }, { type: 'none' })).status).toBe(404)
    expect(await strikesOf(alice)).toEqual([])
    expect(await shown(alice)).toMatchObject({ silenced: false })
  })

  test('is for those below: not for equals, those above, or oneself', async () => {
    const [moderator, other] = [
      await app.person('mod', { role: 'Moderator' }),
      await app.person('mod', { role: 'Moderator' }),
    ]
    for (const whom of [other, admin, moderator])
      expect((await act(moderator, whom, { type: 'silence' })).status).toBe(403)
    expect((await act(admin, admin, { type: 'none' })).status).toBe(403)
    ;(await act(admin, other, { type: 'silence' })).ok()
    for (const whom of [other, admin])
      expect((await moderator.post(`${path}/${whom.accountId}/unsilence`)).status).toBe(403)
    const alice = await app.person('alice')
    ;(await act(moderator, alice, { type: 'suspend' })).ok()
  })

  test('by those who only manage reports shuts no login out', async () => {
    const clerk = await app.person('clerk')
    const roleId = app.ctx.newId()
    await sql`insert into roles (id, name, permissions, position) values (${roleId}, 'Clerk', 16, 5)`.execute(
      app.ctx.db,
    )
    await sql`update users set role_id = ${roleId} where id = ${clerk.userId}`.execute(app.ctx.db)
    const alice = await app.person('alice')
    expect((await act(clerk, alice, { type: 'disable' })).status).toBe(403)
    ;(await act(clerk, alice, { type: 'silence' })).ok()
    expect((await clerk.post(`${path}/${alice.accountId}/unsilence`)).status).toBe(403)
    expect((await clerk.get(path)).status).toBe(403)
  })

  test('to delete posts deletes those of the account alone', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const [bad, good, others] = [await alice.say('bad'), await alice.say('good'), await bob.say('other')]
    const reportId = await report(bob, alice, [bad.id])
    await takeAction(app.ctx, 'operator', alice.accountId, {
      type: 'delete_statuses',
      statusIds: [asId<StatusId>(bad.id), asId<StatusId>(others.id)],
      reportId: asId<ReportId>(reportId),
    })
    await app.settle()
    const statusOf = async (id: string) => (await app.anonymous.get(`/api/v1/statuses/${id}`)).status
    expect([await statusOf(bad.id), await statusOf(good.id), await statusOf(others.id)]).toEqual([
      404, 200, 200,
    ])
    expect(await strikesOf(alice)).toMatchObject([
      { action: 'delete_statuses', status_ids: [bad.id], account_id: null },
    ])
    expect(await warningsOf(alice)).toHaveLength(1)
    const { rows } = await sql<{ actor: string }>`
      select actor from audit_log where target_type = 'status' and target_id = ${bad.id}`.execute(app.ctx.db)
    expect(rows).toEqual([{ actor: 'operator' }])
    await expect(
      takeAction(app.ctx, 'operator', alice.accountId, {
        type: 'delete_statuses',
        statusIds: [asId<StatusId>(bad.id)],
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('to mark posts as sensitive is an edit of those that carry something', async () => {
    const alice = await app.person('alice')
    const [plain, seen] = [await alice.say('words'), await alice.say('a picture')]
    await sql`update statuses set media_ids = array[1::bigint] where id = ${seen.id}`.execute(app.ctx.db)
    await takeAction(app.ctx, 'operator', alice.accountId, {
      type: 'mark_statuses_as_sensitive',
      statusIds: [asId<StatusId>(plain.id), asId<StatusId>(seen.id)],
    })
    await app.settle()
    const status = async (id: string) => (await app.anonymous.get(`/api/v1/statuses/${id}`)).ok()
    expect(await status(plain.id)).toMatchObject({ sensitive: false, edited_at: null })
    expect(await status(seen.id)).toMatchObject({ sensitive: true, edited_at: expect.any(String) })
    expect((await app.anonymous.get(`/api/v1/statuses/${seen.id}/history`)).ok()).toMatchObject([
      { sensitive: false },
      { sensitive: true },
    ])
  })
})

describe('the command line', () => {
  test('shuts a login out and lets it in again, without a strike', async () => {
    const alice = await app.person('alice')
    await disableLogin(app.ctx, 'operator', alice.accountId)
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(403)
    await liftLimit(app.ctx, 'operator', alice.accountId, 'disable')
    ;(await alice.get('/api/v1/timelines/home')).ok()
    expect(await strikesOf(alice)).toEqual([])
    expect((await auditOf(alice)).map((row) => [row.action, row.actor, row.target_type])).toEqual([
      ['disable', 'operator', 'user'],
      ['enable', 'operator', 'user'],
    ])
  })
})

describe('presets of warnings', () => {
  test('are made, shown, changed and deleted', async () => {
    const made = (await admin.post(presets, { title: ' Spam ', text: 'No spam.' })).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: 'Spam',
      text: 'No spam.',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await admin.get(`${presets}/${made.id}`)).ok()).toEqual(made)
    expect((await admin.put(`${presets}/${made.id}`, { title: '' })).ok()).toMatchObject({
      title: '',
      text: 'No spam.',
    })
    expect((await admin.get(presets)).ok().map((one: Json) => one.id)).toContain(made.id)
    expect((await admin.delete(`${presets}/${made.id}`)).ok()).toEqual({})
    for (const answer of [
      await admin.get(`${presets}/${made.id}`),
      await admin.put(`${presets}/${made.id}`, { text: 'x' }),
      await admin.delete(`${presets}/${made.id}`),
    ])
      expect(answer.status).toBe(404)
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'warning_preset' and target_id = ${made.id} order by id`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.action)).toEqual(['create', 'update', 'destroy'])
  })

  test('need words, and not too many', async () => {
    for (const params of [
      {},
      { text: ' ' },
      { text: 'x'.repeat(5001) },
      { text: 'x', title: 'x'.repeat(201) },
    ])
      expect((await admin.post(presets, params)).status).toBe(422)
  })

  test('are read by those who warn, and written by those who manage settings [ACC-9]', async () => {
    const { id } = (await admin.post(presets, { text: 'x' })).ok()
    const moderator = await app.person('mod', { role: 'Moderator' })
    ;(await moderator.get(presets)).ok()
    for (const answer of [
      await moderator.post(presets, { text: 'y' }),
      await moderator.put(`${presets}/${id}`, { text: 'y' }),
      await moderator.delete(`${presets}/${id}`),
      await (await app.person('user')).get(presets),
      await (await app.withScopes(admin, ['read', 'write'])).get(presets),
    ])
      expect(answer.status).toBe(403)
    expect((await app.anonymous.get(presets)).status).toBe(401)
  })
})
