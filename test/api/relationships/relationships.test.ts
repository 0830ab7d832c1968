import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const compatible = useApp({ env: { COMPAT_BLOCKED_BY: 'true' } })

const ids = (list: { id: string }[]) => list.map((item) => item.id)
const act = (person: Person, verb: string, other: { accountId: AccountId }, params = {}) =>
  person.post(`/api/v1/accounts/${other.accountId}/${verb}`, params)
const people = (count: number) => Promise.all(Array.from({ length: count }, () => app.person('other')))
const change = (person: Person, column: string, value: unknown) =>
  sql`update accounts set ${sql.ref(column)} = ${value} where id = ${person.accountId}`.execute(app.ctx.db)

describe('GET /api/v1/accounts/relationships', () => {
  const path = '/api/v1/accounts/relationships'

  test('tells all of the reference but blocked_by [4-95] [2.2-1] [2.2-2] [2.2-3] [2.2-6] [2.2-8]', async () => {
    const [alice, bob] = (await people(2)) as [Person, Person]
    const [answer] = (await alice.get(path, { id: [bob.accountId] })).ok()
    expect(answer).toEqual({
      id: bob.accountId,
      following: false,
      showing_reblogs: false,
      notifying: false,
      languages: null,
      followed_by: false,
      blocking: false,
      muting: false,
      muting_notifications: false,
      muting_expires_at: null,
      requested: false,
      requested_by: false,
      domain_blocking: false,
      endorsed: false,
      note: '',
    })
  })

  test('tells each tie from both sides [2.2-4] [2.2-7]', async () => {
    const [alice, bob] = (await people(2)) as [Person, Person]
    await bob.follow(alice)
    await alice.follow(bob)
    await act(alice, 'mute', bob)
    await act(alice, 'endorse', bob)
    await act(alice, 'note', bob, { comment: 'met at the fair' })
    const [mine] = (await alice.get(path, { id: [bob.accountId] })).ok()
    expect(mine).toMatchObject({
      following: true,
      showing_reblogs: true,
      followed_by: true,
      muting: true,
      muting_notifications: true,
    })
    expect(mine).toMatchObject({ endorsed: true, note: 'met at the fair', blocking: false })
    const [theirs] = (await bob.get(path, { id: [alice.accountId] })).ok()
    expect(theirs).toMatchObject({
      following: true,
      followed_by: true,
      muting: false,
      endorsed: false,
      note: '',
    })
  })

  test('says nothing of a block to the one who is blocked [ACC-12]', async () => {
    const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
    await act(alice, 'block', bob)
    const [of] = (await bob.get(path, { id: [alice.accountId] })).ok()
    const [free] = (await carol.get(path, { id: [alice.accountId] })).ok()
    expect(of).toEqual(free)
  })

  test('tells a blocked_by that is always false to apps that cannot do without', async () => {
    const [alice, bob] = [await compatible.person('alice'), await compatible.person('bob')]
    const headers = { authorization: `Bearer ${bob.token}` }
    await compatible.fetch(`/api/v1/accounts/${bob.accountId}/block`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}` },
    })
    const answer = await compatible.fetch(`${path}?id=${alice.accountId}`, { headers })
    expect(await answer.json()).toMatchObject([{ id: alice.accountId, blocked_by: false }])
  })

  test('answers in the order asked, in every spelling, without what is missing', async () => {
    const [alice, ...others] = (await people(4)) as [Person, Person, Person, Person]
    const asked = [others[2], others[0], others[1]].map((other) => other.accountId)
    expect(
      ids((await alice.get(path, { id: [...asked.slice(0, 1), '12345', 'abc', ...asked.slice(1)] })).ok()),
    ).toEqual(asked)
    expect(ids((await alice.get(`${path}?id[0]=${asked[0]}&id[1]=${asked[1]}`)).ok())).toEqual(
      asked.slice(0, 2),
    )
    expect(ids((await alice.get(`${path}?id=${asked[1]}`)).ok())).toEqual([asked[1]])
    expect((await alice.get(path)).ok()).toEqual([])
  })

  test('leaves out suspended accounts unless asked for them', async () => {
    const [alice, bob] = (await people(2)) as [Person, Person]
    await change(bob, 'suspended_at', new Date())
    expect((await alice.get(path, { id: [bob.accountId] })).ok()).toEqual([])
    expect(ids((await alice.get(path, { id: [bob.accountId], with_suspended: true })).ok())).toEqual([
      bob.accountId,
    ])
  })

  test('takes as many queries for 40 as for 1', async () => {
    const [alice, ...others] = (await people(41)) as [Person, ...Person[]]
    await alice.get(path)
    const one = await app.countQueries(() => alice.get(path, { id: [others[0]!.accountId] }))
    const forty = await app.countQueries(() =>
      alice.get(path, { id: others.map((other) => other.accountId) }),
    )
    expect(forty.length).toBe(one.length)
    expect(forty.filter((query) => query.includes('account_notes'))).toHaveLength(1)
  })

  test('wants a user and the scope read or read:follows', async () => {
    const alice = await app.person('alice')
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await (await app.application(['read'])).get(path)).status).toBe(422)
    for (const scope of ['read', 'read:follows'])
      expect((await (await app.withScopes(alice, [scope])).get(path)).status).toBe(200)
    for (const scope of ['follow', 'read:accounts'])
      expect((await (await app.withScopes(alice, [scope])).get(path)).status).toBe(403)
  })
})

describe('a private note', () => {
  test('is kept, replaced, and deleted when blank; a long one is refused', async () => {
    const [alice, bob] = (await people(2)) as [Person, Person]
    expect((await act(alice, 'note', bob, { comment: 'first' })).ok().note).toBe('first')
    expect((await act(alice, 'note', bob, { comment: '🐈'.repeat(2000) })).ok().note).toHaveLength(4000)
    const refused = await act(alice, 'note', bob, { comment: 'x'.repeat(2001) })
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'Validation failed: Comment is too long (maximum is 2000 characters)',
    ])
    expect((await act(alice, 'note', bob, { comment: ' ' })).ok().note).toBe('')
    expect((await act(alice, 'note', bob)).ok().note).toBe('')
    expect((await act(await asScope(alice, 'write:follows'), 'note', bob, { comment: 'no' })).status).toBe(
      403,
    )
  })
})

const asScope = async (person: Person, scope: string) => ({
  ...person,
  ...(await app.withScopes(person, [scope])),
})

describe('endorsements', () => {
  test('are for people one follows, and end with the follow', async () => {
    const [alice, bob] = (await people(2)) as [Person, Person]
    const refused = await act(alice, 'endorse', bob)
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'Validation failed: You must be already following the person you want to endorse',
    ])
    await alice.follow(bob)
    expect((await act(alice, 'pin', bob)).ok().endorsed).toBe(true)
    expect((await act(alice, 'endorse', bob)).ok().endorsed).toBe(true)
    expect(ids((await alice.get('/api/v1/endorsements')).ok())).toEqual([bob.accountId])
    expect(ids((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}/endorsements`)).ok())).toEqual([
      bob.accountId,
    ])
    expect((await act(alice, 'unpin', bob)).ok().endorsed).toBe(false)
    await act(alice, 'endorse', bob)
    expect((await act(alice, 'unendorse', bob)).ok().endorsed).toBe(false)
    await act(alice, 'endorse', bob)
    expect((await act(alice, 'unfollow', bob)).ok().endorsed).toBe(false)
    expect((await alice.get('/api/v1/endorsements')).ok()).toEqual([])
  })

  test('limit=0 gets all of them', async () => {
    const [alice, ...others] = (await people(43)) as [Person, ...Person[]]
    for (const other of others) {
      await alice.follow(other)
      await act(alice, 'endorse', other)
    }
    expect((await alice.get('/api/v1/endorsements')).ok()).toHaveLength(40)
    expect((await alice.get('/api/v1/endorsements?limit=0')).ok()).toHaveLength(42)
    expect((await alice.get('/api/v1/endorsements?limit=2')).links.next).toContain('max_id=')
  })
})

