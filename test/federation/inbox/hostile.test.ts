// Actors elsewhere that do what is not theirs to do.
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Json } from '#test/client/client.ts'
import {
  followActor,
  homeOf,
  meet,
  notificationTypesOf,
  relationshipOf,
  statusOf,
  type Meeting,
} from '#test/people/meeting.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'

const network = useNetwork()
const contents = (statuses: Json[]) => statuses.map((one) => one.content)

/** One actor of bob's own server and one of another, both followed, so that they are listened to. */
async function meetWithFoes(): Promise<Meeting & { foes: PeerActor[]; foeIds: string[] }> {
  const meeting = await meet(network)
  const near = await meeting.peer.actor('mallory')
  const far = await (await network.peer('127.0.0.4')).actor('eve')
  const foeIds = [
    await followActor(meeting.app, meeting.alice, near),
    await followActor(meeting.app, meeting.alice, far),
  ]
  return { ...meeting, foes: [near, far], foeIds }
}

describe('what belongs to another', () => {
  test('is not changed by Update [FED-19] [FED-20]', async () => {
    const { app, alice, bob, bobId, foes } = await meetWithFoes()
    const note = bob.note('mine')
    await bob.create(note)
    await app.settle()
    app.clock.advance(60_000)
    const updated = new Date(app.clock.now()).toISOString()
    for (const foe of foes) {
      await foe.update({ ...note, content: '<p>defaced</p>', updated })
      await foe.update({ ...note, content: '<p>defaced</p>', updated, attributedTo: foe.uri })
      await foe.update({ ...note, content: '<p>defaced</p>', updated, attributedTo: [bob.uri, foe.uri] })
      await foe.update({ ...bob.document(), name: 'Defaced' })
      expect(
        (
          await foe.send({
            ...foe.build.update({ ...note, content: '<p>defaced</p>', updated }),
            actor: bob.uri,
          })
        ).status,
      ).toBe(202)
    }
    await app.settle()
    expect(contents(await homeOf(alice))).toEqual(['<p>mine</p>'])
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).ok().display_name).toBe('bob')
  })

  test('is not deleted [FED-21]', async () => {
    const { app, alice, bob, bobId, foes } = await meetWithFoes()
    const note = bob.note('mine')
    const coming = bob.note('still to come')
    await bob.create(note)
    await app.settle()
    for (const foe of foes) {
      await foe.delete(note)
      await foe.delete(coming)
      await foe.delete(bob.uri)
      await foe.send({ ...foe.build.delete(note), actor: bob.uri })
    }
    await app.settle()
    await bob.create(coming)
    await app.settle()
    expect(contents(await homeOf(alice))).toEqual(['<p>still to come</p>', '<p>mine</p>'])
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(200)
  })

  test('is taken from its own server, whatever somebody carries along [FED-22] [FED-29]', async () => {
    const { app, alice, bob, foes } = await meetWithFoes()
    for (const [i, foe] of foes.entries()) {
      const note = bob.note(`true ${i}`)
      const forged = { ...note, content: '<p>forged</p>' }
      const signature = { type: 'RsaSignature2017', creator: bob.keyId, signatureValue: 'c2lnbmVk' }
      await foe.announce(note.id, { object: forged })
      const passedOn = bob.note(`passed on ${i}`)
      const graph = { '@graph': [{ ...passedOn, content: '<p>forged</p>' }] }
      const create = bob.build.create({ ...passedOn, content: '<p>forged</p>' }, { signature, ...graph })
      expect((await foe.send(create)).status).toBe(202)
    }
    await app.settle()
    const seen = (await homeOf(alice)).map((one) => one.reblog?.content ?? one.content)
    expect(seen.toSorted()).toEqual([
      '<p>passed on 0</p>',
      '<p>passed on 1</p>',
      '<p>true 0</p>',
      '<p>true 1</p>',
    ])
  })

  test('is not created [FED-23]', async () => {
    const { app, alice, bob, foes } = await meetWithFoes()
    for (const foe of foes) {
      const note = bob.note('words in the mouth')
      await foe.create({ ...foe.note('forged'), attributedTo: bob.uri })
      await foe.create({ ...note, content: '<p>forged</p>' })
      // Which of its actors has an id is for its server to say, and for no other.
      if (foe.baseUrl !== bob.baseUrl)
        await foe.create({ ...note, attributedTo: foe.uri, content: '<p>forged</p>' })
    }
    await app.settle()
    expect(contents(await homeOf(alice)).filter((content) => content.includes('forged'))).toEqual([])
  })

  test('is not undone [FED-24]', async () => {
    const { app, alice, bob, bobId, foes } = await meetWithFoes()
    const status = await alice.say('liked and boosted')
    const me = app.uriOf(alice)
    const done = [await bob.like(status.uri), await bob.announce(status.uri), await bob.follow(me)]
    await app.settle()
    const coming = bob.build.like((await alice.say('liked later')).uri)
    for (const foe of foes) {
      for (const activity of [...done, coming]) {
        await foe.undo(activity)
        await foe.undo(activity.id)
        await foe.undo({ ...activity, actor: foe.uri })
      }
    }
    await app.settle()
    await bob.send(coming)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: true })
    expect((await notificationTypesOf(alice)).filter((type) => type === 'favourite')).toHaveLength(2)
    const block = await bob.block(me)
    for (const foe of foes) await foe.undo(block)
    await app.settle()
    expect((await alice.post(`/api/v1/accounts/${bobId}/follow`)).status).toBe(403)
  })

  test('is not accepted or rejected [FED-25]', async () => {
    const { app, alice, bob, bobId, foes, foeIds } = await meetWithFoes()
    const carol = await app.person('carol')
    ;(await carol.post(`/api/v1/accounts/${bobId}/follow`)).ok()
    await app.settle()
    const { rows } = await sql<{ uri: string }>`
      select uri from follow_requests where account_id = ${carol.accountId}`.execute(app.ctx.db)
    const follow = { type: 'Follow', id: rows[0]?.uri, actor: app.uriOf(carol), object: bob.uri }
    for (const foe of foes) {
      await foe.accept(follow)
      await foe.accept(follow.id)
      await foe.accept({ ...follow, object: foe.uri })
    }
    await app.settle()
    expect(await relationshipOf(carol, bobId)).toMatchObject({ following: false, requested: true })
    for (const id of foeIds) expect(await relationshipOf(carol, id)).toMatchObject({ following: false })
    await bob.accept(follow)
    await app.settle()
    for (const foe of foes) {
      await foe.reject(follow)
      await foe.reject(follow.id)
    }
    await app.settle()
    expect(await relationshipOf(carol, bobId)).toMatchObject({ following: true })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: true })
  })

  test('is not featured [FED-27]', async () => {
    const { app, alice, bob, bobId, foes, foeIds } = await meetWithFoes()
    const note = bob.note('not to be pinned')
    await bob.create(note)
    const target = `${bob.uri}/featured`
    for (const foe of foes) {
      await foe.add(note.id)
      await foe.add(note.id, { target })
      await foe.add({ type: 'Hashtag', name: '#forged' }, { target })
      await foe.add(foe.note('pinned elsewhere').id, { target: `${foe.uri}/other` })
    }
    await bob.add(note.id)
    await app.settle()
    for (const foe of foes) await foe.remove(note.id, { target })
    await app.settle()
    const pinned = async (id: string) =>
      contents((await alice.get(`/api/v1/accounts/${id}/statuses`, { pinned: true })).ok())
    expect(await pinned(bobId)).toEqual(['<p>not to be pinned</p>'])
    for (const id of foeIds) expect(await pinned(id)).toEqual([])
    expect((await alice.get(`/api/v1/accounts/${bobId}/featured_tags`)).ok()).toEqual([])
  })

  test('is not opened to more people by sending it again [FED-34]', async () => {
    const { app, alice, bob, foes } = await meetWithFoes()
    const carol = await app.person('carol')
    const note = bob.note('for followers', bob.audience('private'))
    await bob.create(note)
    await app.settle()
    const [{ id }] = (await homeOf(alice)) as [Json]
    const everyone = 'https://www.w3.org/ns/activitystreams#Public'
    const wider = {
      ...note,
      to: [everyone],
      cc: [app.uriOf(carol)],
      tag: [{ type: 'Mention', href: app.uriOf(carol) }],
    }
    for (const foe of foes) {
      await foe.send(foe.build.create(wider), app.inboxOf(carol))
      await foe.send({ ...foe.build.create(wider), actor: bob.uri }, app.inboxOf(carol))
      await foe.announce(note.id)
    }
    await app.settle()
    expect((await carol.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await app.anonymous.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect(await statusOf(alice, id)).toMatchObject({ visibility: 'private', reblogs_count: 0 })
  })
})

