// Two servers compare who follows whom (FEP-8fcf).
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { digestOfFollowers } from '#domain/federation/queue/follower-digests.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'

const network = useNetwork()
const header = 'collection-synchronization'

type Person = Awaited<ReturnType<NetworkServer['person']>>

async function setUp() {
  const app = await network.server()
  const peer = await network.peer()
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  const { id: bobId } = await app.find(alice, bob.handle)
  return { app, peer, alice, bob, bobId: bobId as string }
}

async function follow(app: NetworkServer, person: Person, bob: PeerActor, bobId: string) {
  ;(await person.post(`/api/v1/accounts/${bobId}/follow`)).ok()
  await app.settle()
  await bob.acceptFollow()
  await app.settle()
}

const relation = async (person: Person, id: string): Promise<Json> =>
  (await person.get('/api/v1/accounts/relationships', { id: [id] })).ok()[0]

/** What bob's server says of his followers here. `listed`: what it answers when asked. */
function tell(peer: Awaited<ReturnType<typeof setUp>>['peer'], bob: PeerActor, listed: readonly string[]) {
  const path = '/users/bob/followers_synchronization'
  peer.put(path, { id: peer.url(path), type: 'OrderedCollection', orderedItems: listed })
  const digest = digestOfFollowers(listed)
  return { [header]: `collectionId="${bob.followers}", url="${peer.url(path)}", digest="${digest}"` }
}

async function write(app: NetworkServer, bob: PeerActor, headers: Record<string, string>) {
  const note = bob.note('for followers', bob.audience('private'))
  expect((await bob.send(bob.build.create(note), undefined, { headers })).status).toBe(202)
  await app.settle()
}

