// Relays: servers that pass public posts on between servers. A peer is one of each kind.
import { describe, expect, test } from 'vitest'
import { addRelay, listRelays, removeRelay } from '#domain/federation/relays/relays.ts'
import { often } from '#test/run/patience.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { everyone } from '#test/peer/activities.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import type { Json } from '#test/client/client.ts'
import { asId, type RelayId } from '#lib/id.ts'

const network = useNetwork()

interface Relay {
  server: NetworkServer
  peer: Peer
  /** Speaks for the relay. */
  actor: PeerActor
  id: string
  follow: Json
}

/** A relay that has been asked and has not answered. Each is on a host of its own. */
async function askRelay(host: string, kind: 'inbox' | 'actor'): Promise<Relay> {
  const server = await network.server()
  const peer = await network.peer(host)
  const actor = await peer.actor('relay', { type: 'Application' })
  const { id } = await addRelay(server.ctx, 'operator', kind === 'inbox' ? peer.url('/inbox') : actor.uri)
  await server.settle()
  const [post] = await peer.received('Follow')
  expect(post).toMatchObject({ signer: `${server.baseUrl}/actor` })
  return { server, peer, actor, id, follow: post?.json }
}

async function joinRelay(host: string, kind: 'inbox' | 'actor'): Promise<Relay> {
  const relay = await askRelay(host, kind)
  await relay.actor.accept(relay.follow)
  await relay.server.settle()
  return relay
}

const stateOf = async ({ server, id }: Relay) =>
  (await listRelays(server.ctx)).find((one) => one.id === id)?.state

/** What everybody sees here of other servers. */
async function wall(server: NetworkServer): Promise<string[]> {
  const list: Json[] = (await server.anonymous.get('/api/v1/timelines/public?remote=true')).ok()
  return list.map((status) => status.uri)
}

