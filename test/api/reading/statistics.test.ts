import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { favouriteStatus } from '#domain/content/statuses/interactions/favourite.ts'
import { recount } from '#domain/content/statuses/recount.ts'
import { asId, type StatusId } from '#lib/id.ts'
import { useApp } from '#test/app/app.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const app = useApp()
let alice: Person
let bob: Person
let carol: Person
let post: Json
let began: number
let month: string

/** A post that travels for some hours, and others of the same month. */
beforeAll(async () => {
  ;[alice, bob, carol] = [await app.person('alice'), await app.person('bob'), await app.person('carol')]
  // The first hour of the second day of a month, in which nothing else has happened.
  const now = new Date(app.clock.now())
  began = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2, 10)
  month = new Date(began).toISOString().slice(0, 7)
  app.clock.advance(began - app.clock.now())
  post = await alice.say('travels far', { quote_approval_policy: 'public' })
  ;(await bob.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
  ;(await bob.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
  await bob.say('aside', { in_reply_to_id: post.id, visibility: 'private' })
  app.clock.advance(hours(2))
  ;(await carol.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
  await carol.say('indeed', { in_reply_to_id: post.id })
  await carol.say('look', { quoted_status_id: post.id })
  await carol.follow(alice)
  const remote = await remoteAccount(app.ctx, 'away.example')
  await app.ctx.db
    .insertInto('favourites')
    .values({
      id: app.ctx.newId(),
      account_id: remote.accountId,
      status_id: post.id,
      created_at: new Date(app.clock.now()),
    })
    .execute()
  await recount(app.ctx, 'statuses')
  app.clock.advance(days(1))
  const theirs = await bob.say('theirs')
  await alice.say('an answer', { in_reply_to_id: theirs.id })
  ;(await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)).ok()
  await alice.say(`@${bob.username} psst`, { visibility: 'direct' })
  await app.settle()
})

const none = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 }
const at = (offset: number) => new Date(began + hours(offset)).toISOString()
/** Whether there are counters by hour and by server that hold. */
async function areKept(id: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select t.counts_kept and exists (select 1 from status_hourly_counts h where h.status_id = t.status_id) as kept
    from status_stats t where t.status_id = ${id}`.execute(app.ctx.db)
  return rows[0]?.kept ?? false
}

const numbersOf = async (id: string, who = alice) => who.get(`/api/v1/statuses/${id}/statistics`)

describe('how a post travelled', () => {
  test('is told by the hour and by the server, with nobody’s name', async () => {
    const found = (await numbersOf(post.id)).ok()
    expect(found).toEqual({
      status_id: post.id,
      complete: true,
      totals: { favourites: 3, reblogs: 1, replies: 1, quotes: 1 },
      hours: [
        { ...none, hour: at(0), favourites: 1, reblogs: 1 },
        { hour: at(2), favourites: 2, reblogs: 0, replies: 1, quotes: 1 },
      ],
      servers_count: 2,
      servers: [
        { domain: 'chat.example', favourites: 2, reblogs: 1, replies: 1, quotes: 1 },
        { ...none, domain: 'away.example', favourites: 1 },
      ],
    })
    expect(JSON.stringify(found)).not.toContain(bob.username)
  })

  test('is as the post is now: what was taken back does not count', async () => {
    const other = await alice.say('for a while', { quote_approval_policy: 'public' })
    for (const who of [bob, carol]) (await who.post(`/api/v1/statuses/${other.id}/favourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${other.id}/reblog`)).ok()
    const reply = await bob.say('hm', { in_reply_to_id: other.id })
    const quote = await bob.say('so', { quoted_status_id: other.id })
    const another = await carol.say('and so', { quoted_status_id: other.id })
    await app.settle()
    const all = { favourites: 2, reblogs: 1, replies: 1, quotes: 2 }
    expect((await numbersOf(other.id)).ok().totals).toEqual(all)
    ;(await carol.post(`/api/v1/statuses/${other.id}/unfavourite`)).ok()
    ;(await carol.post(`/api/v1/statuses/${other.id}/unfavourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${other.id}/unreblog`)).ok()
    await bob.delete(`/api/v1/statuses/${reply.id}`)
    await bob.delete(`/api/v1/statuses/${quote.id}`)
    expect((await numbersOf(other.id)).ok().totals).toEqual({ ...none, favourites: 1, quotes: 1 })
    ;(await alice.post(`/api/v1/statuses/${other.id}/quotes/${another.id}/revoke`)).ok()
    ;(await bob.post(`/api/v1/statuses/${other.id}/unfavourite`)).ok()
    const nothing = (await numbersOf(other.id)).ok()
    expect([nothing.totals, nothing.hours, nothing.servers_count]).toEqual([none, [], 0])
    await alice.delete(`/api/v1/statuses/${other.id}`)
    expect((await numbersOf(other.id)).status).toBe(404)
  })

  test('is kept by counters, which say the same when they are made anew', async () => {
    const kept = (await numbersOf(post.id)).ok()
    await recount(app.ctx, 'statuses')
    expect(await areKept(post.id)).toBe(false)
    expect((await numbersOf(post.id)).ok()).toEqual(kept)
    expect(await areKept(post.id)).toBe(true)
    const quiet = await carol.say('quiet')
    const [much, little] = [
      await app.countQueries(() => numbersOf(post.id)),
      await app.countQueries(() => numbersOf(quiet.id, carol)),
    ]
    expect(much).toHaveLength(little.length)
  })

  test('is counted from when its author first asks', async () => {
    const own = await carol.say('never mind')
    ;(await bob.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    expect(await areKept(own.id)).toBe(false)
    expect((await numbersOf(own.id, carol)).ok().totals).toEqual({ ...none, favourites: 1 })
    expect(await areKept(own.id)).toBe(true)
    ;(await alice.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${own.id}/unfavourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${own.id}/reblog`)).ok()
    expect((await numbersOf(own.id, carol)).ok().totals).toEqual({ ...none, favourites: 1, reblogs: 1 })
    expect(await areKept(own.id)).toBe(true)
  })

  test('does not count what went with its account', async () => {
    const own = await carol.say('seen from away')
    const remote = await remoteAccount(app.ctx, 'gone.example')
    ;(await bob.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    await favouriteStatus(app.ctx, remote, asId<StatusId>(own.id))
    expect((await numbersOf(own.id, carol)).ok().totals.favourites).toBe(2)
    await app.ctx.db.deleteFrom('accounts').where('id', '=', remote.accountId).execute()
    expect((await numbersOf(own.id, carol)).ok().servers).toEqual([
      { ...none, domain: 'chat.example', favourites: 1 },
    ])
  })

  test('is its author’s alone [ACC-7]', async () => {
    const boost = (await bob.post(`/api/v1/statuses/${post.id}/reblog`)).ok().id
    for (const [id, who] of [
      [post.id, bob],
      [boost, bob],
      ['1', alice],
    ] as const)
      expect((await numbersOf(id, who)).status).toBe(404)
    expect((await app.anonymous.get(`/api/v1/statuses/${post.id}/statistics`)).status).toBe(401)
    const writer = await app.withScopes(alice, ['write:statuses'])
    expect((await writer.get(`/api/v1/statuses/${post.id}/statistics`)).status).toBe(403)
  })
})

