// A handle of another server that names another actor than before: who has it now is somebody else.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ensureActor } from '#federation/ingest/actors/actor.ts'
import type { Json } from '#test/client/client.ts'
import { followActor, relationshipOf } from '#test/people/meeting.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import type { Person } from '#test/people/people.ts'

const network = useNetwork()
let app: NetworkServer, peer: Peer
let alice: Person, admin: Person
let number = 0

beforeEach(async () => {
  ;[app, peer] = [await network.server(), await network.peer()]
  ;[alice, admin] = [await app.person('alice'), await app.person('admin', { role: 'Admin' })]
})

/** Bob, whom alice follows and who follows her, with something he wrote. */
async function setUp() {
  const old = await peer.actor(`bob${++number}`)
  const oldId = await followActor(app, alice, old)
  await old.follow(app.uriOf(alice))
  const note = old.note('by the first one')
  await old.send(old.build.create(note))
  await app.settle()
  return { old, oldId, note }
}

/** Somebody at another address has the handle from now on. */
const successor = ({ name }: PeerActor, more: object = {}) =>
  peer.actor(name, { ...more }, `/ap/users/${++number}`)

const account = async (id: string): Promise<Json> => (await alice.get(`/api/v1/accounts/${id}`)).ok()
const lookUp = async (handle: string): Promise<Json> =>
  (await alice.get('/api/v1/accounts/lookup', { acct: handle })).ok()

/** Ways in which the new actor comes to be known here. */
const ways: [string, (actor: PeerActor) => Promise<unknown>][] = [
  ['what it sends', (actor) => actor.send(actor.build.create(actor.note('by the second one')))],
  ['its address', (actor) => app.find(alice, actor.uri)],
  [
    'its handle, when the copy is old',
    async (actor) => {
      await network.advance(2 * 86_400_000)
      await app.find(alice, actor.handle)
    },
  ],
  [
    'a mention',
    async (actor) => {
      const carol = await peer.actor(`carol${++number}`)
      const tag = [{ type: 'Mention', href: actor.uri, name: `@${actor.handle}` }]
      await carol.send(carol.build.create(carol.note('hello', { tag, cc: [actor.uri, app.uriOf(alice)] })))
    },
  ],
]

describe('a new actor behind a known handle', () => {
  test.each(ways)('is another account, found by %s', async (_way, meetIt) => {
    const { old, oldId, note } = await setUp()
    const fresh = await successor(old)
    await meetIt(fresh)
    await app.settle()
    const found = await app.find(alice, fresh.uri)
    expect(found).toMatchObject({ acct: old.handle, uri: fresh.uri, followers_count: 0 })
    expect(found.id).not.toBe(oldId)
    expect(await relationshipOf(alice, found.id)).toMatchObject({ following: false, followed_by: false })
    expect((await lookUp(old.handle)).id).toBe(found.id)
    const before = await account(oldId)
    expect(before).toMatchObject({ acct: `${old.name}.${oldId}@${peer.domain}`, uri: old.uri })
    expect((await lookUp(before.acct)).id).toBe(oldId)
    expect((await app.find(alice, note.id)).account.id).toBe(oldId)
    const texts = (await alice.get(`/api/v1/accounts/${found.id}/statuses`)).ok().map((one: Json) => one.uri)
    expect(texts).not.toContain(note.id)
  })

  test('is followed by those who ask it', async () => {
    const { old } = await setUp()
    const fresh = await successor(old)
    const { id } = await app.find(alice, fresh.uri)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
    await fresh.send(fresh.build.create(fresh.note('unasked')))
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
    expect(await followActor(app, alice, fresh)).toBe(id)
    expect(await relationshipOf(alice, id)).toMatchObject({ following: true })
  })

  test('has the followers that a proved Move brings along', async () => {
    const { old, oldId } = await setUp()
    const fresh = await successor(old, { alsoKnownAs: [old.uri] })
    old.change({ movedTo: fresh.uri })
    await old.send(old.build.move(fresh.uri))
    await app.settle()
    await fresh.acceptFollow()
    await app.settle()
    const { id } = await app.find(alice, fresh.uri)
    expect(id).not.toBe(oldId)
    expect(await relationshipOf(alice, id)).toMatchObject({ following: true })
    expect(await relationshipOf(alice, oldId)).toMatchObject({ following: false })
  })

  test('gives the handle back when the first one has it again', async () => {
    const { old, oldId } = await setUp()
    const fresh = await successor(old)
    const { id } = await app.find(alice, fresh.uri)
    peer.finger(`acct:${old.handle}`, {
      subject: `acct:${old.handle}`,
      links: [{ rel: 'self', type: 'application/activity+json', href: old.uri }],
    })
    await ensureActor(app.ctx, old.uri, { fresh: true })
    expect((await lookUp(old.handle)).id).toBe(oldId)
    expect((await account(id)).acct).toBe(`${old.name}.${id}@${peer.domain}`)
    expect(await relationshipOf(alice, oldId)).toMatchObject({ following: true })
  })

  test('of two at the same time leaves one with the handle', async () => {
    const { old, oldId } = await setUp()
    const [one, other] = [await successor(old), await successor(old)]
    const acct = { username: old.name, domain: peer.domain }
    const met = await Promise.all(
      [one, other, one, other].map(({ uri }) => ensureActor(app.ctx, uri, { acct, fresh: true })),
    )
    const ids = [...new Set(met.map((actor) => actor?.id))]
    expect(ids).toHaveLength(2)
    const names = await Promise.all([oldId, ...(ids as string[])].map(async (id) => (await account(id)).acct))
    expect(names.filter((name) => name === old.handle)).toHaveLength(1)
    expect(names.toSorted()[0]).toMatch(new RegExp(`^${old.name}(?:\\.\\d+)?@`))
    expect(names.filter((name) => /\.\d+\.\d+@/.test(name))).toEqual([])
  })
})

