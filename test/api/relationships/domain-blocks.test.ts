import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount, type RemoteAccount } from '#test/people/remote-account.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/domain_blocks'

/** A follow that other servers have agreed to. */
async function tie(from: string, to: string): Promise<void> {
  await sql`
    with made as (insert into follows (id, account_id, target_account_id) values (${app.ctx.newId()}, ${from}, ${to}))
    insert into account_stats (account_id, followers_count, following_count) values (${from}, 0, 1), (${to}, 1, 0)
    on conflict (account_id) do update set followers_count = account_stats.followers_count + excluded.followers_count,
      following_count = account_stats.following_count + excluded.following_count`.execute(app.ctx.db)
}

const statsOf = async (accountId: AccountId) => {
  const { rows } = await sql<{ followers_count: number; following_count: number }>`
    select followers_count, following_count from account_stats where account_id = ${accountId}`.execute(
    app.ctx.db,
  )
  return [rows[0]?.followers_count, rows[0]?.following_count]
}

const feedOf = async (person: Person) => {
  const { rows } = await sql<{ id: string }>`
    select status_id as id from home_entries where account_id = ${person.accountId}`.execute(app.ctx.db)
  return rows.map((row) => row.id)
}

const eventsOf = async (person: Person) => {
  const { rows } = await sql<{ type: string }>`
    select event ->> 'type' as type from outbox
    where ${person.accountId} in (event ->> 'accountId', event ->> 'targetAccountId') order by id`.execute(
    app.ctx.db,
  )
  return rows.map((row) => row.type)
}

describe('hiding a domain', () => {
  test('ends follows and requests both ways, and only those [1-9] [3-16] [3-17] [4-96]', async () => {
    const alice = await app.person('alice')
    const [hidden, other, asked] = (await Promise.all([
      remoteAccount(app.ctx, 'bad.example'),
      remoteAccount(app.ctx, 'sub.bad.example'),
      remoteAccount(app.ctx, 'bad.example'),
    ])) as [RemoteAccount, RemoteAccount, RemoteAccount]
    for (const remote of [hidden, other]) {
      await tie(alice.accountId, remote.accountId)
      await tie(remote.accountId, alice.accountId)
    }
    await alice.post(`/api/v1/accounts/${asked.accountId}/follow`)
    await app.settle()
    expect((await alice.get(`${path}/preview`, { domain: 'bad.example' })).ok()).toEqual({
      following_count: 1,
      followers_count: 1,
    })
    expect((await alice.post(path, { domain: ' BAD.example ' })).ok()).toEqual({})
    expect((await eventsOf(alice)).toSorted()).toEqual([
      'domain-block.created',
      'follow-request.deleted',
      'follow.deleted',
      'follow.rejected',
    ])
    expect(await statsOf(alice.accountId)).toEqual([1, 1])
    expect(await statsOf(hidden.accountId)).toEqual([0, 0])
    const relations = (
      await alice.get('/api/v1/accounts/relationships', {
        id: [hidden, other, asked].map((r) => r.accountId),
      })
    ).ok()
    expect(relations).toMatchObject([
      { domain_blocking: true, following: false, followed_by: false },
      { domain_blocking: false, following: true, followed_by: true },
      { domain_blocking: true, requested: false },
    ])
    await alice.post(path, { domain: 'bad.example' })
    expect((await alice.get(path)).ok()).toEqual(['bad.example'])
  })

  test('parts from more accounts than one transaction takes', async () => {
    const alice = await app.person('alice')
    const crowd = await Promise.all(
      Array.from({ length: 120 }, () => remoteAccount(app.ctx, 'crowd.example')),
    )
    for (const remote of crowd) await tie(remote.accountId, alice.accountId)
    await alice.post(path, { domain: 'crowd.example' })
    await app.settle()
    expect(await statsOf(alice.accountId)).toEqual([0, 0])
    const { rows } = await sql`select 1 from follows where target_account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
  })

  test('takes the domain out of the home feed, boosts too', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const remote = await remoteAccount(app.ctx, 'loud.example')
    const statusId = app.ctx.newId()
    await sql`insert into statuses (id, account_id, visibility, local, content, uri)
      values (${statusId}, ${remote.accountId}, 'public', false, '<p>hi</p>', ${`https://loud.example/${statusId}`})`.execute(
      app.ctx.db,
    )
    await alice.get('/api/v1/timelines/home')
    await alice.follow(bob)
    const boost = { method: 'POST', headers: { authorization: `Bearer ${bob.token}` } }
    expect((await app.fetch(`/api/v1/statuses/${statusId}/reblog`, boost)).status).toBe(200)
    const mine = await bob.say('mine')
    await app.settle()
    expect(await feedOf(alice)).toHaveLength(2)
    await alice.post(path, { domain: 'loud.example' })
    await app.settle()
    expect(await feedOf(alice)).toEqual([mine.id])
    expect((await alice.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
  })

  test('is undone by DELETE, with a body or a query; again is fine', async () => {
    const alice = await app.person('alice')
    for (const domain of ['a.example', 'b.example', 'münchen.example']) await alice.post(path, { domain })
    const first = await alice.get(`${path}?limit=2`)
    expect(first.ok()).toEqual(['xn--mnchen-3ya.example', 'b.example'])
    expect((await alice.get(first.links.next!)).ok()).toEqual(['a.example'])
    expect((await alice.delete(path, { domain: 'münchen.example' })).ok()).toEqual({})
    expect((await alice.delete(`${path}?domain=b.example`)).ok()).toEqual({})
    expect((await alice.delete(`${path}?domain=b.example`)).ok()).toEqual({})
    expect((await alice.get(path)).ok()).toEqual(['a.example'])
  })

  test('refuses what is no domain, and tokens without the scope', async () => {
    const alice = await app.person('alice')
    for (const domain of ['', 'https://x.example/y', 'a b', undefined]) {
      expect([domain, (await alice.post(path, { domain })).status]).toEqual([domain, 422])
    }
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect(
      (await (await app.withScopes(alice, ['read:blocks'])).post(path, { domain: 'x.example' })).status,
    ).toBe(403)
    expect((await (await app.withScopes(alice, ['write:blocks'])).get(path)).status).toBe(403)
    for (const scope of ['follow', 'write:blocks']) {
      expect((await (await app.withScopes(alice, [scope])).post(path, { domain: 'x.example' })).status).toBe(
        200,
      )
    }
  })
})
