import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const app = useApp()
const path = '/api/v1/reports'

async function addRule(text: string): Promise<string> {
  const id = app.ctx.newId()
  await sql`insert into rules (id, text) values (${id}, ${text})`.execute(app.ctx.db)
  return id
}

async function noticesOf(person: {
  get(path: string, query?: object): Promise<{ ok(): Json }>
}): Promise<Json[]> {
  return (await person.get('/api/v1/notifications', { types: ['admin.report'] })).ok()
}

async function countReports(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from reports`.execute(app.ctx.db)
  return rows[0]?.n ?? 0
}

describe('POST /api/v1/reports', () => {
  test('writes a report down and answers it', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await bob.say('buy now')
    const answer = (
      await alice.post(path, {
        account_id: bob.accountId,
        status_ids: [id],
        comment: ' spam! ',
        category: 'spam',
      })
    ).ok()
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'spam!',
      forwarded: false,
      status_ids: [id],
      rule_ids: [],
      collection_ids: [],
      target_account: { id: bob.accountId },
    })
  })

  test('takes a category; rules make it a violation [4-56]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const account_id = bob.accountId
    const rule = await addRule('Be kind')
    expect((await alice.post(path, { account_id })).ok().category).toBe('other')
    for (const category of ['spam', 'legal', 'violation', 'other'])
      expect((await alice.post(path, { account_id, category })).ok().category).toBe(category)
    const broken = (await alice.post(path, { account_id, category: 'spam', rule_ids: [rule] })).ok()
    expect(broken).toMatchObject({ category: 'violation', rule_ids: [rule] })
    expect((await alice.post(path, { account_id, category: 'boring' })).status).toBe(422)
    for (const rule_ids of [[rule, '12345'], ['x']])
      expect((await alice.post(path, { account_id, rule_ids })).status).toBe(422)
  })

  test('names only what is theirs and can be seen; all else is as if it did not exist [ACC-2]', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    const open = await bob.say('open')
    const hidden = await bob.say('hidden', { visibility: 'private' })
    const toAlice = await bob.say(`@${alice.username} hi`, { visibility: 'direct' })
    const others = await carol.say('mine')
    const account_id = bob.accountId
    const seen = [open.id, toAlice.id]
    expect((await alice.post(path, { account_id, status_ids: seen })).ok().status_ids).toEqual(seen)
    const collection = { name: 'people', account_ids: [] }
    const own = (await bob.post('/api/v1/collections', collection)).ok().collection.id
    const foreign = (await carol.post('/api/v1/collections', collection)).ok().collection.id
    expect((await alice.post(path, { account_id, collection_ids: [own] })).ok().collection_ids).toEqual([own])
    const before = await countReports()
    const missing = await alice.post(path, { account_id, status_ids: ['99'] })
    for (const params of [
      { status_ids: [hidden.id] },
      { status_ids: [open.id, hidden.id] },
      { status_ids: [others.id] },
      { collection_ids: [foreign] },
      { collection_ids: ['99'] },
    ]) {
      const answer = await alice.post(path, { account_id, ...params })
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    expect(await countReports()).toBe(before)
  })

  test('who is blocked finds nothing to report, and nobody but staff hears of what they say [ACC-12]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await alice.say('for all but bob')
    const collection = { name: 'people', account_ids: [] }
    const people = (await alice.post('/api/v1/collections', collection)).ok().collection.id
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/block`)).ok()
    const before = await countReports()
    const account_id = alice.accountId
    for (const params of [{ status_ids: [id] }, { collection_ids: [people] }])
      expect((await bob.post(path, { account_id, ...params })).status).toBe(404)
    expect(await countReports()).toBe(before)
    // Whoever was blocked by those who harass them must be able to say so.
    const answer = (await bob.post(path, { account_id, comment: 'they follow me around' })).ok()
    expect(answer).toMatchObject({ status_ids: [], collection_ids: [] })
    await app.settle()
    expect((await alice.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('is not taken about those who are shut out already', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await sql`update accounts set suspended_at = now(), version = version + 1 where id = ${bob.accountId}`.execute(
      app.ctx.db,
    )
    expect((await alice.post(path, { account_id: bob.accountId })).status).toBe(404)
  })

  test('refuses a long comment, nobody, and those who may not', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const account_id = bob.accountId
    expect((await alice.post(path, { account_id, comment: '😀'.repeat(1000) })).status).toBe(200)
    expect((await alice.post(path, { account_id, comment: '😀'.repeat(1001) })).status).toBe(422)
    for (const nobody of ['99', 'x', undefined])
      expect((await alice.post(path, { account_id: nobody })).status).toBe(404)
    expect((await app.anonymous.post(path, { account_id })).status).toBe(401)
    const reading = await app.withScopes(alice, ['read', 'write:statuses'])
    expect((await reading.post(path, { account_id })).status).toBe(403)
    const narrow = await app.withScopes(alice, ['write:reports'])
    expect((await narrow.post(path, { account_id })).status).toBe(200)
  })

  test('tells staff once while a report waits, also by mail [6-7]', async () => {
    await app.settle()
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const moderator = await app.person('moderator', { role: 'Moderator' })
    const owner = await app.person('owner', { role: 'Owner' })
    app.mails.length = 0
    const first = (await alice.post(path, { account_id: bob.accountId, comment: 'look\nhere' })).ok()
    await alice.post(path, { account_id: bob.accountId, comment: 'again' })
    await app.settle()
    for (const person of [moderator, owner]) {
      const notices = await noticesOf(person)
      expect(notices).toMatchObject([
        { account: { id: alice.accountId }, report: { id: first.id, target_account: { id: bob.accountId } } },
      ])
      const mails = app.mails.filter((mail) => mail.to === person.email)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.subject).toContain(`@${bob.username}`)
      expect(mails[0]?.text).toContain('look here')
    }
    expect(await noticesOf(bob)).toEqual([])
    expect(app.mails.some((mail) => [alice.email, bob.email].includes(mail.to))).toBe(false)
    await sql`update reports set action_taken_at = now() where target_account_id = ${bob.accountId}`.execute(
      app.ctx.db,
    )
    await alice.post(path, { account_id: bob.accountId })
    await app.settle()
    expect(await noticesOf(moderator)).toHaveLength(2)
  })

  test('remembers to which servers it is to go [4-57]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const remote = await remoteAccount(app.ctx, 'away.example')
    const sent = async (params: Record<string, unknown>) => {
      const { id, forwarded } = (await alice.post(path, params)).ok()
      const { rows } = await sql<{ to: string[] }>`
        select forwarded_to as to from reports where id = ${id}`.execute(app.ctx.db)
      return [forwarded, rows[0]?.to]
    }
    const account_id = remote.accountId
    expect(await sent({ account_id })).toEqual([false, []])
    expect(await sent({ account_id, forward: false, forward_to_domains: ['x.example'] })).toEqual([false, []])
    expect(await sent({ account_id, forward: true })).toEqual([true, ['away.example']])
    const forward_to_domains = ['MÜNCHEN.example', 'away.example', 'no domain']
    expect(await sent({ account_id, forward: true, forward_to_domains })).toEqual([
      true,
      ['xn--mnchen-3ya.example', 'away.example'],
    ])
    expect(await sent({ account_id: bob.accountId, forward: true })).toEqual([false, []])
  })
})
