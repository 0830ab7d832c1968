// What follows when staff change the terms with another server.
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { filterFederated, mayFederate } from '#domain/server/hosts/may-federate.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Peer } from '#test/peer/peer.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import { asId, type AccountId } from '#lib/id.ts'

const network = useNetwork()
const blocks = '/api/v1/admin/domain_blocks'

type Person = Awaited<ReturnType<NetworkServer['person']>>

afterEach(async () => {
  const app = await network.server()
  const { rows } = await sql<{ id: string }>`select id from domain_blocks`.execute(app.ctx.db)
  const admin = await app.person('admin', { role: 'Admin' })
  for (const { id } of rows) await admin.delete(`${blocks}/${id}`)
  await app.settle()
})

/** Alice and bob, who is elsewhere, follow each other. */
async function setUp(host = '127.0.0.2') {
  const app = await network.server()
  const peer = await network.peer(host)
  const [alice, admin] = [await app.person('alice'), await app.person('admin', { role: 'Admin' })]
  const bob = await peer.actor('bob')
  const { id: bobId } = await app.find(alice, bob.handle)
  await befriend(app, alice, { bob, bobId })
  await app.settle()
  peer.inbox.clear()
  return { app, peer, alice, admin, bob, bobId: bobId as string }
}

async function befriend(
  app: NetworkServer,
  alice: Person,
  { bob, bobId }: { bob: PeerActor; bobId: string },
) {
  ;(await alice.post(`/api/v1/accounts/${bobId}/follow`)).ok()
  await app.settle()
  await bob.acceptFollow()
  expect((await bob.send(bob.build.follow(app.uriOf(alice)))).status).toBe(202)
  await app.settle()
}

const relation = async (alice: Person, id: string): Promise<Json> =>
  (await alice.get('/api/v1/accounts/relationships', { id: [id], with_suspended: true })).ok()[0]
const account = async (alice: Person, id: string): Promise<Json> =>
  (await alice.get(`/api/v1/accounts/${id}`)).ok()
/** Suspended accounts answer that they are gone. */
const isSuspended = async (alice: Person, id: string) =>
  (await alice.get(`/api/v1/accounts/${id}`)).status === 410
const hostOf = (peer: Peer) => peer.domain.replace(/:\d+$/, '')

async function write(bob: PeerActor, app: NetworkServer, text: string): Promise<string> {
  const note = bob.note(text)
  expect((await bob.send(bob.build.create(note))).status).toBe(202)
  await app.settle()
  return note.id
}

