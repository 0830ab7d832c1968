// Accounts elsewhere that change their key, vanish or move while many people here follow them.
import { describe, expect, test } from 'vitest'
import { days } from '#test/app/clock.ts'
import { followActor, meet, relationshipOf, statusOf } from '#test/people/meeting.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'

const network = useNetwork()
const crowd = 6

/** Bob, of a peer, with some followers here who all have lists of their own. */
async function setUp() {
  const { app, alice, bob, bobId, peer } = await meet(network)
  const people = [alice]
  while (people.length < crowd) {
    const person = await app.person('fan')
    await followActor(app, person, bob)
    people.push(person)
  }
  peer.requests.length = 0
  peer.inbox.clear()
  return { app, alice, bob, bobId, peer, people }
}

const readsOf = (peer: Peer, actor: PeerActor) =>
  peer.requests.filter((one) => `${peer.baseUrl}${one.path}` === actor.uri).length

const countsOf = async (person: Person, id: string) => {
  const { followers_count, following_count } = (await person.get(`/api/v1/accounts/${id}`)).ok()
  return [followers_count, following_count]
}

const followingOf = (people: readonly Person[], id: string) =>
  Promise.all(people.map(async (person) => (await relationshipOf(person, id)).following))

async function likeAtOnce(app: NetworkServer, alice: Person, bob: PeerActor, count: number) {
  const posts = []
  for (let i = 0; i < count; i += 1) posts.push(await alice.say(`post ${i}`))
  const answers = await Promise.all(posts.map((post) => bob.send(bob.build.like(post.uri))))
  await app.settle()
  const likes = await Promise.all(posts.map(async ({ id }) => (await statusOf(alice, id)).favourites_count))
  return { statuses: answers.map((one) => one.status), likes }
}

describe('an account that many follow [ROB-21]', () => {
  test('changes its key: read again once, though much comes at the same time', async () => {
    const { app, alice, bob, peer } = await setUp()
    const old = await bob.changeKey()
    const { statuses, likes } = await likeAtOnce(app, alice, bob, 10)
    expect([new Set(statuses), new Set(likes)]).toEqual([new Set([202]), new Set([1])])
    expect(readsOf(peer, bob)).toBe(1)
    const post = await alice.say('one more')
    const late = await bob.send(bob.build.like(post.uri), undefined, { key: old })
    expect(late.status).toBe(401)
    expect(readsOf(peer, bob)).toBeLessThanOrEqual(2)
  })

  test('is gone at its server: so are all follows of it, with what they counted', async () => {
    const { app, alice, bob, bobId, peer, people } = await setUp()
    expect(await countsOf(alice, alice.accountId)).toEqual([0, 1])
    peer.gone(new URL(bob.uri).pathname)
    app.clock.advance(days(8))
    await Promise.all(people.map((person) => person.get(`/api/v1/accounts/${bobId}`)))
    await app.settle()
    for (const person of people) expect(await countsOf(person, person.accountId)).toEqual([0, 0])
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(404)
    expect(readsOf(peer, bob)).toBe(1)
    expect(peer.inbox.length).toBe(0)
  })

  test('moves: its followers ask the new one once each, also when it is told again and again', async () => {
    const { app, alice, bob, bobId, peer, people } = await setUp()
    const place = await network.peer('127.0.0.3')
    const fresh = await place.actor('fresh', { alsoKnownAs: [bob.uri] })
    const freshId = (await app.find(alice, fresh.handle)).id
    await app.settle()
    place.requests.length = 0
    for (let i = 0; i < 10; i += 1) await bob.move(fresh.uri)
    await app.settle()
    expect(place.inbox.of('Follow')).toHaveLength(crowd)
    expect(readsOf(place, fresh)).toBeLessThanOrEqual(2)
    for (const { json } of place.inbox.of('Follow')) await fresh.accept(json)
    await app.settle()
    expect(await followingOf(people, freshId)).toEqual(people.map(() => true))
    expect(await followingOf(people, bobId)).toEqual(people.map(() => false))
    for (const person of people) expect(await countsOf(person, person.accountId)).toEqual([0, 1])
    expect(peer.inbox.of('Undo')).toHaveLength(crowd)
  })
})
