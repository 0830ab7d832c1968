// Accounts that staff suspend, and what other servers hear and may do then.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteDueAccounts } from '#domain/maintenance/deletion/delete-suspended.ts'
import { severAccount } from '#domain/trust/moderation/sever-account.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import { followActor } from '#test/people/meeting.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const network = useNetwork()
const path = '/api/v1/admin/accounts'
type Person = Awaited<ReturnType<NetworkServer['person']>>

interface Scene {
  app: NetworkServer
  peer: Peer
  alice: Person
  admin: Person
  bob: PeerActor
  bobId: string
}

/** Alice, who is of this server, and bob, who is elsewhere, follow each other. */
async function setUp(): Promise<Scene> {
  const app = await network.server()
  const peer = await network.peer()
  const [alice, admin] = [await app.person('alice'), await app.person('admin', { role: 'Admin' })]
  const bob = await peer.actor('bob')
  const bobId = await followActor(app, alice, bob)
  expect((await bob.send(bob.build.follow(app.uriOf(alice)))).status).toBe(202)
  await app.settle()
  peer.inbox.clear()
  return { app, peer, alice, admin, bob, bobId }
}

const act = async ({ admin }: Scene, id: string, verb: 'suspend' | 'unsuspend') =>
  verb === 'suspend'
    ? (await admin.post(`${path}/${id}/action`, { type: 'suspend' })).ok()
    : (await admin.post(`${path}/${id}/unsuspend`)).ok()
const typesOf = ({ peer }: Scene) => [...peer.inbox].map((post) => (post.json as Json).type)
const relation = async (alice: Person, id: string): Promise<Json> =>
  (await alice.get('/api/v1/accounts/relationships', { id: [id], with_suspended: true })).ok()[0]

describe('a person of this server who is suspended', () => {
  test('is told to followers, whose follows stay, and told again when it is lifted [ACC-17]', async () => {
    const scene = await setUp()
    const { app, alice, bob, bobId, peer } = scene
    const { uri } = await alice.say('hello')
    await app.settle()
    peer.inbox.clear()
    await act(scene, alice.accountId, 'suspend')
    await app.settle()
    const update = (peer.inbox[0] as Json).json
    expect([peer.inbox.length, update.type, update.object.id]).toEqual([1, 'Update', app.uriOf(alice)])
    expect(update.object).toMatchObject({ suspended: true, name: alice.username, summary: '' })
    expect((await bob.get(uri)).status).toBe(403)
    expect((await bob.get(app.uriOf(alice))).status).toBe(200)
    expect((await bob.get(`${app.uriOf(alice)}/outbox`)).status).toBe(403)
    // What comes for her is not taken, and nothing goes out in her name.
    expect((await bob.send(bob.build.create(bob.note('hi')), `${app.uriOf(alice)}/inbox`)).status).toBe(404)
    peer.inbox.clear()
    await act(scene, alice.accountId, 'unsuspend')
    await app.settle()
    expect(typesOf(scene)).toEqual(['Update'])
    expect((peer.inbox[0] as Json).json.object.suspended).toBeUndefined()
    expect(await relation(alice, bobId)).toMatchObject({ following: true, followed_by: true })
    peer.inbox.clear()
    await alice.say('back')
    await app.settle()
    expect(typesOf(scene)).toEqual(['Create'])
    expect((await bob.get(uri)).status).toBe(200)
  })

  test('but not of a role, or of a limit that holds here alone', async () => {
    const scene = await setUp()
    const { app, alice, admin, peer } = scene
    ;(await admin.put(`${path}/${alice.accountId}/role`, { role_id: '1' })).ok()
    ;(await admin.delete(`${path}/${alice.accountId}/role`)).ok()
    ;(await admin.post(`${path}/${alice.accountId}/action`, { type: 'silence' })).ok()
    await app.settle()
    expect(peer.inbox.length).toBe(0)
  })

  test('is deleted everywhere after thirty days [ACC-17]', async () => {
    const scene = await setUp()
    const { app, alice, bob, peer } = scene
    await act(scene, alice.accountId, 'suspend')
    await app.settle()
    peer.inbox.clear()
    app.clock.advance(days(30))
    expect(await deleteDueAccounts(app.ctx)).toBe(1)
    await app.settle()
    expect(typesOf(scene)).toContain('Delete')
    expect((await bob.get(app.uriOf(alice))).status).toBe(410)
  })
})