describe('a server that is suspended', () => {
  test('loses all follows both ways, and people are told how many', async () => {
    const { app, peer, alice, admin, bobId } = await setUp()
    expect(await relation(alice, bobId)).toMatchObject({ following: true, followed_by: true })
    ;(await admin.post(blocks, { domain: hostOf(peer), severity: 'suspend' })).ok()
    await app.settle()
    expect(await relation(alice, bobId)).toMatchObject({ following: false, followed_by: false })
    expect(await account(alice, alice.accountId)).toMatchObject({ followers_count: 0, following_count: 0 })
    expect(await isSuspended(alice, bobId)).toBe(true)
    const notices = (await alice.get('/api/v1/notifications', { types: ['severed_relationships'] })).ok()
    expect(notices).toMatchObject([
      {
        event: {
          type: 'domain_block',
          target_name: hostOf(peer),
          followers_count: 1,
          following_count: 1,
          purged: false,
        },
      },
    ])
    expect((await alice.post(`/api/v1/accounts/${bobId}/follow`)).status).toBe(403)
  })

  test('is neither heard nor answered nor asked, and told of nothing but the end of follows [FED-36]', async () => {
    const { app, peer, alice, admin, bob } = await setUp()
    const uri = await write(bob, app, 'seen before')
    const seen = await app.find(alice, uri)
    ;(await admin.post(blocks, { domain: hostOf(peer), severity: 'suspend' })).ok()
    await app.settle()
    expect(peer.inbox.types().toSorted()).toEqual(['Reject', 'Undo'])
    peer.inbox.clear()
    const before = peer.requests.length
    expect((await bob.send(bob.build.create(bob.note('unheard')))).status).toBe(403)
    expect((await bob.get(app.uriOf(alice))).status).toBe(403)
    expect((await alice.get(`/api/v1/statuses/${seen.id}`)).status).toBe(404)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
    await alice.say(`hello @${bob.handle}, see ${peer.url('/page')}`)
    expect(await app.find(alice, peer.url('/users/other'))).toBeNull()
    await app.settle()
    expect([peer.requests.length, peer.inbox.length]).toEqual([before, 0])
  })

  test('is not shown through the boosts of others [FED-35]', async () => {
    const { app, peer, alice, admin, bob } = await setUp()
    const uri = await write(bob, app, 'boost me')
    const other = await network.peer('127.0.0.9')
    const carol = await other.actor('carol')
    const { id } = await app.find(alice, carol.handle)
    ;(await alice.post(`/api/v1/accounts/${id}/follow`)).ok()
    await app.settle()
    await carol.acceptFollow()
    ;(await admin.post(blocks, { domain: hostOf(peer), severity: 'suspend' })).ok()
    await app.settle()
    const before = peer.requests.length
    for (const target of [uri, peer.url('/users/bob/statuses/never-seen')])
      expect((await carol.send(carol.build.announce(target))).status).toBe(202)
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
    expect((await alice.get(`/api/v1/accounts/${id}/statuses`)).ok()).toEqual([])
    expect((await alice.get('/api/v2/search', { q: 'boost me' })).ok().statuses).toEqual([])
    expect(peer.requests.length).toBe(before)
  })

  test('has nothing that waits, in or out, but for the end of follows', async () => {
    const { app, peer, alice, admin, bob } = await setUp()
    await peer.goAway()
    await alice.say('for my followers')
    await app.settle()
    await bob.send(bob.build.create(bob.note('waits')))
    const waiting = async (table: string) =>
      (await sql`select 1 from ${sql.table(table)}`.execute(app.ctx.db)).rows.length
    expect([await waiting('deliveries'), await waiting('incoming_activities')]).toEqual([1, 1])
    // A block that comes while the worker is at rest: both are there when it is told.
    await sql`update incoming_activities set due_at = now() + interval '1 day'`.execute(app.ctx.db)
    ;(await admin.post(blocks, { domain: hostOf(peer), severity: 'suspend' })).ok()
    await app.settle()
    const { rows } = await sql<{ type: string }>`
      select (o.body::json)->>'type' as type
      from deliveries d join outgoing_activities o on o.id = d.activity_id order by 1`.execute(app.ctx.db)
    expect(rows.map(({ type }) => type)).toEqual(['Reject', 'Undo'])
    expect(await waiting('incoming_activities')).toBe(0)
  })

  test('comes back as it was when the block is lifted, but for the follows', async () => {
    const { app, peer, alice, admin, bob, bobId } = await setUp()
    const uri = await write(bob, app, 'still here')
    const other = await peer.actor('other')
    const { id: otherId } = await app.find(alice, other.handle)
    await sql`update accounts set suspended_at = now() - interval '1 day' where id = ${otherId}`.execute(
      app.ctx.db,
    )
    const { id } = (await admin.post(blocks, { domain: hostOf(peer), severity: 'suspend' })).ok()
    await app.settle()
    ;(await admin.delete(`${blocks}/${id}`)).ok()
    await app.settle()
    expect(await isSuspended(alice, bobId)).toBe(false)
    expect(await isSuspended(alice, otherId)).toBe(true)
    expect((await app.find(alice, uri)).content).toContain('still here')
    expect(await relation(alice, bobId)).toMatchObject({ following: false, followed_by: false })
    await befriend(app, alice, { bob, bobId })
    expect(await relation(alice, bobId)).toMatchObject({ following: true, followed_by: true })
  })
})

describe('a server that is limited', () => {
  test('has limited accounts, known ones and new ones, until that ends', async () => {
    const { app, peer, alice, admin, bobId } = await setUp('127.0.0.3')
    const byStaff = await peer.actor('bystaff')
    const { id: byStaffId } = await app.find(alice, byStaff.handle)
    await sql`update accounts set silenced_at = now() - interval '1 day' where id = ${byStaffId}`.execute(
      app.ctx.db,
    )
    const { id } = (await admin.post(blocks, { domain: hostOf(peer), severity: 'silence' })).ok()
    await app.settle()
    expect(await account(alice, bobId)).toMatchObject({ limited: true })
    const late = await app.find(alice, (await peer.actor('late')).handle)
    expect(late).toMatchObject({ limited: true })
    expect(await relation(alice, bobId)).toMatchObject({ following: true, followed_by: true })
    ;(await admin.put(`${blocks}/${id}`, { severity: 'noop' })).ok()
    await app.settle()
    expect(await account(alice, bobId)).not.toHaveProperty('limited')
    ;(await admin.put(`${blocks}/${id}`, { severity: 'silence' })).ok()
    await app.settle()
    ;(await admin.delete(`${blocks}/${id}`)).ok()
    await app.settle()
    for (const one of [bobId, late.id]) expect(await account(alice, one)).not.toHaveProperty('limited')
    expect(await account(alice, byStaffId)).toMatchObject({ limited: true })
  })

  test('is suspended instead, and limited again, as the terms change', async () => {
    const { app, peer, alice, admin, bobId } = await setUp('127.0.0.3')
    const { id } = (await admin.post(blocks, { domain: hostOf(peer), severity: 'silence' })).ok()
    ;(await admin.put(`${blocks}/${id}`, { severity: 'suspend' })).ok()
    await app.settle()
    expect(await isSuspended(alice, bobId)).toBe(true)
    expect(await relation(alice, bobId)).toMatchObject({ following: false, followed_by: false })
    ;(await admin.put(`${blocks}/${id}`, { severity: 'silence' })).ok()
    await app.settle()
    expect(await account(alice, bobId)).toMatchObject({ limited: true })
  })
})

