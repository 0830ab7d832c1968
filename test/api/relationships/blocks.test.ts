import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()

const ids = (list: { id: string }[]) => list.map((item) => item.id)
const act = (person: Person, verb: string, other: Person) =>
  person.post(`/api/v1/accounts/${other.accountId}/${verb}`)
const home = async (person: Person) => ids((await person.get('/api/v1/timelines/home')).ok())
const statsOf = async (person: Person) => {
  const { rows } = await sql<{ followers_count: number; following_count: number }>`
    select followers_count, following_count from account_stats where account_id = ${person.accountId}`.execute(
    app.ctx.db,
  )
  return rows[0]
}

describe('blocking', () => {
  test('ends follows, requests and endorsements both ways and keeps the counters [1-8]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await alice.follow(bob)
    await bob.follow(alice)
    await act(bob, 'endorse', alice)
    expect((await act(alice, 'block', bob)).ok()).toMatchObject({
      blocking: true,
      following: false,
      followed_by: false,
    })
    expect((await act(alice, 'block', bob)).ok()).toMatchObject({ blocking: true })
    const none = { followers_count: 0, following_count: 0 }
    expect([await statsOf(alice), await statsOf(bob)]).toEqual([none, none])
    expect((await bob.get('/api/v1/endorsements')).ok()).toEqual([])
    expect((await act(alice, 'unblock', bob)).ok()).toMatchObject({ blocking: false, following: false })
    expect((await act(alice, 'unblock', bob)).status).toBe(200)
    expect((await act(bob, 'follow', alice)).ok()).toMatchObject({ following: true })
  })

  test('ends a waiting request, which cannot be authorized after', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await sql`update accounts set locked = true where id = ${alice.accountId}`.execute(app.ctx.db)
    await act(bob, 'follow', alice)
    await act(alice, 'block', bob)
    expect((await alice.get('/api/v1/follow_requests')).ok()).toEqual([])
    expect((await alice.post(`/api/v1/follow_requests/${bob.accountId}/authorize`)).status).toBe(404)
  })

  test('takes each out of the feed of the other, boosts and mentions too [ACC-12]', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    for (const person of [alice, bob]) {
      await home(person)
      await person.follow(carol)
    }
    await alice.follow(bob)
    await bob.follow(alice)
    await app.settle()
    const [fromAlice, fromBob] = [await alice.say('mine'), await bob.say('his')]
    const neutral = await carol.say('neutral')
    await carol.post(`/api/v1/statuses/${fromBob.id}/reblog`)
    await carol.post(`/api/v1/statuses/${fromAlice.id}/reblog`)
    await carol.say(`hello @${bob.username}`)
    await app.settle()
    expect(await home(alice)).toContain(fromBob.id)
    expect(await home(bob)).toContain(fromAlice.id)
    await act(alice, 'block', bob)
    await app.settle()
    expect(await home(alice)).toEqual([neutral.id, fromAlice.id])
    const left = await home(bob)
    expect(left).toContain(neutral.id)
    expect(left).toContain(fromBob.id)
    expect(left).not.toContain(fromAlice.id)
    expect((await bob.get(`/api/v1/statuses/${fromAlice.id}`)).status).toBe(404)
    const { rows } = await sql`
      select 1 from home_entries h join statuses s on s.id = h.status_id
      where h.account_id = ${bob.accountId} and ${alice.accountId} in (
        s.account_id, (select o.account_id from statuses o where o.id = s.reblog_of_id))`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  test('of oneself does nothing', async () => {
    const alice = await app.person('alice')
    expect((await act(alice, 'block', alice)).ok()).toMatchObject({ blocking: false })
  })

  test('a block and a follow at the same time leave no follow beside the block', async () => {
    for (let round = 0; round < 8; round++) {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      await Promise.all([act(bob, 'follow', alice), act(alice, 'block', bob), act(bob, 'follow', alice)])
      const { rows } = await sql`select 1 from follows where target_account_id = ${alice.accountId}`.execute(
        app.ctx.db,
      )
      expect(rows).toEqual([])
      expect(await statsOf(alice)).toEqual({ followers_count: 0, following_count: 0 })
    }
  })
})

describe('GET /api/v1/blocks', () => {
  test('pages newest first and is one’s own [4-93]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const others = await Promise.all([1, 2, 3].map(() => app.person('other')))
    for (const other of others) await act(alice, 'block', other)
    const first = await alice.get('/api/v1/blocks?limit=2')
    expect(ids(first.ok())).toEqual([others[2]!.accountId, others[1]!.accountId])
    expect(ids((await alice.get(first.links.next!)).ok())).toEqual([others[0]!.accountId])
    expect((await alice.get(first.links.prev!)).ok()).toEqual([])
    expect((await bob.get('/api/v1/blocks')).ok()).toEqual([])
    expect((await app.anonymous.get('/api/v1/blocks')).status).toBe(401)
    for (const scope of ['follow', 'read', 'read:blocks']) {
      expect((await (await app.withScopes(alice, [scope])).get('/api/v1/blocks')).status).toBe(200)
    }
    expect((await (await app.withScopes(alice, ['read:mutes'])).get('/api/v1/blocks')).status).toBe(403)
    const path = `/api/v1/accounts/${bob.accountId}/block`
    expect((await (await app.withScopes(alice, ['write:mutes'])).post(path)).status).toBe(403)
    expect((await (await app.withScopes(alice, ['write:blocks'])).post(path)).status).toBe(200)
  })
})
