// Activities come late, twice and in any order. What is left in the end is the same.
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Json } from '#test/client/client.ts'
import {
  homeOf,
  meet,
  notificationTypesOf,
  relationshipOf,
  statusOf,
  type Meeting,
} from '#test/people/meeting.ts'
import { runs } from '#test/run/night.ts'
import { useNetwork } from '#test/servers/network.ts'
import { transmit } from '#test/peer/transmit.ts'

const network = useNetwork()
const contents = (statuses: Json[]) => statuses.map((one) => one.content)

describe('activities that come out of order [FED-52]', () => {
  test('Undo before Like, embedded or by its id', async () => {
    const { app, alice, bob } = await meet(network)
    const status = await alice.say('likeable')
    for (const embedded of [true, false]) {
      const like = bob.build.like(status.uri)
      await bob.undo(embedded ? like : like.id)
      await app.settle()
      await bob.send(like)
      await app.settle()
      expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
    }
    // The next one counts.
    await bob.like(status.uri)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 1 })
  })

  test('Undo before Announce, Follow and Block', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const status = await alice.say('boostable')
    const me = app.uriOf(alice)
    for (const activity of [bob.build.announce(status.uri), bob.build.follow(me), bob.build.block(me)]) {
      await bob.undo(activity.id)
      await app.settle()
      await bob.send(activity)
      await app.settle()
    }
    expect(await statusOf(alice, status.id)).toMatchObject({ reblogs_count: 0 })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: true, followed_by: false })
  })

  test('Undo of a Like, Announce, Follow and Block by their ids alone', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const status = await alice.say('liked and boosted')
    const me = app.uriOf(alice)
    const done = [await bob.like(status.uri), await bob.announce(status.uri), await bob.follow(me)]
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: true })
    for (const { id } of done) await bob.undo(id)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false })
    const block = await bob.block(me)
    await bob.undo(block.id)
    await app.settle()
    ;(await alice.post(`/api/v1/accounts/${bobId}/follow`)).ok()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ requested: true })
  })

  test('Delete before Create, whatever the id looks like', async () => {
    const { app, alice, bob } = await meet(network)
    for (const id of [`${bob.uri}/statuses/early`, `${bob.baseUrl}/objects/early`]) {
      const note = { ...bob.note('never'), id }
      await bob.delete(note)
      await app.settle()
      await bob.create(note)
      await bob.update({ ...note, updated: new Date(app.clock.now()).toISOString() })
      await app.settle()
    }
    expect(await homeOf(alice)).toEqual([])
  })

  test('Update before Create', async () => {
    const { app, alice, bob } = await meet(network)
    const note = bob.note('first')
    app.clock.advance(60_000)
    await bob.update(bob.revise(note, { content: '<p>second</p>' }))
    await app.settle()
    await bob.create(note)
    await app.settle()
    const home = await homeOf(alice)
    expect(contents(home)).toEqual(['<p>second</p>'])
    expect(home[0].edited_at).not.toBeNull()
  })

  test('an older Update after a newer one', async () => {
    const { app, alice, bob } = await meet(network)
    const note = bob.note('first')
    await bob.create(note)
    app.clock.advance(60_000)
    const second = bob.build.update(bob.revise(note, { content: '<p>second</p>' }))
    app.clock.advance(60_000)
    await bob.update(bob.revise(note, { content: '<p>third</p>' }))
    await bob.send(second)
    await app.settle()
    expect(contents(await homeOf(alice))).toEqual(['<p>third</p>'])
  })

  test('Accept before there was a Follow is nothing', async () => {
    const { app, alice, bob, bobId } = await meet(network, { following: false })
    await bob.accept({
      type: 'Follow',
      id: `${app.baseUrl}/ap/follows/1`,
      actor: app.uriOf(alice),
      object: bob.uri,
    })
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false, requested: false })
  })

  test('what was taken back does not come again by sending it again [FED-7]', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const status = await alice.say('replayed')
    const like = bob.prepare(bob.build.like(status.uri))
    const follow = bob.prepare(bob.build.follow(app.uriOf(alice)))
    for (const request of [like, follow]) expect((await transmit(request)).status).toBe(202)
    await app.settle()
    await bob.undo(JSON.parse(String(like.body)))
    await bob.undo(JSON.parse(String(follow.body)))
    await app.settle()
    // As they were: a Follow that is signed anew later is a new one, whatever its id.
    for (const request of [like, follow]) expect((await transmit(request)).status).toBe(202)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false })
  })
})

