// What whoever runs the server does with accounts and counters of its own.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { resetRelationships } from '#domain/trust/moderation/reset-relationships.ts'
import { moveAccountByStaff, repeatMove } from '#domain/federation/moves/move-account.ts'
import {
  findHindrance,
  listArchives,
  requestArchiveByStaff,
} from '#domain/transfer/portability/archive/archive-export.ts'
import { recount } from '#domain/content/statuses/recount.ts'
import { clearFeeds } from '#domain/reading/timelines/clear-feeds.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { noId, type AccountId, type UserId } from '#lib/id.ts'

const app = useApp()

const userOf = ({ accountId, username }: Person) => ({ userId: noId<UserId>(), accountId, username })
const follow = async (person: Person, other: Person, options: Json = {}) =>
  (await person.post(`/api/v1/accounts/${other.accountId}/follow`, options)).ok()
const relation = async (person: Person, other: Person): Promise<Json> =>
  (await person.get(`/api/v1/accounts/relationships?id[]=${other.accountId}`)).ok()[0]

async function actionsOn(accountId: AccountId): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select actor, action, target_label, details from audit_log where target_id = ${accountId} order by id`.execute(
    app.ctx.db,
  )
  return rows
}

describe('recount', () => {
  test('puts counters right that are wrong, and only those', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await follow(alice, bob)
    const status = await alice.say('count me')
    await alice.say(`@${bob.username} direct`, { visibility: 'direct' })
    const answer = await bob.say('reply', { in_reply_to_id: status.id })
    await bob.say('private', { in_reply_to_id: status.id, visibility: 'private' })
    ;(await bob.post(`/api/v1/statuses/${status.id}/favourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${status.id}/reblog`)).ok()
    await app.settle()
    const accounts = async () => {
      const { rows } = await sql<Json>`
        select followers_count, following_count, statuses_count from account_stats
        where account_id = any(${[alice.accountId, bob.accountId]}::bigint[]) order by account_id`.execute(
        app.ctx.db,
      )
      return rows
    }
    const statuses = async () => {
      const { rows } = await sql<Json>`
        select replies_count, reblogs_count, favourites_count, quotes_count, reactions_count from status_stats
        where status_id = ${status.id}`.execute(app.ctx.db)
      return rows
    }
    const [before, counted] = [await accounts(), await statuses()]
    expect(counted).toMatchObject([{ replies_count: 1, reblogs_count: 1, favourites_count: 1 }])
    expect((await recount(app.ctx, 'accounts')).corrected).toBe(0)
    expect((await recount(app.ctx, 'statuses')).corrected).toBe(0)
    await sql`
      update account_stats set followers_count = 7, statuses_count = 99 where account_id = ${bob.accountId}`.execute(
      app.ctx.db,
    )
    await sql`delete from account_stats where account_id = ${alice.accountId}`.execute(app.ctx.db)
    await sql`
      update status_stats set replies_count = 5, favourites_count = 0 where status_id = ${status.id}`.execute(
      app.ctx.db,
    )
    await sql`insert into status_stats (status_id, quotes_count) values (${answer.id}, 3)
      on conflict (status_id) do update set quotes_count = 3`.execute(app.ctx.db)
    let looked = 0
    const done = await recount(app.ctx, 'accounts', (count) => void (looked += count))
    expect(done).toEqual({ looked, corrected: 2 })
    expect((await recount(app.ctx, 'statuses')).corrected).toBe(2)
    expect([await accounts(), await statuses()]).toEqual([before, counted])
  })
})

test('feeds that are cleared are built anew when they are read', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await follow(alice, bob)
  const list = (await alice.post('/api/v1/lists', { title: 'bobs' })).ok()
  ;(await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })).ok()
  await bob.say('here')
  await app.settle()
  const read = async () =>
    Promise.all(
      ['home', `list/${list.id}`].map(async (name) => (await alice.get(`/api/v1/timelines/${name}`)).ok()),
    )
  const before = await read()
  expect(before.map((page) => page.length)).toEqual([1, 1])
  expect(await clearFeeds(app.ctx)).toBeGreaterThanOrEqual(2)
  const { rows } = await sql`select 1 from home_entries union all select 1 from list_entries`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([])
  expect(await read()).toEqual(before)
})

describe('relationships', () => {
  test('of those whom one follows are begun anew with their options and lists', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    await follow(alice, bob, { reblogs: false, notify: true })
    await follow(alice, carol)
    const list = (await alice.post('/api/v1/lists', { title: 'bobs' })).ok()
    ;(await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })).ok()
    await sql`update accounts set moved_to_account_id = ${bob.accountId} where id = ${carol.accountId}`.execute(
      app.ctx.db,
    )
    let done = 0
    const options = { side: 'follows', onDone: () => void (done += 1) } as const
    expect(await resetRelationships(app.ctx, 'operator', alice.accountId, options)).toEqual({
      reset: 1,
      lost: 1,
    })
    await app.settle()
    expect(done).toBe(2)
    expect(await relation(alice, bob)).toMatchObject({
      following: true,
      showing_reblogs: false,
      notifying: true,
    })
    expect(await relation(alice, carol)).toMatchObject({ following: false })
    const members = (await alice.get(`/api/v1/lists/${list.id}/accounts`)).ok()
    expect(members.map((one: Json) => one.id)).toEqual([bob.accountId])
    expect(await actionsOn(alice.accountId)).toMatchObject([{ actor: 'operator', action: 'reset_follows' }])
  })

  test('of followers end', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await follow(bob, alice)
    await follow(alice, bob)
    const options = { side: 'followers' } as const
    expect(await resetRelationships(app.ctx, 'operator', alice.accountId, options)).toEqual({
      reset: 1,
      lost: 0,
    })
    await app.settle()
    expect(await relation(alice, bob)).toMatchObject({ following: true, followed_by: false })
    expect(await actionsOn(alice.accountId)).toMatchObject([{ action: 'reset_followers' }])
  })
})

describe('a move by staff', () => {
  test('takes followers along, wants the other side to agree, and can be told once more', async () => {
    const [old, fresh, carol] = [
      await app.person('old'),
      await app.person('fresh'),
      await app.person('carol'),
    ]
    await follow(carol, old)
    const move = (force = false) =>
      moveAccountByStaff(app.ctx, 'operator', userOf(old), { acct: fresh.username, force })
    await expect(move()).rejects.toThrow('does not name this one')
    await expect(repeatMove(app.ctx, 'operator', userOf(old))).rejects.toThrow('has not moved')
    const uri = `${app.ctx.config.baseUrl}/users/${old.username}`
    await sql`
      update accounts set also_known_as = ${[uri]}::text[] where id = ${fresh.accountId}`.execute(app.ctx.db)
    await move()
    await app.settle()
    expect(await relation(carol, fresh)).toMatchObject({ following: true })
    await expect(move()).rejects.toThrow('within the last 30 days')
    await move(true)
    // Somebody whom the first Move did not reach.
    const dan = await app.person('dan')
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${dan.accountId}, ${old.accountId})`.execute(app.ctx.db)
    expect(await repeatMove(app.ctx, 'operator', userOf(old))).toBe(fresh.username)
    await app.settle()
    expect(await relation(dan, fresh)).toMatchObject({ following: true })
    const actions = await actionsOn(old.accountId)
    expect(actions.map((one) => one.action)).toEqual(['migrate', 'migrate', 'replay_migration'])
  })
})

test('an archive is made for somebody, however lately there was one', async () => {
  const alice = await app.person('alice')
  for (let count = 0; count < 2; count += 1) await requestArchiveByStaff(app.ctx, 'operator', userOf(alice))
  await app.settle()
  const archives = await listArchives(app.ctx, alice.accountId)
  expect(archives.map((one) => one.state)).toEqual(['finished', 'finished'])
  expect(await findHindrance(app.ctx, alice.accountId)).not.toBeNull()
  expect((await actionsOn(alice.accountId)).map((one) => one.action)).toEqual([
    'request_archive',
    'request_archive',
  ])
})