describe('an account of another server that is suspended here', () => {
  test('is not heard, follows nobody any more, and people are told of that [FED-37]', async () => {
    const scene = await setUp()
    const { app, alice, bob, bobId, peer } = scene
    await act(scene, bobId, 'suspend')
    await app.settle()
    expect(typesOf(scene)).toEqual(['Reject'])
    expect(await relation(alice, bobId)).toMatchObject({ following: true, followed_by: false })
    const notices = (await alice.get('/api/v1/notifications', { types: ['severed_relationships'] })).ok()
    expect(notices).toMatchObject([
      {
        event: {
          type: 'account_suspension',
          target_name: bob.handle,
          followers_count: 1,
          following_count: 0,
        },
      },
    ])
    expect((await bob.send(bob.build.create(bob.note('unheard')))).status).toBe(403)
    expect((await bob.get(app.uriOf(alice))).status).toBe(200)
    peer.inbox.clear()
    await alice.say('for followers')
    await alice.say(`@${bob.handle} psst`, { visibility: 'direct' })
    await app.settle()
    expect(peer.inbox.length).toBe(0)
  })

  test('keeps the follows that are left when it is let in while they end', async () => {
    const scene = await setUp()
    const { app, alice, bobId } = scene
    await act(scene, bobId, 'suspend')
    const transaction: typeof app.ctx.transaction = async (work) => {
      await sql`update accounts set suspended_at = null where id = ${bobId}`.execute(app.ctx.db)
      return app.ctx.transaction(work)
    }
    await severAccount({ ...app.ctx, transaction }, asId<AccountId>(bobId))
    expect(await relation(alice, bobId)).toMatchObject({ followed_by: true })
  })

  test('is read again when it is let in, and heard', async () => {
    const scene = await setUp()
    const { app, alice, bob, bobId } = scene
    await act(scene, bobId, 'suspend')
    await app.settle()
    bob.change({ name: 'Bob the new' })
    await act(scene, bobId, 'unsuspend')
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).ok().display_name).toBe('Bob the new')
    expect((await bob.send(bob.build.create(bob.note('heard')))).status).toBe(202)
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).ok()).toMatchObject([{ content: '<p>heard</p>' }])
  })

  test('stays so when its own server had suspended it before and does no longer', async () => {
    const scene = await setUp()
    const { app, admin, alice, bob, bobId } = scene
    await bob.update(bob.change({ suspended: true }))
    await app.settle()
    expect((await admin.post(`${path}/${bobId}/unsuspend`)).status).toBe(403)
    expect((await admin.delete(`${path}/${bobId}`)).status).toBe(403)
    await act(scene, bobId, 'suspend')
    bob.change({ suspended: undefined })
    await app.ctx.remote.refreshAccount(asId<AccountId>(bobId), { anew: true })
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(410)
    await act(scene, bobId, 'unsuspend')
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(200)
  })

  test('leaves no post that staff deleted: it does not come back', async () => {
    const scene = await setUp()
    const { app, alice, admin, bob, bobId } = scene
    const note = bob.note('bad')
    expect((await bob.send(bob.build.create(note))).status).toBe(202)
    await app.settle()
    const [post] = (await alice.get('/api/v1/timelines/home')).ok()
    await takeAction(app.ctx, 'operator', asId<AccountId>(bobId), {
      type: 'delete_statuses',
      statusIds: [asId<StatusId>(post.id)],
    })
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${post.id}`)).status).toBe(404)
    await sql`delete from statuses where id = ${post.id}`.execute(app.ctx.db)
    expect(await app.find(admin, note.id)).toBeNull()
  })
})
