// Accounts that go to another server, or come from one, with those who follow them.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '#test/client/browser.ts'
import { befriend, citizen, meet, relationOf, type Citizen } from '#test/people/citizens.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import { password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const network = useNetwork()
const path = '/settings/migration'

interface Movable extends Citizen {
  browser: Browser
}

/** Somebody who can sign in on pages. */
async function movable(server: NetworkServer, name: string): Promise<Movable> {
  const person = await personWithPassword(server, name)
  const browser = await signedIn(server, person)
  return { ...person, browser, server, uri: server.uriOf(person), handle: server.handleOf(person) }
}

async function submit(browser: Browser, action: string, fields: Record<string, string>) {
  const page = await browser.get(path)
  return browser.submit(page.form(action), fields)
}

const nameAlias = ({ browser }: Movable, handle: string) =>
  submit(browser, '/settings/aliases', { alias: handle })
const move = ({ browser }: Movable, handle: string) =>
  submit(browser, path, { move_acct: handle, move_password: password })

describe('leaving', () => {
  let home: NetworkServer
  let alice: Movable, fresh: Movable

  beforeEach(async () => {
    home = await network.server()
    ;[alice, fresh] = [await movable(home, 'alice'), await movable(await network.server('second'), 'fresh')]
  })

  test('takes followers of all servers along, and shows where the account went', async () => {
    const near = await citizen(home, 'near')
    const there = await citizen(await network.server('second'), 'there')
    const far = await citizen(await network.server('third'), 'far')
    for (const follower of [near, there, far]) await befriend(follower, alice)
    expect((await nameAlias(fresh, alice.handle)).status).toBe(303)
    await network.settleAll()
    expect((await move(alice, fresh.handle)).status).toBe(303)
    await network.settleAll()
    for (const follower of [near, there, far]) {
      const { following } = await relationOf(follower, fresh)
      expect([follower.handle, following]).toEqual([follower.handle, true])
      expect(await relationOf(follower, alice)).toMatchObject({ following: false })
      const { moved } = await meet(follower, alice)
      expect([follower.handle, moved?.username]).toEqual([follower.handle, fresh.username])
    }
    const followers: Json[] = (await fresh.get(`/api/v1/accounts/${fresh.accountId}/followers`)).ok()
    expect(followers.map((one) => one.acct).toSorted()).toEqual(
      [near.handle, there.username, far.handle].toSorted(),
    )
    const headers = { accept: 'application/activity+json' }
    const document: Json = await (await home.fetch(new URL(alice.uri).pathname, { headers })).json()
    expect(document.movedTo).toBe(fresh.uri)
  })

  test('is shown at once on its own server', async () => {
    const near = await citizen(home, 'near')
    await alice.say('still here')
    const own = () => near.get(`/api/v1/accounts/${alice.accountId}`)
    expect((await own()).ok().moved).toBeUndefined()
    await nameAlias(fresh, alice.handle)
    await move(alice, fresh.handle)
    const moved = { acct: fresh.handle }
    expect((await own()).ok()).toMatchObject({ moved })
    expect((await near.get('/api/v1/accounts/lookup', { acct: alice.username })).ok()).toMatchObject({
      moved,
    })
    const [last] = (await near.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()
    expect(last.account).toMatchObject({ moved })
    expect(await home.find(near, alice.uri)).toMatchObject({ moved })
    const headers = { accept: 'application/activity+json' }
    const document = await (await home.fetch(new URL(alice.uri).pathname, { headers })).json()
    expect(document).toMatchObject({ movedTo: fresh.uri })
  })

  test('tells other servers by an Update and a Move', async () => {
    const peer = await network.peer()
    const bob = await peer.actor('bob')
    await bob.follow(alice.uri)
    await home.settle()
    await nameAlias(fresh, alice.handle)
    await network.settleAll()
    peer.inbox.clear()
    await move(alice, fresh.handle)
    await network.settleAll()
    const [update] = await peer.received(
      ({ json }) => json.type === 'Update' && json.object.movedTo === fresh.uri,
    )
    expect(update?.signer).toBe(alice.uri)
    const [moved] = await peer.received('Move')
    expect(moved?.json).toMatchObject({ actor: alice.uri, object: alice.uri, target: fresh.uri })
  })

  test('wants the consent of the other account, as its server tells it now', async () => {
    expect((await move(alice, fresh.handle)).text).toContain('does not name this one')
    await nameAlias(fresh, alice.handle)
    expect((await move(alice, `nobody@${fresh.server.domain}`)).status).toBe(422)
    expect((await move(alice, fresh.handle)).status).toBe(303)
  })

  test('a redirect alone is told by an Update, and takes nobody along', async () => {
    const far = await citizen(await network.server('third'), 'far')
    await befriend(far, alice)
    const sent = { redirect_acct: fresh.handle, redirect_password: password }
    expect((await submit(alice.browser, '/settings/migration/redirect', sent)).status).toBe(303)
    await network.settleAll()
    expect((await meet(far, alice)).moved.acct).toBe(fresh.handle)
    expect(await relationOf(far, alice)).toMatchObject({ following: true })
    await submit(alice.browser, '/settings/migration/redirect/cancel', {})
    await network.settleAll()
    expect((await meet(far, alice)).moved).toBeUndefined()
  })
})

describe('when somebody elsewhere moves', () => {
  let server: NetworkServer
  let peer: Peer, other: Peer
  let bob: PeerActor, fresh: PeerActor
  let alice: Person
  let number = 0

  beforeEach(async () => {
    server = await network.server()
    ;[peer, other] = [await network.peer('127.0.5.1'), await network.peer('127.0.5.2')]
    number += 1
    ;[bob, fresh] = [await peer.actor(`bob${number}`), await other.actor(`fresh${number}`)]
    alice = await server.person('alice')
    await follow(alice, bob)
  })

  async function follow(person: Person, actor: PeerActor): Promise<void> {
    const { id } = await server.find(person, actor.handle)
    ;(await person.post(`/api/v1/accounts/${id}/follow`)).ok()
    await server.settle()
    await actor.acceptFollow()
    await server.settle()
  }

  async function relation(person: Person, actor: PeerActor): Promise<Json> {
    const { id } = await server.find(person, actor.uri)
    return (await person.get('/api/v1/accounts/relationships', { id: [id] })).ok()[0]
  }

  const movedOf = async (actor: PeerActor) => (await server.find(alice, actor.uri)).moved?.acct ?? null

  /** A Move as the actor's server sends it: the document says so too. */
  async function sendMove(target: string, more: Record<string, unknown> = {}): Promise<void> {
    bob.change({ movedTo: target })
    await bob.move(target, more)
    await server.settle()
  }

  test('their followers here ask to follow them there, with the same options', async () => {
    const muting = await server.person('muting')
    await follow(muting, bob)
    const { id } = await server.find(muting, bob.uri)
    ;(await muting.post(`/api/v1/accounts/${id}/follow`, { reblogs: false, notify: true })).ok()
    fresh.change({ alsoKnownAs: [bob.uri] })
    await sendMove(fresh.uri)
    const follows = await other.received('Follow', 2)
    expect(follows.map(({ json }) => [json.actor, json.object]).toSorted()).toEqual(
      [alice, muting].map((person) => [server.uriOf(person), fresh.uri]).toSorted(),
    )
    for (const { json } of follows) await fresh.accept(json)
    await server.settle()
    expect(await relation(alice, fresh)).toMatchObject({ following: true })
    expect(await relation(muting, fresh)).toMatchObject({
      following: true,
      showing_reblogs: false,
      notifying: true,
    })
    expect(await relation(alice, bob)).toMatchObject({ following: false })
    expect((await peer.received('Undo', 2)).map(({ json }) => json.object.type)).toEqual(['Follow', 'Follow'])
    expect(await movedOf(bob)).toBe(fresh.handle)
  })

  test('to here, their followers follow at once', async () => {
    const mine = await movable(server, 'mine')
    expect((await nameAlias(mine, bob.handle)).status).toBe(303)
    await sendMove(mine.uri)
    const relations = (await alice.get('/api/v1/accounts/relationships', { id: [mine.accountId] })).ok()
    expect(relations[0]).toMatchObject({ following: true })
    expect(await movedOf(bob)).toBe(mine.username)
  })

  test('without the consent of the other account nothing happens [FED-26]', async () => {
    await sendMove(fresh.uri)
    fresh.change({ alsoKnownAs: ['https://elsewhere.example/users/bob'] })
    await bob.move(fresh.uri)
    await bob.move(other.url('/users/nobody'))
    await bob.move(bob.uri)
    await server.settle()
    expect(other.inbox.types()).toEqual([])
    expect(await relation(alice, bob)).toMatchObject({ following: true })
  })

  test('nobody moves somebody else [FED-26]', async () => {
    fresh.change({ alsoKnownAs: [bob.uri] })
    const mallory = await peer.actor(`mallory${number}`)
    await mallory.send(mallory.build.move(fresh.uri, { object: bob.uri }))
    await mallory.send({ ...bob.build.move(fresh.uri), actor: bob.uri })
    await server.settle()
    expect(other.inbox.types()).toEqual([])
    expect(await relation(alice, bob)).toMatchObject({ following: true })
    expect(await movedOf(bob)).toBeNull()
  })

  test('the same Move ten times is one', async () => {
    fresh.change({ alsoKnownAs: [bob.uri] })
    bob.change({ movedTo: fresh.uri })
    const activity = bob.build.move(fresh.uri)
    for (let n = 0; n < 10; n += 1) await bob.send(activity)
    await server.settle()
    expect(other.inbox.types()).toEqual(['Follow'])
  })

  test('again soon, that is ignored; after a week it counts [FED-26]', async () => {
    fresh.change({ alsoKnownAs: [bob.uri] })
    await sendMove(fresh.uri)
    const third = await other.actor(`third${number}`, { alsoKnownAs: [bob.uri] })
    await sendMove(third.uri)
    expect(await movedOf(bob)).toBe(fresh.handle)
    expect(other.inbox.of(({ json }) => json.object === third.uri)).toEqual([])
    await network.advance(days(8))
    await bob.move(third.uri)
    await server.settle()
    expect(await movedOf(bob)).toBe(third.handle)
  })

  test('in a circle, or one after the other, it comes to an end [FED-26]', async () => {
    fresh.change({ alsoKnownAs: [bob.uri] })
    await sendMove(fresh.uri)
    await fresh.acceptFollow()
    bob.change({ alsoKnownAs: [fresh.uri] })
    fresh.change({ movedTo: bob.uri })
    peer.inbox.clear()
    await fresh.move(bob.uri)
    await server.settle()
    const asked = [...peer.inbox.of('Follow'), ...other.inbox.of('Follow')]
    expect(asked.length).toBeLessThanOrEqual(2)
    expect((await server.find(alice, bob.uri)).username).toBe(bob.name)
    expect((await alice.get(`/api/v1/accounts/${(await server.find(alice, fresh.uri)).id}`)).status).toBe(200)
  })
})