describe('what this server says', () => {
  test('goes with posts for followers: who of that server follows, in a digest', async () => {
    const { app, peer, alice, bob } = await setUp()
    const eve = await peer.actor('eve')
    for (const actor of [bob, eve]) await actor.send(actor.build.follow(app.uriOf(alice)))
    await app.settle()
    peer.inbox.clear()
    await alice.say('for you', { visibility: 'private' })
    await app.settle()
    const [post] = await peer.received('Create')
    const sums = [bob.uri, eve.uri].map((uri) =>
      BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`),
    )
    const digest = ((sums[0] as bigint) ^ (sums[1] as bigint)).toString(16).padStart(64, '0')
    const [collection, url] = [
      `${app.uriOf(alice)}/followers`,
      `${app.uriOf(alice)}/followers_synchronization`,
    ]
    expect(post?.headers[header]).toBe(`collectionId="${collection}", url="${url}", digest="${digest}"`)
    const answer = await bob.get(url)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ id: url, type: 'OrderedCollection' })
    expect(JSON.parse(answer.text).orderedItems.toSorted()).toEqual([bob.uri, eve.uri].toSorted())
    const other = await (await network.peer('127.0.0.9')).actor('other')
    expect(JSON.parse((await other.get(url)).text).orderedItems).toEqual([])
    expect((await app.fetch(url, { headers: { accept: 'application/activity+json' } })).status).toBe(401)
    peer.inbox.clear()
    await alice.say('for all')
    await app.settle()
    expect((await peer.received('Create'))[0]?.headers).not.toHaveProperty(header)
  })
})

describe('what another server says', () => {
  test('ends follows of which it does not know', async () => {
    const { app, peer, alice, bob, bobId } = await setUp()
    const carol = await app.person('carol')
    for (const person of [alice, carol]) await follow(app, person, bob, bobId)
    await write(app, bob, tell(peer, bob, [app.uriOf(carol)]))
    expect(await relation(alice, bobId)).toMatchObject({ following: false })
    expect(await relation(carol, bobId)).toMatchObject({ following: true })
    expect(
      peer.requests.find((one) => one.path.endsWith('followers_synchronization'))?.headers,
    ).toHaveProperty('signature')
  })

  test('takes back follows of which nobody here knows, and lets in who still asks', async () => {
    const { app, peer, alice, bob, bobId } = await setUp()
    const [carol, dave] = [await app.person('carol'), await app.person('dave')]
    await follow(app, alice, bob, bobId)
    ;(await dave.post(`/api/v1/accounts/${bobId}/follow`)).ok()
    await app.settle()
    expect(await relation(dave, bobId)).toMatchObject({ following: false, requested: true })
    peer.inbox.clear()
    const listed = [alice, carol, dave].map((person) => app.uriOf(person))
    await write(
      app,
      bob,
      tell(peer, bob, [...listed, `${app.baseUrl}/users/nobody`, 'https://x.example/users/y']),
    )
    expect(await relation(alice, bobId)).toMatchObject({ following: true })
    expect(await relation(dave, bobId)).toMatchObject({ following: true, requested: false })
    const undone = await peer.received('Undo')
    expect(undone).toHaveLength(1)
    expect(undone[0]?.json).toMatchObject({
      actor: app.uriOf(carol),
      object: { type: 'Follow', actor: app.uriOf(carol), object: bob.uri },
    })
  })

  test('is not asked for when both agree, or when the place is not its own', async () => {
    const { app, peer, alice, bob, bobId } = await setUp()
    await follow(app, alice, bob, bobId)
    await write(app, bob, tell(peer, bob, [app.uriOf(alice)]))
    const remote = await network.peer('127.0.0.9')
    const other = await peer.actor('other')
    const digest = digestOfFollowers([])
    const url = peer.url('/users/bob/followers_synchronization')
    for (const value of [
      `collectionId="${bob.followers}", url="${remote.url('/list')}", digest="${digest}"`,
      `collectionId="${other.followers}", url="${url}", digest="${digest}"`,
      `collectionId="${bob.followers}", url="${url}", digest="short"`,
      `collectionId="${bob.followers}", url="${url}"`,
      'nonsense',
    ])
      await write(app, bob, { [header]: value })
    expect(peer.requests.filter((one) => one.path.endsWith('followers_synchronization'))).toEqual([])
    expect(remote.connections).toBe(0)
    expect(await relation(alice, bobId)).toMatchObject({ following: true })
  })

  test('changes nothing when the list cannot be had', async () => {
    const { app, peer, alice, bob, bobId } = await setUp()
    await follow(app, alice, bob, bobId)
    const headers = tell(peer, bob, [])
    peer.put('/users/bob/followers_synchronization', {
      id: peer.url('/users/bob/followers_synchronization'),
      type: 'OrderedCollection',
      first: peer.url('/page'),
    })
    await write(app, bob, headers)
    peer.remove('/users/bob/followers_synchronization')
    await network.advance(700_000)
    await write(app, bob, headers)
    expect(await relation(alice, bobId)).toMatchObject({ following: true })
  })
})

test('two servers of this kind agree, and mend what differs', async () => {
  const [app, other] = [await network.server(), await network.server('second')]
  const [alice, bob] = [await app.person('alice'), await other.person('bob')]
  const { id: aliceThere } = await other.find(bob, app.handleOf(alice))
  ;(await bob.post(`/api/v1/accounts/${aliceThere}/follow`)).ok()
  await app.settle()
  expect(await relation(bob, aliceThere)).toMatchObject({ following: true })
  const carol = await other.person('carol')
  const { id: carolHere } = await app.find(alice, other.handleOf(carol))
  await app.settle()
  // A follow of which only this server knows.
  await app.ctx.db
    .insertInto('follows')
    .values({ id: app.ctx.newId(), account_id: carolHere, target_account_id: alice.accountId })
    .execute()
  await alice.say('for followers', { visibility: 'private' })
  await app.settle()
  const followers = (await alice.get(`/api/v1/accounts/${alice.accountId}/followers`)).ok()
  expect(followers.map((one: Json) => one.acct)).toEqual([other.handleOf(bob)])
  expect(await relation(bob, aliceThere)).toMatchObject({ following: true })
})
