import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Answer } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const limited = useApp({ env: { RATE_LIMITS: 'on' } })

const ids = (list: { id: string }[]) => list.map((item) => item.id)
const lock = (person: Person) =>
  sql`update accounts set locked = true where id = ${person.accountId}`.execute(app.ctx.db)
const follow = (from: Person, to: { accountId: AccountId }, params = {}) =>
  from.post(`/api/v1/accounts/${to.accountId}/follow`, params)
const unfollow = (from: Person, to: { accountId: AccountId }) =>
  from.post(`/api/v1/accounts/${to.accountId}/unfollow`)

async function counts(person: Person): Promise<[followers: number, following: number]> {
  const account = (await person.get(`/api/v1/accounts/${person.accountId}/followers`)).ok()
  const { rows } = await sql<{ followers_count: number; following_count: number }>`
    select followers_count, following_count from account_stats where account_id = ${person.accountId}`.execute(
    app.ctx.db,
  )
  const row = rows[0]!
  expect(account.length).toBe(row.followers_count)
  return [row.followers_count, row.following_count]
}

describe('following', () => {
  test('is established at once with an account that is not locked, and ends [1-2] [4-90] [3-2]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    expect((await follow(alice, bob)).ok()).toMatchObject({
      id: bob.accountId,
      following: true,
      requested: false,
      notifying: false,
    })
    expect(await counts(bob)).toEqual([1, 0])
    expect(await counts(alice)).toEqual([0, 1])
    expect((await unfollow(alice, bob)).ok()).toMatchObject({ following: false, showing_reblogs: false })
    expect(await counts(bob)).toEqual([0, 0])
    expect((await unfollow(alice, bob)).status).toBe(200)
    expect(await counts(bob)).toEqual([0, 0])
  })

  test('again changes options, leaves those that are not given, and never errors [2.2-9] [2.2-12] [4-91] [4-92]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    expect((await follow(alice, bob)).ok()).toMatchObject({
      showing_reblogs: true,
      notifying: false,
      languages: null,
    })
    const changed = (
      await follow(alice, bob, { reblogs: false, notify: 'true', languages: ['en', 'de'] })
    ).ok()
    expect(changed).toMatchObject({
      following: true,
      showing_reblogs: false,
      notifying: true,
      languages: ['en', 'de'],
    })
    expect((await follow(alice, bob)).ok()).toMatchObject({
      showing_reblogs: false,
      notifying: true,
      languages: ['en', 'de'],
    })
    const cleared = await alice.post(
      `/api/v1/accounts/${bob.accountId}/follow`,
      new URLSearchParams({ 'languages[]': '' }),
    )
    expect(cleared.ok().languages).toBeNull()
    expect(await counts(bob)).toEqual([1, 0])
    expect((await follow(alice, bob, { languages: ['klingon!'] })).status).toBe(422)
  })

  test('a locked account gets a request, whose options are kept when it is authorized [2.2-5] [3-12] [4-87] [4-88] [4-89]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await lock(bob)
    const asked = (await follow(alice, bob, { reblogs: false, notify: true })).ok()
    expect(asked).toMatchObject({
      following: false,
      requested: true,
      showing_reblogs: false,
      notifying: true,
    })
    expect((await follow(alice, bob, { reblogs: true })).ok()).toMatchObject({
      requested: true,
      showing_reblogs: true,
    })
    expect(ids((await bob.get('/api/v1/follow_requests')).ok())).toEqual([alice.accountId])
    expect(await counts(bob)).toEqual([0, 0])
    const answer = (await bob.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).ok()
    expect(answer).toMatchObject({ id: alice.accountId, followed_by: true, requested_by: false })
    expect(await counts(bob)).toEqual([1, 0])
    const [seen] = (await alice.get('/api/v1/accounts/relationships', { id: [bob.accountId] })).ok()
    expect(seen).toMatchObject({ following: true, requested: false, notifying: true, showing_reblogs: true })
    expect((await bob.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).status).toBe(404)
  })

  test('a request is rejected, or taken back by unfollowing [3-14]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await lock(bob)
    await follow(alice, bob)
    expect((await bob.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).ok()).toMatchObject({
      requested_by: false,
      followed_by: false,
    })
    expect((await bob.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).status).toBe(404)
    await follow(alice, bob)
    expect((await bob.get('/api/v1/follow_requests')).ok()).toHaveLength(1)
    expect((await unfollow(alice, bob)).ok()).toMatchObject({ requested: false, following: false })
    expect((await bob.get('/api/v1/follow_requests')).ok()).toEqual([])
  })

  test('unlocking lets in those who wait, but for limited accounts', async () => {
    const [alice, bob, quiet] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('quiet'),
    ]
    ;(await alice.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    for (const one of [bob, quiet]) expect((await follow(one, alice)).ok().requested).toBe(true)
    await sql`update accounts set silenced_at = now() where id = ${quiet.accountId}`.execute(app.ctx.db)
    ;(await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' })).ok()
    await app.settle()
    expect(await counts(alice)).toEqual([0, 0])
    ;(await alice.patch('/api/v1/accounts/update_credentials', { locked: false })).ok()
    await app.settle()
    expect(ids((await alice.get(`/api/v1/accounts/${alice.accountId}/followers`)).ok())).toEqual([
      bob.accountId,
    ])
    expect(ids((await alice.get('/api/v1/follow_requests')).ok())).toEqual([quiet.accountId])
    expect(await counts(alice)).toEqual([1, 0])
  })

  test('whoever is limited only asks, and accounts of other servers are asked', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await sql`update accounts set silenced_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    expect((await follow(alice, bob)).ok()).toMatchObject({ requested: true, following: false })
    const remote = await remoteAccount(app.ctx)
    // Said to open accounts at once, as Mastodon does; the answer is still to come.
    expect((await follow(bob, remote)).ok()).toMatchObject({ requested: false, following: true })
    const [now] = (await bob.get(`/api/v1/accounts/relationships?id[]=${remote.accountId}`)).ok()
    expect(now).toMatchObject({ requested: true, following: false })
  })

  test('is refused the same way for oneself, blocked, blocking, moved and suspended accounts [ACC-12]', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    await alice.post(`/api/v1/accounts/${bob.accountId}/block`)
    const refused: Answer[] = [await follow(alice, alice), await follow(alice, bob), await follow(bob, alice)]
    await sql`update accounts set moved_to_account_id = ${alice.accountId} where id = ${carol.accountId}`.execute(
      app.ctx.db,
    )
    refused.push(await follow(bob, carol))
    await sql`update accounts set moved_to_account_id = null, suspended_at = now() where id = ${carol.accountId}`.execute(
      app.ctx.db,
    )
    refused.push(await follow(bob, carol))
    expect(refused.map((answer) => [answer.status, answer.body])).toEqual(
      refused.map(() => [403, { error: 'This action is not allowed' }]),
    )
    expect(await counts(alice)).toEqual([0, 0])
  })

  test('is not found for ids that name nobody, or somebody who is not confirmed [ACC-8]', async () => {
    const alice = await app.person('alice')
    const hidden = await app.person('hidden', { confirmed: false })
    for (const id of ['1', '0', 'abc', hidden.accountId]) {
      for (const verb of [
        'follow',
        'unfollow',
        'block',
        'mute',
        'note',
        'endorse',
        'remove_from_followers',
      ]) {
        const answer = await alice.post(`/api/v1/accounts/${id}/${verb}`)
        expect([verb, id, answer.status, answer.body]).toEqual([verb, id, 404, { error: 'Record not found' }])
      }
    }
  })

  test('ends at the limit, which grows with the number of followers', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const set = (following: number, followers: number) =>
      sql`update account_stats set following_count = ${following}, followers_count = ${followers} where account_id = ${alice.accountId}`.execute(
        app.ctx.db,
      )
    await set(7500, 10)
    const refused = await follow(alice, bob)
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'Validation failed: You cannot follow more than 7500 people',
    ])
    await set(8800, 8000)
    expect((await follow(alice, bob)).body.error).toBe(
      'Validation failed: You cannot follow more than 8800 people',
    )
    await set(8799, 8000)
    expect((await follow(alice, bob)).status).toBe(200)
    expect((await follow(alice, bob)).status).toBe(200)
  })

  test('counts new follows only [8-8]', async () => {
    const [alice, bob] = [await limited.person('alice'), await limited.person('bob')]
    const left = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'))
    const first = await follow(alice, bob)
    expect(first.headers.get('x-ratelimit-limit')).toBe('400')
    expect(left(first)).toBe(399)
    expect((await follow(alice, bob)).headers.get('x-ratelimit-limit')).not.toBe('400')
    expect((await follow(alice, alice)).status).toBe(403)
    await unfollow(alice, bob)
    expect(left(await follow(alice, bob))).toBe(398)
  })

  test('removing a follower is silent, also when they do not follow', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await follow(bob, alice)
    const path = `/api/v1/accounts/${bob.accountId}/remove_from_followers`
    expect((await alice.post(path)).ok()).toMatchObject({ followed_by: false })
    expect((await alice.post(path)).status).toBe(200)
    expect(await counts(alice)).toEqual([0, 0])
    expect(await counts(bob)).toEqual([0, 0])
  })

  test('wants the scope follow, or write, or write:follows, and a user [5-4] [ACC-8]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const path = `/api/v1/accounts/${bob.accountId}/follow`
    for (const scope of ['follow', 'write', 'write:follows']) {
      expect((await (await app.withScopes(alice, [scope])).post(path)).status).toBe(200)
    }
    for (const scope of ['read', 'write:statuses', 'push']) {
      expect((await (await app.withScopes(alice, [scope])).post(path)).status).toBe(403)
    }
    for (const scope of ['follow', 'read', 'read:follows']) {
      expect((await (await app.withScopes(alice, [scope])).get('/api/v1/follow_requests')).status).toBe(200)
    }
    expect((await app.anonymous.post(path)).status).toBe(401)
    expect((await (await app.application(['write'])).post(path)).status).toBe(422)
  })
})

describe('POST /api/v1/follows', () => {
  const by = (person: Person, uri?: string) =>
    person.post('/api/v1/follows', uri === undefined ? {} : { uri })

  test('follows by handle; again, and for a locked account, it is no error [4-18] [4-19] [4-20]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    expect((await by(alice, bob.username)).ok()).toMatchObject({ id: bob.accountId, acct: bob.username })
    expect((await by(alice, `@${bob.username}@chat.example`)).status).toBe(200)
    const carol = await app.person('carol')
    await lock(carol)
    expect((await by(alice, `acct:${carol.username}@CHAT.example`)).status).toBe(200)
    expect((await by(alice, carol.username)).status).toBe(200)
    expect(await counts(alice)).toEqual([0, 1])
    const remote = await remoteAccount(app.ctx)
    expect((await by(alice, remote.acct)).ok().acct).toBe(remote.acct)
  })

  test('is not found for handles that name nobody', async () => {
    const alice = await app.person('alice')
    for (const uri of ['nobody', 'nobody@unknown.example', '', 'https://x.example/@y', '@@', undefined]) {
      expect([uri, (await by(alice, uri)).status]).toEqual([uri, 404])
    }
    expect((await by(alice, alice.username)).status).toBe(403)
  })
})

describe('the home feed', () => {
  const home = async (person: Person) => ids((await person.get('/api/v1/timelines/home')).ok())

  test('gets what a followed account wrote, and loses it on unfollowing, but for followed tags', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    expect(await home(alice)).toEqual([])
    const plain = await bob.say('before')
    const tagged = await bob.say('about #stonechats')
    await app.settle()
    await follow(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([tagged.id, plain.id])
    await sql`insert into tag_follows (id, account_id, tag_id)
      select ${app.ctx.newId()}, ${alice.accountId}, id from tags where name = 'stonechats'`.execute(
      app.ctx.db,
    )
    await unfollow(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([tagged.id])
  })

  test('follows the last word when one follows and unfollows in turn before the worker runs', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await home(alice)
    const post = await bob.say('hello')
    await follow(alice, bob)
    await unfollow(alice, bob)
    await follow(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([post.id])
    await unfollow(alice, bob)
    await follow(alice, bob)
    await unfollow(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([])
  })

  test('hiding boosts affects new statuses only [2.2-10] [2.2-11]', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    await home(alice)
    await follow(alice, bob)
    const [first, second] = [await carol.say('one'), await carol.say('two')]
    const shown = (await bob.post(`/api/v1/statuses/${first.id}/reblog`)).ok()
    await app.settle()
    await follow(alice, bob, { reblogs: false })
    await bob.post(`/api/v1/statuses/${second.id}/reblog`)
    await app.settle()
    expect(await home(alice)).toEqual([shown.id])
  })
})