describe('followers and following', () => {
  const read = async (reader: Pick<Person, 'get'>, whose: Person, list: string) =>
    ids((await reader.get(`/api/v1/accounts/${whose.accountId}/${list}`)).ok())

  test('are empty for others where the owner hides them, full for the owner [ACC-11] [2.2-40]', async () => {
    const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
    await bob.follow(alice)
    await alice.follow(bob)
    expect(await read(app.anonymous, alice, 'followers')).toEqual([bob.accountId])
    await change(alice, 'hide_collections', true)
    for (const list of ['followers', 'following']) {
      expect(await read(carol, alice, list)).toEqual([])
      expect(await read(app.anonymous, alice, list)).toEqual([])
      expect(await read(alice, alice, list)).toEqual([bob.accountId])
    }
  })

  test('leave out whom the caller blocks, mutes or is blocked by [4-118] [4-119]', async () => {
    const [alice, blocked, muted, blocker, friend, caller] = (await people(6)) as [
      Person,
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    for (const other of [blocked, muted, blocker, friend]) {
      await other.follow(alice)
      await alice.follow(other)
    }
    await act(caller, 'block', blocked)
    await act(caller, 'mute', muted)
    await act(blocker, 'block', caller)
    for (const list of ['followers', 'following']) {
      expect(await read(caller, alice, list)).toEqual([friend.accountId])
      expect(await read(app.anonymous, alice, list)).toHaveLength(4)
    }
  })

  test('leave out accounts of a domain that the caller hides', async () => {
    const [alice, caller] = (await people(2)) as [Person, Person]
    const remote = await remoteAccount(app.ctx, 'hidden.example')
    await sql`insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${remote.accountId}, ${alice.accountId})`.execute(app.ctx.db)
    expect(await read(caller, alice, 'followers')).toEqual([remote.accountId])
    await caller.post('/api/v1/domain_blocks', { domain: 'hidden.example' })
    expect(await read(caller, alice, 'followers')).toEqual([])
    expect(await read(alice, alice, 'followers')).toEqual([remote.accountId])
  })

  test('are empty for whom the owner blocks, and for a suspended owner [4-120]', async () => {
    const [alice, bob, caller] = (await people(3)) as [Person, Person, Person]
    await bob.follow(alice)
    await act(alice, 'block', caller)
    expect(await read(caller, alice, 'followers')).toEqual([])
    expect(await read(caller, alice, 'endorsements')).toEqual([])
    expect(await read(bob, alice, 'followers')).toEqual([bob.accountId])
    await change(alice, 'suspended_at', new Date())
    expect(await read(bob, alice, 'followers')).toEqual([])
  })

  test('are paged by the ids of the follows, newest first', async () => {
    const [alice, ...others] = (await people(6)) as [Person, ...Person[]]
    for (const other of others) await other.follow(alice)
    const newestFirst = others.map((other) => other.accountId).toReversed()
    const first = await app.anonymous.get(`/api/v1/accounts/${alice.accountId}/followers?limit=2`)
    expect(ids(first.ok())).toEqual(newestFirst.slice(0, 2))
    const second = await app.anonymous.get(first.links.next!)
    expect(ids(second.ok())).toEqual(newestFirst.slice(2, 4))
    expect(second.links.prev).toContain('since_id=')
    expect(ids((await app.anonymous.get(second.links.prev!)).ok())).toEqual(newestFirst.slice(0, 2))
    const last = await app.anonymous.get(second.links.next!)
    expect(ids(last.ok())).toEqual(newestFirst.slice(4))
    expect(last.links.next).toBeUndefined()
    const upwards = await app.anonymous.get(last.links.prev!.replace('since_id', 'min_id'))
    expect(ids(upwards.ok())).toEqual(newestFirst.slice(2, 4))
  })

  test('take as many queries for 2 as for 20', async () => {
    const [alice, ...others] = (await people(21)) as [Person, ...Person[]]
    for (const other of others) await other.follow(alice)
    const path = (limit: number) => `/api/v1/accounts/${alice.accountId}/followers?limit=${limit}`
    await others[0]!.get(path(40))
    const few = await app.countQueries(() => others[0]!.get(path(2)))
    const many = await app.countQueries(() => others[0]!.get(path(20)))
    expect(many.length).toBe(few.length)
  })

  test('answer 404 for nobody, 403 without the scope, 401 with a broken token', async () => {
    const alice = await app.person('alice')
    const path = `/api/v1/accounts/${alice.accountId}/followers`
    expect((await app.anonymous.get('/api/v1/accounts/123/followers')).status).toBe(404)
    expect((await (await app.withScopes(alice, ['read:follows'])).get(path)).status).toBe(403)
    const response = await app.fetch(path, { headers: { authorization: 'Bearer wrong' } })
    expect(response.status).toBe(401)
  })
})

describe('GET /api/v1/accounts/familiar_followers', () => {
  const path = '/api/v1/accounts/familiar_followers'

  test('names those one follows who follow the account, unless it or they hide that', async () => {
    const [alice, friend, shy, stranger, star] = (await people(5)) as [Person, Person, Person, Person, Person]
    for (const other of [friend, shy, stranger]) await other.follow(star)
    for (const other of [friend, shy]) await alice.follow(other)
    await change(shy, 'hide_collections', true)
    const [answer, other] = (await alice.get(path, { id: [star.accountId, stranger.accountId, '99'] })).ok()
    expect(answer).toMatchObject({ id: star.accountId, accounts: [{ id: friend.accountId }] })
    expect(answer.accounts).toHaveLength(1)
    expect(other).toEqual({ id: stranger.accountId, accounts: [] })
    expect(ids((await alice.get(`${path}?0=${star.accountId}`)).ok()[0].accounts)).toEqual([friend.accountId])
    expect((await alice.get(path)).ok()).toEqual([])
    await change(star, 'hide_collections', true)
    expect((await alice.get(path, { id: [star.accountId] })).ok()).toEqual([
      { id: star.accountId, accounts: [] },
    ])
    expect((await app.anonymous.get(path)).status).toBe(401)
  })
})