/** What bob does in one run, in the order in which he does it, and what must be there in the end. */
async function story({ app, alice, bob }: Meeting, run: number) {
  const liked = await alice.say(`liked ${run}`)
  const boosted = await alice.say(`boosted ${run}`)
  const me = app.uriOf(alice)
  const kept = bob.note(`first ${run}`)
  const dropped = bob.note(`dropped ${run}`)
  app.clock.advance(1_000)
  const edited = bob.revise(kept, { content: `<p>second ${run}</p>` })
  app.clock.advance(1_000)
  const editedAgain = bob.revise(kept, { content: `<p>third ${run}</p>` })
  const like = bob.build.like(liked.uri)
  const announce = bob.build.announce(boosted.uri)
  const follow = bob.build.follow(me)
  const activities = [
    bob.build.create(kept),
    bob.build.create(dropped),
    like,
    announce,
    follow,
    bob.build.update(edited),
    bob.build.like(boosted.uri),
    bob.build.announce(kept.id),
    bob.build.undo(like),
    bob.build.undo(announce.id),
    bob.build.update(editedAgain),
    bob.build.delete(dropped),
    bob.build.undo(follow),
  ]
  return { activities, liked, boosted, run }
}

async function stateOf(
  { alice, bobId }: Meeting,
  { liked, boosted, run }: Awaited<ReturnType<typeof story>>,
) {
  const [one, other] = [await statusOf(alice, liked.id), await statusOf(alice, boosted.id)]
  const home = (await homeOf(alice)).filter((status) => status.account.id === bobId)
  const posts = home.filter((status) => !status.reblog && status.content.includes(` ${run}<`))
  return {
    counts: [one.favourites_count, one.reblogs_count, other.favourites_count, other.reblogs_count],
    posts: posts.map((status) => [status.content, status.edited_at !== null]),
    followed: (await relationshipOf(alice, bobId)).followed_by,
    told: (await notificationTypesOf(alice)).filter((type) => type !== 'favourite' && type !== 'status')
      .length,
  }
}

describe('any order', () => {
  test('with repetitions leads to the same', async () => {
    const meeting = await meet(network)
    const { app, bob } = meeting
    let stories = 0
    const plan = fc.tuple(
      fc.shuffledSubarray([...Array(13).keys()], { minLength: 13 }),
      fc.array(fc.nat({ max: 12 }), { maxLength: 6 }),
      fc.array(fc.nat({ max: 18 }), { maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(plan, async ([order, repeated, stops]) => {
        const told = await story(meeting, ++stories)
        // Signed again after it was taken back, a follow would be a new one.
        const follow = told.activities.findIndex(({ type }) => type === 'Follow')
        const prepared = bob.prepare(told.activities[follow])
        const send = (index: number) =>
          index === follow ? transmit(prepared) : bob.send(told.activities[index])
        for (const [place, index] of [...order, ...repeated].entries()) {
          expect((await send(index)).status).toBe(202)
          if (stops.includes(place)) await app.settle()
        }
        await app.settle()
        const { run } = told
        expect(await stateOf(meeting, told)).toEqual({
          counts: [0, 0, 1, 0],
          posts: [[`<p>third ${run}</p>`, true]],
          followed: false,
          told: 0,
        })
      }),
      { numRuns: runs(40) },
    )
  })
})
