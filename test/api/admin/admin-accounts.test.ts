// Accounts as staff look for them, let them in and turn them away.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { useApp } from '#test/app/app.ts'
import type { Answer, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount, type RemoteAccount } from '#test/people/remote-account.ts'
import { asId, type AccountId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/accounts'
const path2 = '/api/v2/admin/accounts'

const idsOf = (answer: Answer): string[] => answer.ok().map((one: Json) => one.id)
const update = (table: 'users' | 'accounts', changes: ReturnType<typeof sql>, accountId: AccountId) =>
  sql`update ${sql.table(table)} set ${changes}
    where ${sql.ref(table === 'users' ? 'account_id' : 'id')} = ${accountId}`.execute(app.ctx.db)
const auditOf = async (targetId: string | undefined) =>
  (
    await sql<{ action: string; account_id: string | null; target_type: string; actor: string }>`
      select action, account_id, target_type, actor from audit_log where target_id = ${targetId} order by id`.execute(
      app.ctx.db,
    )
  ).rows

let admin: Person
beforeAll(async () => {
  admin = await app.person('admin', { role: 'Admin' })
})

describe('an account', () => {
  test('is shown with what only staff may know', async () => {
    const alice = await app.person('alice', { role: 'Moderator' })
    await update(
      'users',
      sql`sign_up_ip = '192.0.2.1', created_at = '2020-01-01', sign_up_reason = 'I like birds', locale = 'de'`,
      alice.accountId,
    )
    const session = { userId: alice.userId, userAgent: 'browser', passwordHash: null }
    await app.ctx.transaction((tx) => startSession(tx, { ...session, address: '2001:db8::1' }))
    app.clock.advance(1000)
    await app.ctx.transaction((tx) => startSession(tx, { ...session, address: '192.0.2.2' }))
    const shown = (await admin.get(`${path}/${alice.accountId}`)).ok()
    const account = (await admin.get(`/api/v1/accounts/${alice.accountId}`)).ok()
    expect(shown).toEqual({
      id: alice.accountId,
      username: alice.username,
      domain: null,
      created_at: expect.any(String),
      email: alice.email,
      ip: '192.0.2.2',
      ips: [
        { ip: '192.0.2.2', used_at: expect.any(String) },
        { ip: '2001:db8::1', used_at: expect.any(String) },
        { ip: '192.0.2.1', used_at: '2020-01-01T00:00:00.000Z' },
      ],
      locale: 'de',
      invite_request: 'I like birds',
      role: {
        id: '1',
        name: 'Moderator',
        color: expect.any(String),
        permissions: expect.stringMatching(/^\d+$/),
        highlighted: true,
        collection_limit: 10,
      },
      confirmed: true,
      approved: true,
      disabled: false,
      suspended: false,
      silenced: false,
      sensitized: false,
      account,
    })
  })

  test('without a role has that of everybody', async () => {
    const alice = await app.person('alice')
    const { role, ip, ips } = (await admin.get(`${path}/${alice.accountId}`)).ok()
    expect(role).toMatchObject({ id: '-99', name: '', permissions: '65536' })
    expect([ip, ips]).toEqual([null, []])
  })

  test('of another server has neither address nor role', async () => {
    const remote = await remoteAccount(app.ctx)
    const shown = (await admin.get(`${path}/${remote.accountId}`)).ok()
    expect(shown).toMatchObject({
      domain: 'away.example',
      email: null,
      role: null,
      ips: [],
      confirmed: false,
    })
    expect(shown.account.acct).toBe(remote.acct)
  })

  test('that came by an invitation and an application says so', async () => {
    const [host, guest] = [await app.person('host'), await app.person('guest')]
    const inviteId = app.ctx.newId()
    await sql`insert into invites (id, account_id, code) values (${inviteId}, ${host.accountId}, ${inviteId})`.execute(
      app.ctx.db,
    )
    await update('users', sql`invite_id = ${inviteId}`, guest.accountId)
    expect((await admin.get(`${path}/${guest.accountId}`)).ok().invited_by_account_id).toBe(host.accountId)
    expect(idsOf(await admin.get(path2, { invited_by: host.accountId }))).toEqual([guest.accountId])
    expect(idsOf(await admin.get(path2, { invited_by: guest.accountId }))).toEqual([])
  })

  test('that is not there is not found', async () => {
    for (const id of ['1', 'x', '999999999999999999'])
      expect([id, (await admin.get(`${path}/${id}`)).status]).toEqual([id, 404])
  })
})

describe('the list', () => {
  const marked = 'finder'
  let people: Record<string, Person>
  let remote: RemoteAccount

  beforeAll(async () => {
    const make = (name: string, options = {}) => app.person(`${marked}_${name}`, options)
    people = {
      plain: await make('plain'),
      pending: await make('pending', { approved: false }),
      disabled: await make('disabled'),
      silenced: await make('silenced'),
      suspended: await make('suspended'),
      sensitized: await make('sensitized'),
      staff: await make('staff', { role: 'Moderator' }),
    }
    const idOf = (name: string) => people[name]?.accountId as string
    await update('users', sql`disabled = true`, asId<AccountId>(idOf('disabled')))
    await update('accounts', sql`silenced_at = now()`, asId<AccountId>(idOf('silenced')))
    await update('accounts', sql`suspended_at = now()`, asId<AccountId>(idOf('suspended')))
    await update('accounts', sql`sensitized_at = now()`, asId<AccountId>(idOf('sensitized')))
    await update('accounts', sql`display_name = 'Ünïque Larch_100%'`, asId<AccountId>(idOf('plain')))
    await update('users', sql`sign_up_ip = '198.51.100.7'`, asId<AccountId>(idOf('plain')))
    await sql`insert into sign_ins (id, user_id, ip, created_at)
      values (${app.ctx.newId()}, ${people['silenced']?.userId}, '198.51.100.7', now())`.execute(app.ctx.db)
    remote = await remoteAccount(app.ctx, 'far.example')
    await update('accounts', sql`username = ${`${marked}_remote`}`, remote.accountId)
  })

  const everyone = ['plain', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized', 'staff', 'remote']
  const nameOf = (id: string) =>
    id === remote.accountId ? 'remote' : Object.keys(people).find((name) => people[name]?.accountId === id)
  const namesOf = (answer: Answer) => idsOf(answer).map(nameOf)

  test.each([
    [{}, everyone],
    [{ local: true }, everyone.filter((name) => name !== 'remote')],
    [{ remote: 'true' }, ['remote']],
    [{ local: true, remote: true }, []],
    [{ active: true }, everyone.filter((name) => name !== 'suspended')],
    [{ pending: 1 }, ['pending']],
    [{ disabled: true }, ['disabled']],
    [{ silenced: true }, ['silenced']],
    [{ suspended: true }, ['suspended']],
    [{ sensitized: true }, ['sensitized']],
    [{ staff: true }, ['staff']],
    [{ suspended: false }, everyone],
    [{ silenced: true, suspended: true }, []],
    [{ display_name: 'unique' }, ['plain']],
    [{ display_name: 'LARCH_1' }, ['plain']],
    // What has no letters looks for nothing.
    [{ display_name: '%' }, everyone],
    [{ display_name: 'unique_' }, []],
    [{ by_domain: 'far.example' }, ['remote']],
    [{ by_domain: 'FAR.example' }, ['remote']],
    [{ by_domain: 'example' }, []],
    [{ ip: '198.51.100.7' }, ['plain', 'silenced']],
    [{ ip: '::ffff:198.51.100.7' }, ['plain', 'silenced']],
    [{ ip: '198.51.100.8' }, []],
    [{ email: `${marked}_PLAIN` }, ['plain']],
    [{ email: 'mail.example' }, []],
  ])('of %j', async (filter, expected) => {
    const answer = await admin.get(path, { username: marked, ...filter })
    expect(namesOf(answer).toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    [{ origin: 'local' }, everyone.filter((name) => name !== 'remote')],
    [{ origin: 'remote' }, ['remote']],
    [{ status: 'active' }, everyone.filter((name) => name !== 'suspended')],
    [{ status: 'pending' }, ['pending']],
    [{ status: 'disabled' }, ['disabled']],
    [{ status: 'silenced' }, ['silenced']],
    [{ status: 'suspended' }, ['suspended']],
    [{ status: 'sensitized' }, ['sensitized']],
    [{ permissions: 'staff' }, ['staff']],
    [{ role_ids: ['1', '2'] }, ['staff']],
    [{ role_ids: ['3'] }, []],
    [{ origin: 'remote', status: 'suspended' }, []],
  ])('in its second version, of %j', async (filter, expected) => {
    const answer = await admin.get(path2, { username: marked, ...filter })
    expect(namesOf(answer).toSorted()).toEqual(expected.toSorted())
  })

  test('goes from new to old, in pages', async () => {
    const all = idsOf(await admin.get(path, { username: marked }))
    expect(all).toEqual(all.toSorted((a, b) => Number(BigInt(b) - BigInt(a))))
    for (const list of [path, path2]) {
      const first = await admin.get(list, { username: marked, limit: 3 })
      expect(idsOf(first)).toEqual(all.slice(0, 3))
      expect(idsOf(await admin.get(first.links['next'] as string))).toEqual(all.slice(3, 6))
      expect(idsOf(await admin.get(list, { username: marked, limit: 2, min_id: all[3] }))).toEqual(
        all.slice(1, 3),
      )
    }
  })

  test('refuses what it does not know', async () => {
    for (const bad of [{ origin: 'mars' }, { status: 'happy' }, { permissions: 'all' }])
      expect((await admin.get(path2, bad)).status).toBe(422)
  })

  test('takes the same number of queries for few and for many', async () => {
    const count = async (limit: number) => {
      await admin.get(path, { username: marked, limit })
      return (await app.countQueries(() => admin.get(path, { username: marked, limit }))).length
    }
    expect(await count(7)).toBe(await count(2))
  })

  test('e-mail and addresses are told to nobody else [ACC-9]', async () => {
    const [user, moderator] = [await app.person('user'), await app.person('mod', { role: 'Moderator' })]
    const narrow = await app.withScopes(moderator, [
      'read',
      'write',
      'admin:read:reports',
      'admin:write:reports',
    ])
    const id = people['plain']?.accountId as string
    const tries = [
      ['GET', path, 'admin:read:accounts'],
      ['GET', path2, 'admin:read:accounts'],
      ['GET', `${path}/${id}`, 'admin:read:accounts'],
      ['POST', `${path}/${id}/action`, 'admin:write:accounts'],
      ['POST', `${path}/${id}/approve`, 'admin:write:accounts'],
      ['POST', `${path}/${id}/unsuspend`, 'admin:write:accounts'],
      ['DELETE', `${path}/${id}`, 'admin:write:accounts'],
    ] as const
    for (const [method, target, scope] of tries) {
      const call = (client: Person | typeof narrow) =>
        method === 'GET'
          ? client.get(target)
          : method === 'POST'
            ? client.post(target)
            : client.delete(target)
      expect([target, (await call(app.anonymous as Person)).status]).toEqual([target, 401])
      const refused = [await call(user), await call(narrow)]
      expect(refused.map((answer) => answer.status)).toEqual([403, 403])
      for (const answer of refused) expect(JSON.stringify(answer.body)).not.toMatch(/@mail|198\.51/)
      const granular = await app.withScopes(moderator, [scope])
      expect(JSON.stringify((await call(granular)).body)).not.toMatch(/scopes/)
    }
    // Moderators may not delete anybody's data.
    expect((await moderator.delete(`${path}/${people['suspended']?.accountId}`)).status).toBe(403)
  })
})

describe('somebody who waits', () => {
  test('is let in once, and told', async () => {
    const waiting = await app.person('waiting', { approved: false })
    const target = `${path}/${waiting.accountId}`
    expect((await waiting.get('/api/v1/timelines/home')).status).toBe(403)
    expect((await admin.post(`${target}/approve`)).ok()).toMatchObject({
      id: waiting.accountId,
      approved: true,
    })
    await app.settle()
    expect(app.mails.filter((mail) => mail.to === waiting.email)).toHaveLength(1)
    ;(await waiting.get('/api/v1/timelines/home')).ok()
    for (const verb of ['approve', 'reject']) expect((await admin.post(`${target}/${verb}`)).status).toBe(403)
    expect(await auditOf(waiting.userId)).toEqual([
      { action: 'approve', account_id: admin.accountId, target_type: 'user', actor: 'staff' },
    ])
  })

  test('is turned away with everything, and the name is free', async () => {
    const waiting = await app.person('waiting', { approved: false })
    const target = `${path}/${waiting.accountId}`
    expect((await admin.post(`${target}/reject`)).ok()).toMatchObject({ username: waiting.username })
    expect((await admin.get(target)).status).toBe(404)
    expect((await admin.post(`${target}/reject`)).status).toBe(404)
    expect((await waiting.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    const again = await app.person('again', { username: waiting.username })
    expect(again.username).toBe(waiting.username)
    expect(await auditOf(waiting.userId)).toMatchObject([{ action: 'reject', account_id: admin.accountId }])
  })

  test('is of this server', async () => {
    const remote = await remoteAccount(app.ctx)
    for (const verb of ['approve', 'reject', 'enable'])
      expect((await admin.post(`${path}/${remote.accountId}/${verb}`)).status).toBe(403)
  })
})

describe('an account that staff delete', () => {
  test('must be suspended first, and goes for good', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('hello')
    const target = `${path}/${alice.accountId}`
    expect((await admin.delete(target)).status).toBe(403)
    ;(await admin.post(`${target}/action`, { type: 'suspend' })).ok()
    expect((await admin.delete(target)).ok()).toMatchObject({ id: alice.accountId, suspended: true })
    await app.settle()
    expect((await admin.get(target)).status).toBe(404)
    expect((await admin.delete(target)).status).toBe(404)
    expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(404)
    const { rows } = await sql<{ deleted_at: Date | null; text: string }>`
      select deleted_at, text from statuses where id = ${id}`.execute(app.ctx.db)
    expect(rows).toEqual([{ deleted_at: expect.any(Date), text: '' }])
    expect((await auditOf(alice.accountId)).map((row) => row.action)).toEqual(['suspend', 'destroy'])
  })

  test('may be of another server', async () => {
    const remote = await remoteAccount(app.ctx)
    const target = `${path}/${remote.accountId}`
    expect((await admin.delete(target)).status).toBe(403)
    ;(await admin.post(`${target}/action`, { type: 'suspend' })).ok()
    ;(await admin.delete(target)).ok()
    await app.settle()
    expect((await admin.get(target)).status).toBe(404)
  })
})