describe('a move [FED-26]', () => {
  const moved = async ({ alice, bobId }: Meeting) => (await alice.get(`/api/v1/accounts/${bobId}`)).ok().moved

  test('to an account that does not name the old one, or by another actor, is none', async () => {
    const meeting = await meetWithFoes()
    const { app, bob, foes } = meeting
    for (const foe of foes) {
      await bob.move(foe.uri)
      foe.change({ alsoKnownAs: [bob.uri] })
      await foe.send({ ...foe.build.move(foe.uri), object: bob.uri })
      await foe.send({ ...foe.build.move(foe.uri), actor: bob.uri, object: bob.uri })
      foe.change({ alsoKnownAs: [] })
    }
    await bob.move(bob.uri)
    await bob.move(`${app.baseUrl}/users/nobody`)
    await app.settle()
    expect(await moved(meeting)).toBeUndefined()
  })

  test('in a circle ends after one', async () => {
    const meeting = await meet(network)
    const { app, alice, bob, bobId, peer } = meeting
    const robert = await peer.actor('robert', { alsoKnownAs: [bob.uri] })
    bob.change({ alsoKnownAs: [robert.uri], movedTo: robert.uri })
    await bob.move(robert.uri)
    await app.settle()
    await robert.move(bob.uri)
    await robert.move(robert.uri)
    await app.settle()
    expect((await moved(meeting))?.username).toBe('robert')
    const { id } = await app.find(alice, robert.handle)
    expect((await alice.get(`/api/v1/accounts/${id}`)).ok().moved).toBeUndefined()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false })
  })

  test('is one in seven days', async () => {
    const meeting = await meet(network)
    const { app, bob, peer } = meeting
    const names = []
    for (const name of ['robert', 'bobby', 'rob']) {
      const next = await peer.actor(name, { alsoKnownAs: [bob.uri] })
      await bob.move(next.uri)
      await app.settle()
      names.push((await moved(meeting))?.username)
      if (name === 'bobby') app.clock.advance(8 * 86_400_000)
    }
    expect(names).toEqual(['robert', 'robert', 'rob'])
  })
})