describe.each([
  ['by its inbox', 'inbox', 10],
  ['by its actor', 'actor', 30],
] as const)('a relay that is known %s', (_, kind, first) => {
  const hosts = Array.from({ length: 11 }, (__, n) => `127.0.4.${first + n}`)

  test('is followed, and waits for its answer', async () => {
    const relay = await askRelay(hosts[0]!, kind)
    const { server, peer, actor, follow } = relay
    expect(follow).toMatchObject({
      type: 'Follow',
      actor: `${server.baseUrl}/actor`,
      object: kind === 'inbox' ? everyone : actor.uri,
    })
    expect(peer.inbox[0]?.path).toBe(kind === 'inbox' ? '/inbox' : '/users/relay/inbox')
    expect(await stateOf(relay)).toBe('pending')
    await actor.accept(follow)
    await server.settle()
    expect(await stateOf(relay)).toBe('accepted')
  })

  test('may refuse, and nobody else answers for it [FED-25]', async () => {
    const relay = await askRelay(hosts[1]!, kind)
    const stranger = await (await network.peer(hosts[2]!)).actor('stranger')
    await stranger.accept(relay.follow)
    await relay.server.settle()
    expect(await stateOf(relay)).toBe('pending')
    await relay.actor.reject(relay.follow)
    await relay.server.settle()
    expect(await stateOf(relay)).toBe('rejected')
  })

  test('gets what is public, signed so that it can pass it on, and nothing else', async () => {
    const { server, peer } = await joinRelay(hosts[3]!, kind)
    const alice = await server.person('alice')
    peer.inbox.clear()
    const post = await alice.say('for all the world')
    for (const visibility of ['unlisted', 'private', 'direct'])
      await alice.say('not for relays', { visibility })
    await server.settle()
    const creates = await peer.received('Create')
    expect(creates.map(({ json }) => json.object.id)).toEqual([post.uri])
    expect(creates[0]?.json.signature).toMatchObject({
      type: 'RsaSignature2017',
      creator: `${server.uriOf(alice)}#main-key`,
    })
    ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
    await server.settle()
    expect((await peer.received('Delete')).map(({ json }) => json.object.id)).toEqual([post.uri])
  })

  test('brings posts of people whom nobody here follows, read where they are from', async () => {
    const { server, actor } = await joinRelay(hosts[4]!, kind)
    const otherPlace = await network.peer(hosts[5]!)
    const zoe = await otherPlace.actor('zoe')
    const [announced, passedOn] = [zoe.note('announced'), zoe.note('passed on')]
    await actor.announce(announced.id)
    expect((await actor.send(zoe.build.create({ ...passedOn, content: '<p>forged</p>' }))).status).toBe(202)
    await server.settle()
    const seen = await wall(server)
    expect(seen).toEqual(expect.arrayContaining([announced.id, passedOn.id]))
    const reader = await server.person('reader')
    expect(await server.find(reader, passedOn.id)).toMatchObject({ content: '<p>passed on</p>' })
    expect(await server.find(reader, announced.id)).toMatchObject({ reblogs_count: 0, reblog: null })
  })

  test('brings what comes from one server while another one does not answer', async () => {
    const { server, actor } = await joinRelay(hosts[8]!, kind)
    const [slow, quick] = [await network.peer(hosts[9]!), await network.peer(hosts[10]!)]
    const [zoe, yan] = [await slow.actor('zoe'), await quick.actor('yan')]
    const [announcedLate, late] = [zoe.note('announced late'), zoe.note('passed on late')]
    const [announced, passedOn] = [yan.note('announced'), yan.note('passed on')]
    const goOn = slow.hold()
    await actor.announce(announcedLate.id)
    await actor.send(zoe.build.create(late))
    await actor.announce(announced.id)
    await actor.send(yan.build.create(passedOn))
    const settled = server.settle()
    await expect.poll(() => wall(server), often).toEqual(expect.arrayContaining([announced.id, passedOn.id]))
    goOn()
    await settled
    expect(await wall(server)).toEqual(expect.arrayContaining([announcedLate.id, late.id]))
  })

  test('is left, and then brings nothing any more', async () => {
    const { server, peer, actor, id, follow } = await joinRelay(hosts[6]!, kind)
    await removeRelay(server.ctx, 'operator', asId<RelayId>(id))
    await server.settle()
    const [undo] = await peer.received('Undo')
    expect(undo?.json).toMatchObject({
      actor: `${server.baseUrl}/actor`,
      object: { type: 'Follow', id: follow.id, object: follow.object },
    })
    const zoe = await (await network.peer(hosts[7]!)).actor('zoe')
    const note = zoe.note('too late')
    await actor.send(actor.build.announce(note.id))
    await server.settle()
    expect(await wall(server)).not.toContain(note.id)
    peer.inbox.clear()
    await (await server.person('alice')).say('for all the world')
    await server.settle()
    expect(peer.inbox.types()).toEqual([])
  })
})

test('a relay that follows back is welcome, anybody else is not', async () => {
  const { server, peer, actor } = await joinRelay('127.0.4.30', 'actor')
  await actor.follow(`${server.baseUrl}/actor`)
  const stranger = await (await network.peer('127.0.4.31')).actor('stranger')
  await stranger.follow(`${server.baseUrl}/actor`)
  await server.settle()
  expect((await peer.received('Accept'))[0]?.json.object.actor).toBe(actor.uri)
  expect((await peer.received('Accept')).length).toBe(1)
})

test('what cannot be a relay is refused', async () => {
  const { ctx, baseUrl, person } = await network.server()
  const owner = await person('owner', { role: 'Owner' })
  ;(await owner.post('/api/v1/admin/domain_blocks', { domain: 'blocked.example', severity: 'suspend' })).ok()
  const peer = await network.peer('127.0.4.40')
  const own = `${baseUrl}/inbox`
  const otherPlace = [
    'ftp://relay.example/inbox',
    'nonsense',
    'http://10.0.0.1/inbox',
    'http://www.blocked.example/inbox',
  ]
  for (const url of [own, ...otherPlace, peer.url('/nothing')])
    await expect(addRelay(ctx, 'operator', url)).rejects.toMatchObject({ code: 'invalid' })
})