describe('a month of one’s own', () => {
  test('says what was written and what came of it, day by day, without what is private', async () => {
    const found = (await alice.get(`/api/v1/statistics/${month}`)).ok()
    const got = { favourites: 3, reblogs: 1, replies: 1, quotes: 1 }
    const nothing = { statuses: 0, answers: 0, boosts: 0, followers: 0, ...none }
    expect(found.totals).toEqual({ statuses: 2, answers: 1, boosts: 1, followers: 1, ...got })
    expect(found.days).toHaveLength(new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate())
    expect(found.days[0]).toEqual({ day: `${month}-01`, ...nothing })
    expect(found.days[1]).toEqual({ day: `${month}-02`, ...nothing, statuses: 1, followers: 1, ...got })
    expect(found.days[2]).toEqual({ day: `${month}-03`, ...nothing, statuses: 1, answers: 1, boosts: 1 })
    expect(found.top_statuses.map((one: Json) => one.id)).toEqual([post.id])
    expect((await bob.get(`/api/v1/statistics/${month}`)).ok().totals.followers).toBe(0)
    for (const wrong of ['2026-13', '2026', 'x'])
      expect((await alice.get(`/api/v1/statistics/${wrong}`)).status).toBe(404)
  })

  test('is off for who wants no numbers', async () => {
    const setting = '/api/v1/statistics'
    const earlier = await carol.say('earlier')
    ;(await bob.post(`/api/v1/statuses/${earlier.id}/favourite`)).ok()
    ;(await numbersOf(earlier.id, carol)).ok()
    expect(await areKept(earlier.id)).toBe(true)
    expect((await carol.get(setting)).ok()).toEqual({ enabled: true })
    expect((await carol.put(setting, { enabled: false })).ok()).toEqual({ enabled: false })
    expect((await carol.get(setting)).ok()).toEqual({ enabled: false })
    const own = await carol.say('mine')
    ;(await bob.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    expect([await areKept(own.id), await areKept(earlier.id)]).toEqual([false, false])
    for (const answer of [await carol.get(`${setting}/${month}`), await numbersOf(own.id, carol)])
      expect([answer.status, answer.body]).toEqual([403, { error: 'You have switched these numbers off' }])
    ;(await carol.put(setting, { enabled: true })).ok()
    for (const { id } of [own, earlier])
      expect((await numbersOf(id, carol)).ok().totals).toEqual({ ...none, favourites: 1 })
    expect((await carol.put(setting)).status).toBe(400)
    const reader = await app.withScopes(carol, ['read'])
    expect((await reader.put(setting, { enabled: false })).status).toBe(403)
  })
})