test('a server of which no media are taken loses its copies, and none are fetched', async () => {
  const { app, peer, alice, admin, bob, bobId } = await setUp('127.0.0.4')
  const keys = { avatar_key: 'accounts/avatars/1/a.png', avatar_static_key: 'accounts/avatars/1/a.png' }
  await app.ctx.db.updateTable('accounts').set(keys).where('id', '=', asId<AccountId>(bobId)).execute()
  await app.ctx.storage.put(keys.avatar_key, { body: Buffer.from('x') }, { contentType: 'image/png' })
  const emojiId = app.ctx.newId()
  await sql`
    insert into custom_emojis (id, shortcode, domain, image_key) values (${emojiId}, 'blob', ${peer.domain}, 'emojis/1/b.png')`.execute(
    app.ctx.db,
  )
  const uri = await write(bob, app, 'with a picture')
  const { id: statusId } = await app.find(alice, uri)
  const mediaId = app.ctx.newId()
  await sql`
    insert into media_attachments (id, account_id, status_id, type, state, remote_url, original_key, original_bytes, cached_at, used_at)
    values (${mediaId}, ${bobId}, ${statusId}, 'image', 'complete', ${peer.url('/p.png')},
      'cache/media_attachments/1/p.png', 1, now(), now())`.execute(app.ctx.db)
  ;(await admin.post(blocks, { domain: hostOf(peer), severity: 'noop', reject_media: true })).ok()
  await app.settle()
  const { rows } = await sql<Json>`
    select a.avatar_key, a.avatar_static_key, e.image_key, m.original_key, m.cached_at
    from accounts a, custom_emojis e, media_attachments m
    where a.id = ${bobId} and e.id = ${emojiId} and m.id = ${mediaId}`.execute(app.ctx.db)
  expect(rows).toEqual([
    { avatar_key: null, avatar_static_key: null, image_key: null, original_key: null, cached_at: null },
  ])
  expect((await account(alice, bobId)).avatar).toContain('missing')
  expect(await app.ctx.storage.open(keys.avatar_key)).toBeNull()
  const before = peer.requests.length
  expect((await app.fetch(`/media_proxy/${mediaId}/original`)).status).toBe(404)
  expect(peer.requests.length).toBe(before)
})

describe('limited federation', () => {
  const limited = () => network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })

  test('is with just the servers that are allowed, not with those below them', async () => {
    const app = await limited()
    const admin = await app.person('admin', { role: 'Admin' })
    ;(await admin.post('/api/v1/admin/domain_allows', { domain: 'Friend.example' })).ok()
    const hosts = [
      'friend.example',
      'FRIEND.example.',
      'friend.example:8443',
      'sub.friend.example',
      'example',
    ]
    const allowed = await Promise.all(hosts.map((host) => mayFederate(app.ctx, host)))
    expect(allowed).toEqual([true, true, true, false, false])
    expect(await filterFederated(app.ctx, hosts)).toEqual(new Set(hosts.slice(0, 3)))
    ;(await admin.post(blocks, { domain: 'friend.example', severity: 'suspend' })).ok()
    expect(await mayFederate(app.ctx, 'friend.example')).toBe(false)
  })

  test('ends with all that was known of a server when the permission is taken back', async () => {
    const app = await limited()
    const peer = await network.peer('127.0.0.6')
    const bob = await peer.actor('bob')
    const admin = await app.person('admin', { role: 'Admin' })
    expect(await app.find(admin, bob.handle)).toBeNull()
    expect(peer.connections).toBe(0)
    const { id } = (await admin.post('/api/v1/admin/domain_allows', { domain: peer.domain })).ok()
    // That the handle led nowhere is remembered for some minutes.
    await network.advance(600_000)
    const known = await app.find(admin, bob.handle)
    expect(known).toMatchObject({ username: 'bob' })
    ;(await admin.delete(`/api/v1/admin/domain_allows/${id}`)).ok()
    await app.settle()
    expect((await admin.get(`/api/v1/accounts/${known.id}`)).status).toBe(404)
    expect(await app.find(admin, bob.handle)).toBeNull()
  })
})
