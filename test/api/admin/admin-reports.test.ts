// What staff see of reports and do about them. How reports come to be: test/api/moderation/reports.test.ts.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteLocalAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { mailsTo } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { insertMedia } from '#test/people/status-parts.ts'

const app = useApp()
const path = '/api/v1/admin/reports'

const staff = (role: 'Owner' | 'Admin' | 'Moderator' = 'Moderator') => app.person('staff', { role })

async function addRule(text: string): Promise<string> {
  const id = app.ctx.newId()
  await sql`insert into rules (id, text) values (${id}, ${text})`.execute(app.ctx.db)
  return id
}

async function report(by: Client, target: Person, params: Record<string, unknown> = {}): Promise<string> {
  return (await by.post('/api/v1/reports', { account_id: target.accountId, ...params })).ok().id
}

/** The audit rows about a report, oldest first. */
async function auditOf(id: string, type = 'report'): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select account_id, action, target_label, details from audit_log
    where target_type = ${type} and target_id = ${id} order by id`.execute(app.ctx.db)
  return rows
}

const withMedia = async (author: Person, words: string, more: Record<string, unknown> = {}) =>
  author.say(words, { media_ids: [await insertMedia(app.ctx, author)], ...more })

describe('a report', () => {
  test('is shown with all that it is about', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const rule = await addRule('Be kind')
    const open = await bob.say('open words')
    const direct = await bob.say(`@${alice.username} hidden words`, { visibility: 'direct' })
    await bob.say('not reported', { visibility: 'private' })
    const id = await report(alice, bob, {
      status_ids: [open.id, direct.id],
      comment: 'look',
      rule_ids: [rule],
    })
    const shown = (await moderator.get(`${path}/${id}`)).ok()
    expect(shown).toMatchObject({
      id,
      action_taken: false,
      action_taken_at: null,
      category: 'violation',
      comment: 'look',
      forwarded: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account: { id: alice.accountId, email: alice.email, account: { id: alice.accountId } },
      target_account: { id: bob.accountId, email: bob.email },
      assigned_account: null,
      action_taken_by_account: null,
      rules: [{ id: rule, text: 'Be kind' }],
      collection_ids: [],
    })
    expect(shown.statuses.map((one: Json) => one.id)).toEqual([open.id, direct.id])
    expect(shown.statuses[1]).toMatchObject({ visibility: 'direct', account: { id: bob.accountId } })
    expect(JSON.stringify(shown)).not.toContain('not reported')
    // What staff may not see as themselves, they do not come to see by it.
    expect((await moderator.get(`/api/v1/statuses/${direct.id}`)).status).toBe(404)
  })

  test('keeps its statuses and rules in sight after they are deleted', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const rule = await addRule('Old rule')
    const { id: statusId } = await bob.say('gone words')
    const id = await report(alice, bob, { status_ids: [statusId], rule_ids: [rule] })
    ;(await bob.delete(`/api/v1/statuses/${statusId}`)).ok()
    await sql`update rules set deleted_at = now() where id = ${rule}`.execute(app.ctx.db)
    await app.settle()
    const shown = (await moderator.get(`${path}/${id}`)).ok()
    expect(shown.statuses[0].content).toContain('gone words')
    expect(shown.rules).toMatchObject([{ id: rule }])
    expect((await moderator.get(`/api/v1/statuses/${statusId}`)).status).toBe(404)
  })

  test('no filter of the moderator hides what it names', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const keywords_attributes = [{ keyword: 'buy' }]
    const filter = { title: 'ads', context: ['home', 'public'], filter_action: 'hide', keywords_attributes }
    ;(await moderator.post('/api/v2/filters', filter)).ok()
    const { id: statusId } = await bob.say('buy this')
    const id = await report(alice, bob, { status_ids: [statusId] })
    expect((await moderator.get(`${path}/${id}`)).ok().statuses).toMatchObject([{ id: statusId }])
  })

  test('is put into another category; rules make it a violation', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const rule = await addRule('Be brief')
    const id = await report(alice, bob)
    expect((await moderator.put(`${path}/${id}`, { category: 'spam' })).ok()).toMatchObject({
      category: 'spam',
      rules: [],
    })
    expect((await moderator.put(`${path}/${id}`, { rule_ids: [rule] })).ok()).toMatchObject({
      category: 'violation',
      rules: [{ id: rule }],
    })
    expect((await moderator.put(`${path}/${id}`, { category: 'legal' })).ok()).toMatchObject({
      category: 'legal',
      rules: [],
    })
    for (const wrong of [{ rule_ids: ['99'] }, { rule_ids: [rule, 'x'] }, { category: 'boring' }])
      expect((await moderator.put(`${path}/${id}`, wrong)).status).toBe(422)
    expect((await moderator.put(`${path}/99`, { category: 'spam' })).status).toBe(404)
    const updates = await auditOf(id)
    expect(updates.map((row) => [row.action, row.details.category])).toEqual([
      ['update', 'spam'],
      ['update', 'violation'],
      ['update', 'legal'],
    ])
  })

  test('is taken on, given back, resolved and reopened; each leaves a row in the audit log', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const id = await report(alice, bob)
    const act = async (verb: string) => (await moderator.post(`${path}/${id}/${verb}`)).ok()
    expect(await act('assign_to_self')).toMatchObject({ assigned_account: { id: moderator.accountId } })
    expect(await act('unassign')).toMatchObject({ assigned_account: null })
    expect(await act('resolve')).toMatchObject({
      action_taken: true,
      action_taken_at: expect.any(String),
      action_taken_by_account: { id: moderator.accountId },
    })
    expect(await act('reopen')).toMatchObject({
      action_taken: false,
      action_taken_at: null,
      action_taken_by_account: null,
    })
    expect((await auditOf(id)).map((row) => [row.account_id, row.action])).toEqual(
      ['assigned_to_self', 'unassigned', 'resolve', 'reopen'].map((action) => [moderator.accountId, action]),
    )
    for (const verb of ['assign_to_self', 'unassign', 'resolve', 'reopen'])
      expect((await moderator.post(`${path}/99/${verb}`)).status).toBe(404)
    expect((await moderator.get(`${path}/99`)).status).toBe(404)
  })

  test('by somebody who is gone is as if the server itself had made it', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const [deleted, removed] = [await report(alice, bob), await report(await app.person('eve'), bob)]
    await deleteLocalAccount(app.ctx, alice.accountId)
    await sql`update reports set account_id = null where id = ${removed}`.execute(app.ctx.db)
    const found: Json[] = (await moderator.get(path, { target_account_id: bob.accountId })).ok()
    expect(found.map((one) => one.id).toSorted()).toEqual([deleted, removed].toSorted())
    for (const { account } of [...found, (await moderator.get(`${path}/${deleted}`)).ok()]) {
      expect(account).toMatchObject({
        id: '-99',
        username: 'chat.example',
        domain: null,
        account: { id: '-99', acct: 'chat.example', bot: true, uri: 'https://chat.example/actor' },
      })
    }
  })

  test('about or by an account that is gone for good does not break the list', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const id = await report(alice, bob)
    await sql`update reports set account_id = null where id = ${id}`.execute(app.ctx.db)
    const { rows } = await sql<{ id: string }>`
      update accounts set deleted_at = now() where id = ${bob.accountId} returning id`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
    expect((await moderator.get(path, { target_account_id: bob.accountId })).ok()).toEqual([])
    expect((await moderator.get(`${path}/${id}`)).status).toBe(404)
    expect((await moderator.post(`${path}/${id}/resolve`)).status).toBe(404)
    expect((await moderator.put(`${path}/${id}`, { category: 'spam' })).status).toBe(404)
  })
})

describe('the list', () => {
  test('has those that wait, or the resolved ones, by whom and about whom, in pages', async () => {
    const moderator = await staff()
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    const [first, second, third] = [
      await report(alice, carol),
      await report(bob, carol),
      await report(alice, bob),
    ]
    ;(await moderator.post(`${path}/${second}/resolve`)).ok()
    const idsOf = async (query: Record<string, unknown>) =>
      (await moderator.get(path, query)).ok().map((one: Json) => one.id)
    const about = { target_account_id: carol.accountId }
    expect((await idsOf({})).slice(0, 2)).toEqual([third, first])
    expect(await idsOf(about)).toEqual([first])
    expect(await idsOf({ ...about, resolved: true })).toEqual([second])
    expect(await idsOf({ ...about, resolved: false })).toEqual([first])
    expect(await idsOf({ account_id: alice.accountId })).toEqual([third, first])
    expect(await idsOf({ account_id: 'nobody' })).toEqual([])
    const page = await moderator.get(path, { account_id: alice.accountId, limit: 1 })
    expect(page.ok()).toMatchObject([{ id: third }])
    expect((await moderator.get(page.links['next'] as string)).ok()).toMatchObject([{ id: first }])
    expect(await idsOf({ account_id: alice.accountId, min_id: first })).toEqual([third])
  })

  test('costs the same number of statements whatever it has', async () => {
    const moderator = await staff()
    const bob = await app.person('bob')
    const count = async (limit: number) => {
      const query = { target_account_id: bob.accountId, limit }
      // From the third time on, what the moderator did is kept.
      for (let i = 0; i < 3; i += 1) await moderator.get(path, query)
      let length = 0
      const statements = await app.countQueries(async () => {
        length = (await moderator.get(path, query)).ok().length
      })
      expect(length).toBe(limit)
      return statements.length
    }
    const rule = await addRule('Be new')
    for (let i = 0; i < 8; i += 1) {
      const reporter = await app.person('reporter')
      const { id } = await withMedia(bob, `words ${i}`)
      const { id: polled } = await bob.say(`which ${i}`, { poll: { options: ['a', 'b'], expires_in: 3600 } })
      await report(reporter, bob, { status_ids: [id, polled], rule_ids: [rule] })
    }
    expect(await count(8)).toBe(await count(4))
  })
})

describe('statuses that a report names', () => {
  test('are deleted as a strike, which settles it', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const [first, second] = [await withMedia(bob, 'first'), await bob.say('second')]
    const kept = await bob.say('kept')
    const id = await report(alice, bob, { status_ids: [first.id, second.id] })
    app.mails.length = 0
    const params = { type: 'delete_statuses', text: 'This is spam' }
    const answer = (await moderator.post(`${path}/${id}/actions`, params)).ok()
    expect(answer).toMatchObject({
      id,
      action_taken: true,
      action_taken_by_account: { id: moderator.accountId },
    })
    await app.settle()
    for (const gone of [first, second])
      expect((await bob.get(`/api/v1/statuses/${gone.id}`)).status).toBe(404)
    expect((await bob.get(`/api/v1/statuses/${kept.id}`)).status).toBe(200)
    const [warning] = (await bob.get('/api/v1/notifications', { types: ['moderation_warning'] })).ok()
    expect(warning).toMatchObject({
      account: { id: bob.accountId },
      moderation_warning: { action: 'delete_statuses', text: 'This is spam', appeal: null },
    })
    expect(warning.moderation_warning.status_ids.toSorted()).toEqual([first.id, second.id].toSorted())
    expect(JSON.stringify(warning)).not.toContain(moderator.accountId)
    expect(mailsTo(app, bob)).toHaveLength(1)
    expect((await auditOf(id)).map((row) => row.action)).toEqual(['resolve'])
    expect((await auditOf(first.id, 'status')).map((row) => row.action)).toEqual(['destroy'])
  })

  test('are marked as sensitive, some of them, without a mail', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const [first, second] = [await withMedia(bob, 'first'), await withMedia(bob, 'second')]
    const id = await report(alice, bob, { status_ids: [first.id, second.id] })
    app.mails.length = 0
    const type = 'mark_statuses_as_sensitive'
    const params = { type, status_ids: [first.id], send_email_notification: false }
    ;(await moderator.post(`${path}/${id}/actions`, params)).ok()
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${first.id}`)).ok().sensitive).toBe(true)
    expect((await alice.get(`/api/v1/statuses/${second.id}`)).ok().sensitive).toBe(false)
    expect(mailsTo(app, bob)).toEqual([])
  })

  test('are left alone by who may not, and when it makes no sense', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const [named, other] = [await bob.say('named'), await bob.say('other')]
    const id = await report(alice, bob, { status_ids: [named.id] })
    const actions = `${path}/${id}/actions`
    const type = 'delete_statuses'
    expect((await moderator.post(actions, {})).status).toBe(422)
    expect((await moderator.post(actions, { type: 'suspend' })).status).toBe(422)
    expect((await moderator.post(actions, { type, status_ids: [other.id] })).status).toBe(404)
    expect((await moderator.post(`${path}/99/actions`, { type })).status).toBe(404)
    const admin = await staff('Admin')
    const { id: words } = await admin.say('by an admin')
    const above = await report(alice, admin, { status_ids: [words] })
    expect((await moderator.post(`${path}/${above}/actions`, { type })).status).toBe(403)
    for (const status of [named.id, other.id, words])
      expect((await alice.get(`/api/v1/statuses/${status}`)).status).toBe(200)
  })

  test('may be of another server: they are deleted here, and nobody is told', async () => {
    const [moderator, alice] = [await staff(), await app.person('alice')]
    const remote = await remoteAccount(app.ctx)
    const statusId = app.ctx.newId()
    const uri = `https://away.example/notes/${statusId}`
    await sql`
      insert into statuses (id, account_id, visibility, local, content, uri)
      values (${statusId}, ${remote.accountId}, 'public', false, 'x', ${uri})`.execute(app.ctx.db)
    const params = { account_id: remote.accountId, status_ids: [statusId] }
    const { id } = (await alice.post('/api/v1/reports', params)).ok()
    ;(await moderator.post(`${path}/${id}/actions`, { type: 'delete_statuses' })).ok()
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${statusId}`)).status).toBe(404)
  })
})

describe('notes', () => {
  test('stand by reports and accounts, newest first', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const id = await report(alice, bob)
    for (const notes of [`${path}/${id}/notes`, `/api/v1/admin/accounts/${bob.accountId}/notes`]) {
      const isReport = notes.startsWith(path)
      const made = (await moderator.post(notes, { text: ' first ' })).ok()
      expect(made).toEqual({
        id: expect.stringMatching(/^\d+$/),
        text: 'first',
        account: expect.objectContaining({ id: moderator.accountId }),
        report_id: isReport ? id : null,
        target_account_id: isReport ? null : bob.accountId,
        created_at: expect.any(String),
      })
      const second = (await moderator.post(notes, { text: 'second' })).ok()
      const page = await moderator.get(notes, { limit: 1 })
      expect(page.ok()).toEqual([second])
      expect((await moderator.get(page.links['next'] as string)).ok()).toEqual([made])
      for (const text of ['', '   ', 'x'.repeat(2001)])
        expect((await moderator.post(notes, { text })).status).toBe(422)
      const type = isReport ? 'report_note' : 'account_moderation_note'
      expect((await auditOf(made.id, type)).map((row) => row.action)).toEqual(['create'])
    }
    for (const missing of [`${path}/99/notes`, '/api/v1/admin/accounts/99/notes']) {
      expect((await moderator.get(missing)).status).toBe(404)
      expect((await moderator.post(missing, { text: 'x' })).status).toBe(404)
    }
  })

  test('stand by servers too, for those who look after federation [ACC-9]', async () => {
    const [admin, owner, bob] = [await staff('Admin'), await staff('Owner'), await app.person('bob')]
    const moderator = await staff()
    const { domain } = await remoteAccount(app.ctx, 'noted.example')
    const notes = `/api/v1/admin/instances/${domain}/notes`
    for (const who of [bob, moderator]) expect((await who.post(notes, { text: 'x' })).status).toBe(403)
    const made = (await admin.post(notes, { text: ' asked them on Monday ' })).ok()
    expect(made).toMatchObject({
      text: 'asked them on Monday',
      domain,
      report_id: null,
      target_account_id: null,
    })
    expect((await owner.get(notes)).ok()).toEqual([made])
    expect((await auditOf(made.id, 'host_note')).map((row) => row.action)).toEqual(['create'])
    const above = (await owner.post(notes, { text: 'leave it to me' })).ok()
    expect((await admin.delete(`${notes}/${above.id}`)).status).toBe(403)
    expect((await owner.delete(`/api/v1/admin/instances/other.example/notes/${made.id}`)).status).toBe(404)
    expect((await owner.delete(`/api/v1/admin/moderation_notes/${made.id}`)).status).toBe(404)
    expect((await owner.delete(`${notes}/${made.id}`)).status).toBe(200)
    expect((await auditOf(made.id, 'host_note')).at(-1)).toMatchObject({
      action: 'destroy',
      target_label: domain,
      details: { text: 'asked them on Monday' },
    })
    expect((await owner.get(notes)).ok()).toEqual([above])
    await app.ctx.db.insertInto('hosts').values({ host: 'chat.example' }).execute()
    expect((await owner.get('/api/v1/admin/instances/CHAT.example/notes')).status).toBe(404)
    expect((await owner.get('/api/v1/admin/instances/unknown.example/notes')).status).toBe(404)
  })

  test('are deleted by who wrote them, and by those above', async () => {
    const [moderator, other, admin] = [await staff(), await staff(), await staff('Admin')]
    const bob = await app.person('bob')
    const notes = `/api/v1/admin/accounts/${bob.accountId}/notes`
    const write = async (who: Person) => (await who.post(notes, { text: 'x' })).ok().id
    const remove = async (who: Person, id: string) =>
      (await who.delete(`/api/v1/admin/moderation_notes/${id}`)).status
    const [own, others, above] = [await write(moderator), await write(other), await write(admin)]
    expect(await remove(moderator, own)).toBe(200)
    expect(await remove(moderator, own)).toBe(404)
    expect(await remove(moderator, others)).toBe(403)
    expect(await remove(moderator, above)).toBe(403)
    expect(await remove(admin, others)).toBe(200)
    expect((await moderator.get(notes)).ok().map((note: Json) => note.id)).toEqual([above])
    expect((await auditOf(own, 'account_moderation_note')).at(-1)).toMatchObject({
      action: 'destroy',
      target_label: bob.username,
      details: { text: 'x' },
    })
  })
})

describe('reports are for those alone who may manage them [ACC-9]', () => {
  test('with a scope for it', async () => {
    const [moderator, alice, bob] = [await staff(), await app.person('alice'), await app.person('bob')]
    const id = await report(alice, bob, { comment: 'between us' })
    const reading = await app.withScopes(moderator, ['admin:read:reports'])
    const writing = await app.withScopes(moderator, ['admin:write:reports'])
    const otherPlace = await app.withScopes(moderator, ['read', 'write', 'admin:read:accounts'])
    expect((await reading.get(`${path}/${id}`)).status).toBe(200)
    expect((await reading.post(`${path}/${id}/resolve`)).status).toBe(403)
    expect((await writing.get(`${path}/${id}`)).status).toBe(403)
    expect((await writing.post(`${path}/${id}/resolve`)).status).toBe(200)
    for (const [who, status] of [
      [otherPlace, 403],
      [alice, 403],
      [bob, 403],
      [app.anonymous, 401],
    ] as const) {
      for (const answer of [
        await who.get(path),
        await who.get(`${path}/${id}`),
        await who.post(`${path}/${id}/reopen`),
        await who.post(`${path}/${id}/actions`, { type: 'delete_statuses' }),
        await who.get(`${path}/${id}/notes`),
      ]) {
        expect(answer.status).toBe(status)
        expect(JSON.stringify(answer.body)).not.toContain('between us')
      }
    }
  })
})
