// People of one server and actors of another who know each other, for tests of what the one does to the other.
import type { Json } from '#test/client/client.ts'
import type { Network, NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import type { Person } from './people.ts'

export interface Meeting {
  app: NetworkServer
  peer: Peer
  alice: Person
  bob: PeerActor
  /** The id of bob's account here. */
  bobId: string
}

/** Alice is of the first server, bob is of a peer. She follows him unless told otherwise. */
export async function meet(network: Network, { following = true } = {}): Promise<Meeting> {
  const app = await network.server()
  const peer = await network.peer()
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  const bobId = following ? await followActor(app, alice, bob) : (await app.find(alice, bob.handle)).id
  return { app, peer, alice, bob, bobId }
}

/** Follows an actor of a peer, which accepts. Returns the id of its account here. */
export async function followActor(app: NetworkServer, person: Person, actor: PeerActor): Promise<string> {
  const { id } = await app.find(person, actor.handle)
  ;(await person.post(`/api/v1/accounts/${id}/follow`)).ok()
  await app.settle()
  await actor.acceptFollow()
  await app.settle()
  return id
}

/** What stands in somebody's home timeline, newest first. */
export async function homeOf(person: Person): Promise<Json[]> {
  return (await person.get('/api/v1/timelines/home', { limit: 40 })).ok()
}

export async function statusOf(person: Person, id: string): Promise<Json> {
  return (await person.get(`/api/v1/statuses/${id}`)).ok()
}

/** The types of somebody's notifications, newest first. */
export async function notificationTypesOf(person: Person): Promise<string[]> {
  return (await person.get('/api/v1/notifications')).ok().map((one: Json) => one.type)
}

export async function relationshipOf(person: Person, id: string): Promise<Json> {
  return (await person.get('/api/v1/accounts/relationships', { id: [id] })).ok()[0]
}
