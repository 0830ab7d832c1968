// What is passed on to those who cannot hear it from where it comes from.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'

const network = useNetwork()
let server: NetworkServer
let near: Peer, far: Peer
/** Of this server; of the near peer; of the far one, and he follows her. */
let alice: Person, bob: PeerActor, carol: PeerActor

beforeEach(async () => {
  server = await network.server()
  ;[near, far] = [await network.peer('127.0.6.1'), await network.peer('127.0.6.2')]
  alice = await server.person('alice')
  ;[bob, carol] = [await near.actor('bob'), await far.actor('carol')]
  for (const actor of [bob, carol]) await actor.follow(server.uriOf(alice))
  await server.settle()
  forget()
})

const forget = () => {
  for (const peer of [near, far]) peer.inbox.clear()
}
/** A proof that nobody here has to believe. */
const proof = {
  signature: {
    type: 'RsaSignature2017',
    creator: 'x',
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'eA==',
  },
}

/** A post of hers, and his answer to it, sent with the activity changed by `more`. */
async function answer(more: Json = {}, visibility: 'public' | 'private' = 'public') {
  const post = await alice.say('what grows?')
  const audience = bob.audience(visibility, [server.uriOf(alice)])
  const note = bob.note('trees', { inReplyTo: post.uri, ...audience })
  await server.settle()
  forget()
  const activity = await bob.create(note, more)
  await server.settle()
  return { post, note, activity }
}

describe('an answer to somebody here', () => {
  test('goes to their followers as it came, in their name, and not back', async () => {
    const { activity } = await answer(proof)
    const [passedOn] = await far.received('Create')
    expect(passedOn).toMatchObject({ signer: server.uriOf(alice), path: '/inbox' })
    expect(passedOn?.json).toEqual(activity)
    expect(near.inbox.types()).toEqual([])
  })

  test('goes to nobody when nobody else could believe it, or it is not for all', async () => {
    await answer()
    await answer(proof, 'private')
    expect([...near.inbox.types(), ...far.inbox.types()]).toEqual([])
  })

  test('is passed on once, and not by whom it does not answer', async () => {
    const { activity } = await answer(proof)
    await bob.send(activity)
    await bob.send(activity, server.inboxOf(alice))
    await bob.create(bob.note('by the way'), proof)
    await server.settle()
    expect(far.inbox.types()).toEqual(['Create'])
  })

  test('is followed by what becomes of it', async () => {
    const { note } = await answer(proof)
    forget()
    await network.advance(60_000)
    const edit = await bob.update(bob.revise(note, { content: '<p>oaks</p>' }))
    await server.settle()
    expect((await far.received('Update'))[0]?.json).toEqual(edit)
    const deletion = await bob.delete(note)
    near.remove(new URL(note.id).pathname)
    await server.settle()
    expect((await far.received('Delete'))[0]?.json).toEqual(deletion)
    expect(near.inbox.types()).toEqual([])
  })
})

describe('what somebody here boosted', () => {
  test('is taken back from their followers when it is deleted', async () => {
    const note = bob.note('pass me on')
    const there = await server.find(alice, note.id)
    ;(await alice.post(`/api/v1/statuses/${there.id}/reblog`)).ok()
    await server.settle()
    forget()
    await bob.delete(note)
    await server.settle()
    expect((await far.received('Delete'))[0]).toMatchObject({
      signer: server.uriOf(alice),
      json: { object: { id: note.id } },
    })
  })

  test('is not passed on when somebody else says that it was deleted [FED-21]', async () => {
    const note = bob.note('pass me on')
    const there = await server.find(alice, note.id)
    ;(await alice.post(`/api/v1/statuses/${there.id}/reblog`)).ok()
    await server.settle()
    forget()
    const mallory = await near.actor('mallory')
    await mallory.delete(note)
    await carol.send({ ...bob.build.delete(note) })
    await server.settle()
    expect([...near.inbox.types(), ...far.inbox.types()]).toEqual([])
    expect((await alice.get(`/api/v1/statuses/${there.id}`)).status).toBe(200)
  })
})

test('votes and counters are not passed on, nor what is of the account itself', async () => {
  const { note } = await answer(proof)
  forget()
  await bob.update(note)
  await bob.update(bob.change({ name: 'Robert' }))
  await server.settle()
  expect(far.inbox.types()).toEqual([])
})
