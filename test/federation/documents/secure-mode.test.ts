// Who may read what: signed and unsigned requests, on an open server, in secure mode and in limited federation.
import { describe, expect, test } from 'vitest'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import { useNetwork, type Network, type NetworkServer } from '#test/servers/network.ts'

const open = useNetwork()
const secure = useNetwork({ env: { AUTHORIZED_FETCH: 'true' } })
const limited = useNetwork({ env: { LIMITED_FEDERATION_MODE: 'true' } })

const accept = 'application/activity+json'

interface Place {
  server: NetworkServer
  peer: Peer
  alice: Person
  /** Of the peer. */
  bob: PeerActor
}

async function place(network: Network, host?: string): Promise<Place> {
  const server = await network.server()
  const peer = await network.peer(host)
  return { server, peer, alice: await server.person('alice'), bob: await peer.actor('bob') }
}

const unsigned = async (server: NetworkServer, address: string) =>
  (await server.fetch(address.replace(server.baseUrl, ''), { headers: { accept } })).status

async function block(server: NetworkServer, domain: string): Promise<void> {
  const owner = await server.person('owner', { role: 'Owner' })
  ;(await owner.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend' })).ok()
  await server.settle()
}

/** A follow that came about as it does. */
async function follow({ server, bob, alice }: Pick<Place, 'server' | 'bob' | 'alice'>): Promise<void> {
  await bob.follow(server.uriOf(alice))
  await server.settle()
}

describe('an open server', () => {
  test('answers the unsigned, and those who sign, with what is open to all', async () => {
    const { server, alice, bob } = await place(open)
    const post = await alice.say('hello')
    for (const address of [server.uriOf(alice), post.uri, `${server.uriOf(alice)}/outbox?page=true`]) {
      expect(await unsigned(server, address)).toBe(200)
      expect((await bob.get(address)).status).toBe(200)
    }
    expect((await bob.get(post.uri)).headers['cache-control']).toBe('public, max-age=180')
  })

  test('shows a private post to followers and to those it names, and to nobody else [FED-55]', async () => {
    const { server, peer, alice, bob } = await place(open)
    const [carol, dan] = [await peer.actor('carol'), await peer.actor('dan')]
    await follow({ server, bob, alice })
    expect(await server.find(alice, carol.handle)).toMatchObject({ username: 'carol' })
    const post = await alice.say('for followers', { visibility: 'private' })
    const direct = await alice.say(`for you @${carol.handle}`, { visibility: 'direct' })
    const seen = async (actor: PeerActor, uri: string) => (await actor.get(uri)).status
    expect([await seen(bob, post.uri), await seen(carol, post.uri), await seen(dan, post.uri)]).toEqual([
      200, 404, 404,
    ])
    expect([await seen(bob, direct.uri), await seen(carol, direct.uri), await seen(dan, direct.uri)]).toEqual(
      [404, 200, 404],
    )
    expect((await bob.get(post.uri)).headers['cache-control']).toBe('private, no-store')
    expect((await bob.get(post.uri)).body).toMatchObject({ id: post.uri, content: '<p>for followers</p>' })
    expect(await unsigned(server, post.uri)).toBe(404)
    const outbox = `${server.uriOf(alice)}/outbox?page=true`
    expect(
      (await bob.get(outbox)).body.orderedItems.map((one: { object: { id: string } }) => one.object.id),
    ).toEqual([post.uri])
    expect((await dan.get(outbox)).body.orderedItems).toEqual([])
    ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
    expect([await seen(bob, post.uri), await seen(dan, post.uri)]).toEqual([404, 404])
  })

  test('answers a bad signature alike whether something is there or not [FED-55]', async () => {
    const { server, peer, alice, bob } = await place(open)
    const { key } = await peer.actor('mallory')
    const post = await alice.say('for followers', { visibility: 'private' })
    const nothing = `${server.uriOf(alice)}/statuses/${BigInt(post.id) + 1n}`
    for (const uri of [post.uri, nothing])
      expect([uri, (await bob.get(uri, { key })).status]).toEqual([uri, 401])
    const seen = await alice.say('for all')
    expect((await bob.get(seen.uri, { key })).status).toBe(200)
  })

  test('shows nothing of an account’s lists to those whom it blocks', async () => {
    const { server, alice, bob } = await place(open)
    await follow({ server, bob, alice })
    const shown = await server.find(alice, bob.uri)
    const post = await alice.say('for followers', { visibility: 'private' })
    ;(await alice.post(`/api/v1/accounts/${shown.id}/block`)).ok()
    await server.settle()
    expect((await bob.get(post.uri)).status).toBe(404)
    for (const path of ['outbox?page=true', 'followers', 'following?page=true', 'collections/featured'])
      expect([path, (await bob.get(`${server.uriOf(alice)}/${path}`)).status]).toEqual([path, 404])
    expect((await bob.get(server.uriOf(alice))).status).toBe(200)
  })

  test.each([
    ['an open server', open],
    ['a server in secure mode', secure],
  ])('%s shows no post to those whom its author blocks [ACC-12]', async (_, network) => {
    const { server, peer, alice, bob } = await place(network)
    const dan = await peer.actor('dan')
    const shown = await server.find(alice, bob.uri)
    const post = await alice.say('for all but one')
    const documents = ['', '/activity', '/replies', '/likes', '/shares'].map((path) => post.uri + path)
    const seen = async (actor: PeerActor) =>
      Promise.all([...documents, post.url].map(async (address) => (await actor.get(address)).status))
    expect(await seen(bob)).toEqual(Array(6).fill(200))
    ;(await alice.post(`/api/v1/accounts/${shown.id}/block`)).ok()
    await server.settle()
    expect([await seen(bob), await seen(dan)]).toEqual([Array(6).fill(404), Array(6).fill(200)])
  })

  test('tells a server which of its people follow, and nobody else (FEP-8fcf)', async () => {
    const { server, alice, bob } = await place(open)
    const remote = await open.peer('127.0.0.3')
    const carol = await remote.actor('carol')
    await follow({ server, bob, alice })
    await carol.follow(server.uriOf(alice))
    await server.settle()
    const uri = `${server.uriOf(alice)}/followers_synchronization`
    expect((await bob.get(uri)).body).toMatchObject({
      id: uri,
      type: 'OrderedCollection',
      orderedItems: [bob.uri],
    })
    expect((await carol.get(uri)).body.orderedItems).toEqual([carol.uri])
    expect((await bob.get(uri)).headers['cache-control']).toBe('private, no-store')
    expect(await unsigned(server, uri)).toBe(401)
  })

  test('gives nothing to a server with which it broke off, under whatever name [FED-36] [FED-38]', async () => {
    const { server, peer, alice, bob } = await place(open, '127.0.0.8')
    const post = await alice.say('hello')
    expect((await bob.get(post.uri)).status).toBe(200)
    await block(server, peer.host)
    peer.requests.length = 0
    for (const uri of [post.uri, server.uriOf(alice), `${server.uriOf(alice)}/outbox`]) {
      expect([uri, (await bob.get(uri)).status]).toEqual([uri, 403])
      expect([uri, (await bob.get(uri, { scheme: 'rfc9421' })).status]).toEqual([uri, 403])
    }
    expect(peer.requests).toEqual([])
    // To make sure of a signature everybody needs it.
    expect(await unsigned(server, '/actor')).toBe(200)
  })

  test('takes an account that is suspended here for nobody [FED-37]', async () => {
    const { server, alice, bob } = await place(open)
    await follow({ server, bob, alice })
    const post = await alice.say('for followers', { visibility: 'private' })
    const suspended = { suspended_at: new Date() }
    await server.ctx.db.updateTable('accounts').set(suspended).where('uri', '=', bob.uri).execute()
    expect([403, 404]).toContain((await bob.get(post.uri)).status)
  })
})

describe('in secure mode', () => {
  test('everything is for those who sign', async () => {
    const { server, peer, alice, bob } = await place(secure)
    const post = await alice.say('hello')
    const uri = server.uriOf(alice)
    const documents = [
      uri,
      post.uri,
      post.url,
      `${post.uri}/activity`,
      `${post.uri}/replies`,
      `${uri}/outbox`,
      `${uri}/followers`,
      `${uri}/collections/featured`,
    ]
    for (const address of documents) {
      expect([address, await unsigned(server, address)]).toEqual([address, 401])
      const answer = await bob.get(address)
      expect([address, answer.status]).toEqual([address, 200])
      expect([address, answer.headers['cache-control']]).toEqual([address, 'private, no-store'])
      expect([address, (await peer.instanceActor.get(address)).status]).toEqual([address, 200])
    }
    const { key } = await peer.actor('mallory')
    expect((await bob.get(uri, { key })).status).toBe(401)
    expect((await bob.get(uri, { scheme: 'rfc9421' })).status).toBe(200)
  })

  test('who the server is, and how to find people, is not hidden [4-46] [5-15]', async () => {
    const { server, alice } = await place(secure)
    const paths = [
      '/actor',
      `/.well-known/webfinger?resource=acct:${server.handleOf(alice)}`,
      '/.well-known/host-meta',
      '/.well-known/nodeinfo',
      '/nodeinfo/2.0',
      '/api/v1/instance',
      '/api/v2/instance',
    ]
    for (const path of paths) expect([path, await unsigned(server, path)]).toEqual([path, 200])
  })

  test('people still read pages, and apps the API', async () => {
    const { server, alice } = await place(secure)
    const post = await alice.say('hello')
    const page = await server.fetch(new URL(post.url).pathname, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect((await server.anonymous.get(`/api/v1/statuses/${post.id}`)).status).toBe(200)
  })

  test('two such servers get along', async () => {
    const [first, second] = [await secure.server(), await secure.server('second')]
    const [alice, zoe] = [await first.person('alice'), await second.person('zoe')]
    const found = await second.find(zoe, first.handleOf(alice))
    ;(await zoe.post(`/api/v1/accounts/${found.id}/follow`)).ok()
    await secure.settleAll()
    await alice.say('hello over there')
    await secure.settleAll()
    const [seen] = (await zoe.get('/api/v1/timelines/home')).ok()
    expect(seen.content).toBe('<p>hello over there</p>')
  })

  test('a server with which this one broke off gets nothing [FED-36]', async () => {
    const { server, peer, alice, bob } = await place(secure)
    await block(server, peer.host)
    peer.requests.length = 0
    expect([401, 403]).toContain((await bob.get(server.uriOf(alice))).status)
    expect(peer.requests).toEqual([])
  })
})

describe('in limited federation', () => {
  test('only servers on the list are answered', async () => {
    const { server, peer, alice, bob } = await place(limited)
    const uri = server.uriOf(alice)
    expect(await unsigned(server, uri)).toBe(401)
    expect([401, 403]).toContain((await bob.get(uri)).status)
    expect(peer.requests).toEqual([])
    const owner = await server.person('owner', { role: 'Owner' })
    ;(await owner.post('/api/v1/admin/domain_allows', { domain: peer.host })).ok()
    expect((await bob.get(uri)).status).toBe(200)
    expect(await unsigned(server, '/actor')).toBe(200)
    expect(await unsigned(server, '/api/v1/instance')).toBe(200)
  })

  test('pages are for people who are signed in', async () => {
    const { server, alice } = await place(limited)
    const page = await server.fetch(`/@${alice.username}`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/auth/sign_in'),
    ])
  })
})