describe('hints', () => {
  test('are followed for those that are listened to, and not for strangers', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const stranger = await peer.actor('stranger')
    const other = await network.peer('127.0.0.3')
    const carol = await other.actor('carol')
    const note = carol.note('passed on')
    const create = carol.build.create({ ...note, content: '<p>forged</p>' })
    expect((await stranger.send(create)).status).toBe(401)
    await app.settle()
    expect(other.connections).toBe(0)
    expect((await bob.send(create)).status).toBe(202)
    await app.settle()
    const { id } = await app.find(alice, note.id)
    expect(await statusOf(alice, id)).toMatchObject({ content: '<p>passed on</p>' })
    carol.revise(note, { content: '<p>revised</p>' })
    await bob.send(carol.build.update({ ...note, content: '<p>forged</p>' }))
    await app.settle()
    expect(await statusOf(alice, id)).toMatchObject({ content: '<p>revised</p>' })
    await bob.send(carol.build.delete(note))
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(200)
    other.gone(new URL(note.id).pathname)
    await bob.send(carol.build.delete(note, { id: `${carol.uri}#again` }))
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  test('of other kinds do nothing', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const carol = await peer.actor('carol')
    const status = await alice.say('untouched')
    for (const activity of [
      carol.build.like(status.uri),
      carol.build.follow(app.uriOf(alice)),
      carol.build.block(app.uriOf(alice)),
    ]) {
      expect((await bob.send(activity)).status).toBe(202)
    }
    await app.settle()
    expect(await notificationTypesOf(alice)).toEqual([])
  })
})
