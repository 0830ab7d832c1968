import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app.ts'
import { minutes } from '#test/clock.ts'
import type { Person } from '#test/people.ts'

const app = useApp()

const ids = (list: { id: string }[]) => list.map((item) => item.id)
const home = async (person: Person) => ids((await person.get('/api/v1/timelines/home')).ok())
const mute = (person: Person, other: Person, params = {}) =>
  person.post(`/api/v1/accounts/${other.accountId}/mute`, params)
const unmute = (person: Person, other: Person) => person.post(`/api/v1/accounts/${other.accountId}/unmute`)
const relation = async (person: Person, other: Person) =>
  (await person.get('/api/v1/accounts/relationships', { id: [other.accountId] })).ok()[0]

/** The job of the cron table, and then the events that it emits. */
async function expire(): Promise<void> {
  await app.ctx.jobs.add('expire-mutes', {})
  await app.settle()
  await app.settle()
}

describe('muting', () => {
  test('[2.2-13] [4-16] hides notifications too unless told not to; again changes that', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    expect((await mute(alice, bob)).ok()).toMatchObject({
      muting: true,
      muting_notifications: true,
      muting_expires_at: null,
    })
    expect((await mute(alice, bob, { notifications: 'false' })).ok()).toMatchObject({
      muting: true,
      muting_notifications: false,
    })
    expect((await unmute(alice, bob)).ok()).toMatchObject({ muting: false, muting_notifications: false })
    expect((await unmute(alice, bob)).status).toBe(200)
    expect((await mute(alice, alice)).ok()).toMatchObject({ muting: false })
  })

  test('[ACC-13] takes posts, boosts and mentions out of the feed; unmuting brings back what was followed', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    await home(alice)
    await alice.follow(bob)
    await alice.follow(carol)
    const post = await bob.say('hello')
    const neutral = await carol.say('neutral')
    await carol.post(`/api/v1/statuses/${post.id}/reblog`)
    await carol.say(`hi @${bob.username}`)
    await app.settle()
    await mute(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([neutral.id])
    const later = await bob.say('while muted')
    await app.settle()
    expect(await home(alice)).toEqual([neutral.id])
    await unmute(alice, bob)
    await app.settle()
    expect(await home(alice)).toEqual([later.id, neutral.id, post.id])
    expect(await relation(alice, bob)).toMatchObject({ following: true })
  })

  test('[2.2-14] [4-17] [ACC-13] ends after its duration, within a minute', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await home(alice)
    await alice.follow(bob)
    const muted = (await mute(alice, bob, { duration: '300' })).ok()
    const left = new Date(muted.muting_expires_at).getTime() - app.clock.now()
    expect(left).toBeGreaterThan(290_000)
    expect(left).toBeLessThanOrEqual(300_000)
    const post = await bob.say('hello')
    await app.settle()
    await expire()
    expect(await home(alice)).toEqual([])
    expect((await alice.get('/api/v1/mutes')).ok()[0].mute_expires_at).toBe(muted.muting_expires_at)
    app.clock.advance(minutes(6))
    expect(await relation(alice, bob)).toMatchObject({ muting: false, muting_expires_at: null })
    await expire()
    expect(await home(alice)).toEqual([post.id])
    expect((await alice.get('/api/v1/mutes')).ok()).toEqual([])
  })

  test('a mute without a duration, told again, is for good; huge durations are no error', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await mute(alice, bob, { duration: 60 })
    expect((await mute(alice, bob)).ok().muting_expires_at).toBeNull()
    app.clock.advance(minutes(2))
    await expire()
    expect(await relation(alice, bob)).toMatchObject({ muting: true })
    expect((await mute(alice, bob, { duration: '9'.repeat(30) })).status).toBe(200)
    expect((await mute(alice, bob, { duration: 'soon' })).ok().muting_expires_at).toBeNull()
  })
})

describe('GET /api/v1/mutes', () => {
  test('[4-94] pages newest first with the end of each', async () => {
    const alice = await app.person('alice')
    const others = await Promise.all([1, 2, 3].map(() => app.person('other')))
    for (const other of others) await mute(alice, other)
    const first = await alice.get('/api/v1/mutes?limit=2')
    expect(ids(first.ok())).toEqual([others[2]!.accountId, others[1]!.accountId])
    expect(first.body[0].mute_expires_at).toBeNull()
    expect(ids((await alice.get(first.links.next!)).ok())).toEqual([others[0]!.accountId])
    expect((await app.anonymous.get('/api/v1/mutes')).status).toBe(401)
    expect((await (await app.withScopes(alice, ['read:blocks'])).get('/api/v1/mutes')).status).toBe(403)
    expect((await (await app.withScopes(alice, ['follow'])).get('/api/v1/mutes')).status).toBe(200)
  })
})