describe('a new actor behind the handle of somebody', () => {
  const suspend = (id: string) => admin.post(`/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })

  test('who is suspended is suspended too, by staff, and is not heard', async () => {
    const { old, oldId } = await setUp()
    ;(await suspend(oldId)).ok()
    await app.settle()
    const fresh = await successor(old)
    const note = fresh.note('I am back')
    expect((await fresh.send(fresh.build.create(note))).status).toBe(403)
    await app.settle()
    expect(await app.find(alice, note.id)).toBeNull()
    const { id } = (await ensureActor(app.ctx, fresh.uri)) ?? { id: '0' }
    for (const one of [oldId, id])
      expect((await admin.get(`/api/v1/admin/accounts/${one}`)).ok()).toMatchObject({ suspended: true })
    const log: Json[] = (await admin.get('/api/v1/admin/audit_log')).ok()
    expect(log.filter((row) => row.target_id === id || row.target?.id === id)).not.toEqual([])
    ;(await admin.post(`/api/v1/admin/accounts/${id}/unsuspend`)).ok()
    await app.settle()
    expect((await fresh.send(fresh.build.create(fresh.note('forgiven')))).status).toBe(202)
    expect((await admin.get(`/api/v1/admin/accounts/${oldId}`)).ok()).toMatchObject({ suspended: true })
  })

  test('who was suspended and then deleted is suspended', async () => {
    const { old, oldId } = await setUp()
    ;(await suspend(oldId)).ok()
    await network.advance(1000)
    ;(await admin.delete(`/api/v1/admin/accounts/${oldId}`)).ok()
    await app.settle()
    const fresh = await successor(old)
    expect((await fresh.send(fresh.build.create(fresh.note('me again')))).status).toBe(403)
  })

  test('who deleted their account is not suspended', async () => {
    const { old } = await setUp()
    await old.send(old.build.delete(old.uri))
    await app.settle()
    await network.advance(1000)
    const fresh = await successor(old)
    expect((await fresh.send(fresh.build.create(fresh.note('somebody else')))).status).toBe(202)
  })

  test('who is limited is limited too, until the same time', async () => {
    const { old, oldId } = await setUp()
    const limit = { type: 'silence', expires_in: 3600 }
    ;(await admin.post(`/api/v1/admin/accounts/${oldId}/action`, limit)).ok()
    const { id } = await app.find(alice, (await successor(old)).uri)
    expect(await account(id)).toMatchObject({ limited: true })
    const { rows } = await sql<{ ends: string[] }>`
      select array_agg(distinct ends_at::text) as ends from account_limit_ends
      where account_id = any(${[oldId, id]}::bigint[]) having count(*) = 2`.execute(app.ctx.db)
    expect(rows[0]?.ends).toHaveLength(1)
  })

  test('whom people blocked or muted is out of their sight too', async () => {
    const { old, oldId } = await setUp()
    const muter = await app.person('muter')
    ;(await alice.post(`/api/v1/accounts/${oldId}/block`)).ok()
    ;(await muter.post(`/api/v1/accounts/${oldId}/mute`)).ok()
    const { id } = await app.find(muter, (await successor(old)).uri)
    await app.settle()
    expect(await relationshipOf(alice, id)).toMatchObject({ blocking: true })
    expect(await relationshipOf(muter, id)).toMatchObject({ muting: true })
  })
})
