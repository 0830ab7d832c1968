import { describe, expect, test } from 'vitest'
import { searchAccounts } from '#domain/identity/accounts/search.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()

/** Sets columns of an account the way moderation does. */
const mark = (accountId: AccountId, columns: Record<string, Date | string | null>) =>
  app.ctx.db
    .updateTable('accounts')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .execute()

const now = () => new Date(app.clock.now())
const idsOf = (list: Json[]): string[] => list.map((account) => account.id)

describe('GET accounts/:id', () => {
  test('answers the account to anyone, its id a string of digits [4-1] [2.0-1] [2.0-2] [9-8]', async () => {
    const alice = await app.person('alice')
    const body = (await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok()
    expect(body).toMatchObject({
      id: alice.accountId,
      username: alice.username,
      acct: alice.username,
      url: `https://chat.example/@${alice.username}`,
      uri: `https://chat.example/users/${alice.username}`,
      avatar: 'https://chat.example/avatars/original/missing.png',
    })
    expect(body.id).toMatch(/^\d+$/)
    expect(BigInt(body.id)).toBeLessThan(2n ** 63n)
    expect(body).not.toHaveProperty('source')
  })

  test('a suspended account is gone [4-2] [7-4] [ACC-17]', async () => {
    const alice = await app.person('alice')
    await mark(alice.accountId, { suspended_at: now() })
    const answer = await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual({ error: expect.any(String) })
    const bob = await app.person('bob')
    expect((await bob.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(410)
  })

  test('unconfirmed, waiting, deleted and unknown ones are not found', async () => {
    const unconfirmed = await app.person('early', { confirmed: false })
    const pending = await app.person('waiting', { approved: false })
    const deleted = await app.person('deleted')
    await mark(deleted.accountId, { deleted_at: now() })
    const bob = await app.person('bob')
    for (const id of [
      unconfirmed.accountId,
      pending.accountId,
      deleted.accountId,
      '1',
      'abc',
      '99999999999999999999',
    ]) {
      expect((await app.anonymous.get(`/api/v1/accounts/${id}`)).status).toBe(404)
      expect((await bob.get(`/api/v1/accounts/${id}`)).status).toBe(404)
    }
  })

  test('with a token it needs read:accounts, and the token must be valid', async () => {
    const alice = await app.person('alice')
    const narrow = await app.withScopes(alice, ['read:statuses'])
    expect((await narrow.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(403)
    const broken = await app.fetch(`/api/v1/accounts/${alice.accountId}`, {
      headers: { authorization: 'Bearer nonsense' },
    })
    expect(broken.status).toBe(401)
  })

  test('answers without a token may be cached for a moment, others not [5-13]', async () => {
    const alice = await app.person('alice')
    const path = `/api/v1/accounts/${alice.accountId}`
    expect((await app.anonymous.get(path)).headers.get('cache-control')).toContain('public, max-age=15')
    expect((await alice.get(path)).headers.get('cache-control')).toBe('private, no-store')
  })

  test('no e-mail or IP in any answer to strangers [ACC-9]', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    for (const client of [app.anonymous, bob]) {
      const shown = await client.get(`/api/v1/accounts/${alice.accountId}`)
      const found = await client.get('/api/v1/accounts/lookup', { acct: alice.username })
      expect(JSON.stringify([shown.body, found.body])).not.toMatch(/mail\.example|"ip"|email/)
    }
  })
})

describe('GET accounts?id[]', () => {
  test('answers those that are there, in the order asked for', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const unconfirmed = await app.person('early', { confirmed: false })
    const id = [bob.accountId, unconfirmed.accountId, '5', 'x', alice.accountId, bob.accountId]
    expect(idsOf((await app.anonymous.get('/api/v1/accounts', { id })).ok())).toEqual([
      bob.accountId,
      alice.accountId,
    ])
    expect((await app.anonymous.get('/api/v1/accounts')).ok()).toEqual([])
  })

  test('at most 40 at once', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
    expect((await app.anonymous.get('/api/v1/accounts', { id: ids(40) })).status).toBe(200)
    expect((await app.anonymous.get('/api/v1/accounts', { id: ids(41) })).status).toBe(422)
  })

  test('takes as many queries for many as for few', async () => {
    const people = []
    for (let index = 0; index < 12; index++) people.push(await app.person('crowd'))
    const ids = people.map((person) => person.accountId)
    const few = await app.countQueries(() => app.anonymous.get('/api/v1/accounts', { id: ids.slice(0, 3) }))
    const many = await app.countQueries(() => app.anonymous.get('/api/v1/accounts', { id: ids.slice(3) }))
    expect(many).toHaveLength(few.length)
  })
})

describe('GET accounts/lookup', () => {
  test('finds by handle, with and without @ and the own domain, in any case [4-3]', async () => {
    const alice = await app.person('alice')
    const handles = [
      alice.username,
      `@${alice.username}`,
      `${alice.username}@chat.example`,
      alice.username.toUpperCase(),
    ]
    for (const acct of handles) {
      expect((await app.anonymous.get('/api/v1/accounts/lookup', { acct })).ok().id).toBe(alice.accountId)
    }
  })

  test('finds accounts of other servers that are known already', async () => {
    const remote = await remoteAccount(app.ctx, 'elsewhere.example')
    const acct = remote.acct.replace('elsewhere', 'Elsewhere')
    const body = (await app.anonymous.get('/api/v1/accounts/lookup', { acct })).ok()
    expect(body).toMatchObject({ id: remote.accountId, acct: remote.acct })
  })

  test('404 for what is unknown, unconfirmed or no handle; 400 without one [SSRF-14]', async () => {
    const unconfirmed = await app.person('early', { confirmed: false })
    const odd = ['a@b/c', 'a@b#c', 'a@b?c', 'a@b\\c', 'a@b c', 'a@b@c', 'a@localhost:80/x', '@', 'nobody']
    for (const acct of [unconfirmed.username, ...odd]) {
      expect((await app.anonymous.get('/api/v1/accounts/lookup', { acct })).status).toBe(404)
    }
    expect((await app.anonymous.get('/api/v1/accounts/lookup')).status).toBe(400)
  })

  test('a suspended account shows nothing of its own [ACC-17]', async () => {
    const alice = await app.person('alice')
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice', note: 'hello' })
    await mark(alice.accountId, { suspended_at: now() })
    const body = (await app.anonymous.get('/api/v1/accounts/lookup', { acct: alice.username })).ok()
    expect(body).toMatchObject({ suspended: true, display_name: '', note: '', fields: [] })
  })
})

describe('GET accounts/search', () => {
  const search = async (person: { get: Json }, query: Record<string, unknown>) =>
    (await person.get('/api/v1/accounts/search', query)).ok() as Json[]

  test('finds by the beginning of user names and display names', async () => {
    const alice = await app.person('seeker')
    const one = await app.person('wagtail')
    const two = await app.person('other')
    await two.patch('/api/v1/accounts/update_credentials', { display_name: 'Wagtail fan' })
    const found = idsOf(await search(alice, { q: 'WAGT' }))
    expect(found.toSorted()).toEqual([one.accountId, two.accountId].toSorted())
    expect(await search(alice, { q: 'tai' })).toEqual([])
    expect(await search(alice, { q: '%' })).toEqual([])
    expect(await search(alice, { q: '  ' })).toEqual([])
    expect(await search(alice, {})).toEqual([])
  })

  test('the exact handle comes first, then those one follows, then the rest by followers', async () => {
    const alice = await app.person('seeker')
    const fan = await app.person('fan')
    const exact = await app.person('x', { username: 'robin' })
    const followed = await app.person('x', { username: 'robin_followed' })
    const plain = await app.person('x', { username: 'robin_aa' })
    const popular = await app.person('x', { username: 'robin_zz' })
    await alice.follow(followed)
    await fan.follow(popular)
    await app.settle()
    const expected = [exact, followed, popular, plain].map((person) => person.accountId)
    for (const q of ['robin', '@robin', '@Robin']) expect(idsOf(await search(alice, { q }))).toEqual(expected)
    expect(idsOf(await search(alice, { q: 'robin', limit: 2 }))).toEqual(expected.slice(0, 2))
    expect(idsOf(await search(alice, { q: 'robin', limit: 2, offset: 2 }))).toEqual(expected.slice(2))
    expect(idsOf(await search(alice, { q: 'robin', following: true }))).toEqual([followed.accountId])
  })

  test('finds handles of other servers, also while they are typed', async () => {
    const alice = await app.person('seeker')
    const { acct, accountId } = await remoteAccount(app.ctx, 'river.example')
    const name = acct.slice(0, acct.indexOf('@'))
    for (const q of [acct, `@${name}@RIVER.example`, `${name}@riv`, `${name}@`, name]) {
      expect(idsOf(await search(alice, { q }))).toEqual([accountId])
    }
    expect(await search(alice, { q: `${name}@lake.example` })).toEqual([])
  })

  test('never shows who blocks the searcher, nor suspended, deleted, unconfirmed, waiting or moved ones [ACC-17]', async () => {
    const alice = await app.person('seeker')
    const blocker = await app.person('x', { username: 'heron_blocker' })
    const suspended = await app.person('x', { username: 'heron_suspended' })
    const deleted = await app.person('x', { username: 'heron_deleted' })
    const moved = await app.person('x', { username: 'heron_moved' })
    await app.person('x', { username: 'heron_unconfirmed', confirmed: false })
    await app.person('x', { username: 'heron_pending', approved: false })
    ;(await blocker.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    await mark(suspended.accountId, { suspended_at: now() })
    await mark(deleted.accountId, { deleted_at: now() })
    await mark(moved.accountId, { moved_to_account_id: alice.accountId })
    expect(await search(alice, { q: 'heron' })).toEqual([])
    expect(await search(alice, { q: 'heron_blocker' })).toEqual([])
    expect(idsOf(await search(await app.person('third'), { q: 'heron' }))).toEqual([blocker.accountId])
  })

  test('whom one blocks and who is limited is found by the exact handle only', async () => {
    const alice = await app.person('seeker')
    const blocked = await app.person('x', { username: 'stork_blocked' })
    const limited = await app.person('x', { username: 'stork_limited' })
    ;(await alice.post(`/api/v1/accounts/${blocked.accountId}/block`)).ok()
    await mark(limited.accountId, { silenced_at: now() })
    expect(await search(alice, { q: 'stork' })).toEqual([])
    expect(idsOf(await search(alice, { q: 'stork_blocked' }))).toEqual([blocked.accountId])
    expect(idsOf(await search(alice, { q: '@stork_limited' }))).toEqual([limited.accountId])
  })

  test('at most 80, and as many queries for many as for few', async () => {
    const alice = await app.person('seeker')
    for (let index = 0; index < 6; index++) await app.person('x', { username: `plover_${index}` })
    const few = await app.countQueries(() => search(alice, { q: 'plover', limit: 2 }))
    const many = await app.countQueries(() => search(alice, { q: 'plover', limit: 500 }))
    expect(many.length).toBeLessThanOrEqual(few.length)
    expect(await search(alice, { q: 'plover', limit: 500 })).toHaveLength(6)
  })

  test('for a stranger, as other searches use it, it finds the same', async () => {
    const jay = await app.person('x', { username: 'jaybird' })
    expect(await searchAccounts(app.ctx, null, { text: 'jayb', limit: 5, offset: 0, avoids: true })).toEqual([
      jay.accountId,
    ])
    expect(
      await searchAccounts(app.ctx, null, {
        text: 'jayb',
        limit: 5,
        offset: 0,
        avoids: true,
        following: true,
      }),
    ).toEqual([])
  })

  test('needs a user and read:accounts', async () => {
    const alice = await app.person('alice')
    expect((await app.anonymous.get('/api/v1/accounts/search', { q: 'a' })).status).toBe(401)
    const narrow = await app.withScopes(alice, ['read:search'])
    expect((await narrow.get('/api/v1/accounts/search', { q: 'a' })).status).toBe(403)
    const client = await app.application(['read'])
    expect((await client.get('/api/v1/accounts/search', { q: 'a' })).status).toBe(422)
  })
})
