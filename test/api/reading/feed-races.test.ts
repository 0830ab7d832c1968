// What changes about a feed while somebody is building it: one of the two has to wait for the other.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lockList } from '#domain/reading/lists/edit-list.ts'
import { markListFeedStale } from '#domain/reading/lists/mark-stale.ts'
import { deleteFollows } from '#domain/social/relationships/rows.ts'
import type { Tx } from '#ports/ctx.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)
const home = async (person: Person) => idsOf((await person.get('/api/v1/timelines/home')).ok())
const timeline = async (owner: Person, list: Json) =>
  idsOf((await owner.get(`/api/v1/timelines/list/${list.id}`)).ok())
const of = (person: Person, verb: string) => `/api/v1/accounts/${person.accountId}/${verb}`

async function aliceAndBob(): Promise<[Person, Person]> {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await alice.follow(bob)
  return [alice, bob]
}

async function listWith(owner: Person, ...members: Person[]): Promise<Json> {
  const list = (await owner.post('/api/v1/lists', { title: 'list' })).ok()
  for (const { accountId } of members) {
    ;(await owner.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [accountId] })).ok()
  }
  return list
}

/** Does the first part in a transaction, begins the second one, and commits once that waits, or has not had to. */
async function during<T>(first: (tx: Tx) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = app.ctx.transaction(async (tx) => {
    await first(tx)
    begun.resolve()
    await end.promise
  })
  await begun.promise
  let isDone = false
  const other = second().finally(() => (isDone = true))
  try {
    await expect.poll(async () => isDone || (await waiting()) > 0).toBe(true)
    end.resolve()
    return await other
  } finally {
    end.resolve()
    await holding
  }
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.ctx.db)
  return rows[0]?.n ?? 0
}

/** As the building of a home feed begins, and ends with this in it. */
async function build(tx: Tx, owner: Person, ...statuses: Json[]): Promise<void> {
  await sql`update home_feeds set built_at = now() where account_id = ${owner.accountId}`.execute(tx.db)
  await sql`delete from home_entries where account_id = ${owner.accountId}`.execute(tx.db)
  await sql`
    insert into home_entries (account_id, status_id)
    select ${owner.accountId}, unnest(${idsOf(statuses)}::bigint[])`.execute(tx.db)
}

async function markHomeFeedStaleOf(owner: Person): Promise<void> {
  await home(owner)
  await sql`update home_feeds set built_at = null where account_id = ${owner.accountId}`.execute(app.ctx.db)
}

describe('a list that is read for the first time', () => {
  test('while somebody is put into it has them', async () => {
    const [alice, bob] = await aliceAndBob()
    const [list, his] = [await listWith(alice), await bob.say('his')]
    await app.settle()
    const add = async (tx: Tx) => {
      await lockList(tx, alice.accountId, list.id)
      await sql`
        insert into list_accounts (id, list_id, account_id, owner_id)
        values (${tx.newId()}, ${list.id}, ${bob.accountId}, ${alice.accountId})`.execute(tx.db)
      await markListFeedStale(tx, list.id)
    }
    expect(await during(add, () => timeline(alice, list))).toEqual([his.id])
  })

  test('while somebody in it is unfollowed no longer has them', async () => {
    const [alice, bob] = await aliceAndBob()
    const list = await listWith(alice, bob)
    await bob.say('his')
    await app.settle()
    const unfollow = (tx: Tx) =>
      deleteFollows(tx, [{ accountId: alice.accountId, targetAccountId: bob.accountId }])
    expect(await during(unfollow, () => timeline(alice, list))).toEqual([])
  })
})

test('a list that was being built when a member was muted is built again', async () => {
  const [alice, bob] = await aliceAndBob()
  const list = await listWith(alice, bob)
  await bob.say('his')
  await app.settle()
  expect(await timeline(alice, list)).toHaveLength(1)
  await sql`update list_feeds set built_at = null where list_id = ${list.id}`.execute(app.ctx.db)
  ;(await alice.post(of(bob, 'mute'))).ok()
  const take = (tx: Tx) =>
    sql`update list_feeds set built_at = now() where list_id = ${list.id}`.execute(tx.db)
  await during(take, () => app.settle())
  expect(await timeline(alice, list)).toEqual([])
})

describe('a home feed that is being built', () => {
  test.each(['mute', 'block', 'unfollow'])(
    'while an account is told to go (%s) loses what it wrote',
    async (verb) => {
      const [alice, bob] = await aliceAndBob()
      const his = await bob.say('his')
      await app.settle()
      await markHomeFeedStaleOf(alice)
      ;(await alice.post(of(bob, verb))).ok()
      await during(
        (tx) => build(tx, alice, his),
        () => app.settle(),
      )
      expect(await home(alice)).toEqual([])
    },
  )

  test('gets and loses what a hashtag brings that is followed, or not any more, meanwhile', async () => {
    const [alice, carol] = [await app.person('alice'), await app.person('carol')]
    const hers = await carol.say('a #rare thing')
    await app.settle()
    await markHomeFeedStaleOf(alice)
    ;(await alice.post('/api/v1/tags/rare/follow')).ok()
    await during(
      (tx) => build(tx, alice),
      () => app.settle(),
    )
    expect(await home(alice)).toEqual([hers.id])
    await markHomeFeedStaleOf(alice)
    ;(await alice.post('/api/v1/tags/rare/unfollow')).ok()
    await during(
      (tx) => build(tx, alice, hers),
      () => app.settle(),
    )
    expect(await home(alice)).toEqual([])
  })
})
