import { describe, expect, test } from 'vitest'
import { countPortable, exportCsv } from '#domain/transfer/portability/export-csv.ts'
import { useApp } from '#test/app/app.ts'
import { minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

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
  test('hides notifications too unless told not to; again changes that [2.2-13] [4-16]', async () => {
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

  test('takes posts, boosts and mentions out of the feed; unmuting brings back what was followed [ACC-13]', async () => {
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

  test('ends after its duration; its row goes within a minute [2.2-14] [4-17] [ACC-13]', async () => {
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

describe('a mute that is over, before the job that deletes it has run', () => {
  /** Of each place that hides what somebody mutes: the ids of `target`'s things that are there. */
  async function placesWith(viewer: Person, target: Person, things: Things) {
    const get = async (address: string, params?: Record<string, unknown>) =>
      (await viewer.get(address, params)).ok()
    const has = async (address: string, id: string, params?: Record<string, unknown>) =>
      ids(await get(address, params)).includes(id)
    return {
      home: await has('/api/v1/timelines/home', things.post),
      homeOfFriend: await has('/api/v1/timelines/home', things.later),
      list: await has(`/api/v1/timelines/list/${things.list}`, things.post),
      public: await has('/api/v1/timelines/public', things.post),
      tag: await has('/api/v1/timelines/tag/muting', things.post),
      search: ids((await get('/api/v2/search', { q: 'unmistakable', type: 'statuses' })).statuses).includes(
        things.post,
      ),
      favouritedBy: await has(`/api/v1/statuses/${things.own}/favourited_by`, target.accountId),
      quotes: await has(`/api/v1/statuses/${things.own}/quotes`, things.quote),
      quoted: (await get(`/api/v1/statuses/${things.quoting}`)).quote.state === 'accepted',
      notifications: (await get('/api/v1/notifications')).some(
        (one: { account: { id: string } }) => one.account.id === target.accountId,
      ),
      followers: await has(`/api/v1/accounts/${things.friend}/following`, target.accountId),
      notMuting: (await relation(viewer, target)).muting === false,
      unlisted: !(await has('/api/v1/mutes', target.accountId)),
    }
  }

  interface Things {
    post: string
    later: string
    quote: string
    quoting: string
    own: string
    list: string
    friend: string
  }

  /** What `target` does that `viewer` would meet in each place. */
  async function actEverywhere(viewer: Person, target: Person, friend: Person): Promise<Things> {
    await home(viewer)
    await viewer.follow(target)
    await viewer.follow(friend)
    await friend.follow(target)
    ;(await target.patch('/api/v1/accounts/update_credentials', { indexable: true })).ok()
    const list = (await viewer.post('/api/v1/lists', { title: 'list' })).ok().id
    ;(await viewer.post(`/api/v1/lists/${list}/accounts`, { account_ids: [target.accountId] })).ok()
    ids((await viewer.get(`/api/v1/timelines/list/${list}`)).ok())
    const own = await viewer.say('my own')
    const post = await target.say('unmistakable #muting')
    const quote = await target.say('quoting', { quoted_status_id: own.id })
    const quoting = await friend.say('quoting too', { quoted_status_id: post.id })
    ;(await target.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    await app.settle()
    const seen = { post: post.id, quote: quote.id, quoting: quoting.id, own: own.id }
    return { ...seen, later: post.id, list, friend: friend.accountId }
  }

  const everywhere = (expected: boolean) => ({
    home: expected,
    homeOfFriend: expected,
    list: expected,
    public: expected,
    tag: expected,
    search: expected,
    favouritedBy: expected,
    quotes: expected,
    quoted: expected,
    notifications: expected,
    followers: expected,
    notMuting: expected,
    unlisted: expected,
  })

  test('hides nothing any more, in any place; what happened after its end is told', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    const things = await actEverywhere(alice, bob, carol)
    expect(await placesWith(alice, bob, things)).toEqual(everywhere(true))
    await mute(alice, bob, { duration: '300' })
    await app.settle()
    expect(await placesWith(alice, bob, things)).toEqual(everywhere(false))
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { notify: true })).ok()
    app.clock.advance(minutes(5) + 1000)
    const later = await bob.say(`@${alice.username} after the end`)
    const bell = await bob.say('rung after the end')
    await app.settle()
    expect(await placesWith(alice, bob, { ...things, later: later.id })).toEqual(everywhere(true))
    const told = (await alice.get('/api/v1/notifications', { types: ['mention', 'status'] })).ok()
    const about = told.map((one: { status: { id: string } }) => one.status.id)
    expect(about.toSorted()).toEqual([later.id, bell.id].toSorted())
  })

  test('is no mute for a file of those that somebody mutes, nor for suggestions', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    ;(await bob.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
    await alice.follow(carol)
    await carol.follow(bob)
    await mute(alice, bob, { duration: '300' })
    const suggested = async () =>
      (await alice.get('/api/v2/suggestions')).ok().map((one: { account: { id: string } }) => one.account.id)
    const exported = async () => {
      let text = ''
      for await (const part of exportCsv(app.ctx, alice.accountId, 'muting')) text += part
      return text.includes(bob.username)
    }
    expect([await suggested(), await exported()]).toEqual([[], true])
    app.clock.advance(minutes(5) + 1000)
    expect([await suggested(), await exported()]).toEqual([[bob.accountId], false])
    expect((await countPortable(app.ctx, alice.accountId)).muting).toBe(0)
  })

  test('muted again it is a new mute, which takes out of the feed what has come meanwhile', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await home(alice)
    await alice.follow(bob)
    await mute(alice, bob, { duration: '60' })
    app.clock.advance(minutes(2))
    const between = await bob.say('between the two')
    await app.settle()
    expect(await home(alice)).toEqual([between.id])
    await mute(alice, bob, { duration: '60' })
    await app.settle()
    expect(await home(alice)).toEqual([])
    app.clock.advance(minutes(2))
    expect(await home(alice)).toEqual([between.id])
    await expire()
    expect(await home(alice)).toEqual([between.id])
  })
})

describe('GET /api/v1/mutes', () => {
  test('pages newest first with the end of each [4-94]', async () => {
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
