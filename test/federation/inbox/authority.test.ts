// What somebody elsewhere may bring about here, and what not.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertIncoming } from '#domain/federation/queue/incoming.ts'
import type { Json } from '#test/client/client.ts'
import { followActor, homeOf, meet, relationshipOf, statusOf } from '#test/people/meeting.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { everyone } from '#test/peer/activities.ts'
import { transmit } from '#test/peer/transmit.ts'
import { asId, type AccountId, type IncomingActivityId } from '#lib/id.ts'

const network = useNetwork()

/** Much at once, as if it had come signed by an account. */
async function arrive(app: NetworkServer, signerId: string, activities: readonly Json[]): Promise<void> {
  const { ctx } = app
  await Promise.all(
    activities.map((activity) => {
      const row = {
        id: ctx.newId<IncomingActivityId>(),
        digest: randomBytes(32),
        recipientId: null,
        signedAt: null,
      }
      return insertIncoming(ctx, {
        ...row,
        signerId: asId<AccountId>(signerId),
        body: JSON.stringify(activity),
      })
    }),
  )
  await app.settle()
}

describe('word of somebody else that a post is gone [FED-21]', () => {
  test('ends nothing that is not open to all: its server shows it to nobody who asks', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const eve = await (await network.peer('127.0.0.4')).actor('eve')
    await followActor(app, alice, eve)
    const note = bob.note('for friends', bob.audience('private'))
    await bob.create(note)
    await app.settle()
    peer.remove(new URL(note.id).pathname)
    for (const activity of [bob.build.delete(note), bob.build.update(note)])
      expect((await eve.send(activity)).status).toBe(202)
    await app.settle()
    expect((await homeOf(alice)).map((one) => one.content)).toEqual(['<p>for friends</p>'])
  })

  test('ends no quote that is not open to all', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const eve = await (await network.peer('127.0.0.4')).actor('eve')
    await followActor(app, alice, eve)
    const note = bob.note('quotable', { interactionPolicy: { canQuote: { automaticApproval: [everyone] } } })
    const stamp = peer.url('/stamps/1')
    const quoted = await app.find(alice, note.id)
    const quoting = await alice.say('look', { quoted_status_id: quoted.id, visibility: 'private' })
    await app.settle()
    const request = (await peer.received('QuoteRequest')).at(-1)?.json
    await bob.send({ ...bob.build.accept(request), result: stamp })
    await app.settle()
    expect((await statusOf(alice, quoting.id)).quote).toMatchObject({ state: 'accepted' })
    expect((await eve.send({ ...bob.build.delete(note), object: stamp })).status).toBe(202)
    await app.settle()
    expect((await statusOf(alice, quoting.id)).quote).toMatchObject({ state: 'accepted' })
  })
})

describe('a domain that somebody hides from themselves', () => {
  test('follows them no more, is told so, and is not followed', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network, { following: false })
    ;(await alice.post('/api/v1/domain_blocks', { domain: peer.domain })).ok()
    await app.settle()
    const follow = await bob.follow(app.uriOf(alice))
    await app.settle()
    expect((await peer.received('Reject'))[0]?.json).toMatchObject({ object: { id: follow.id } })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false, requested_by: false })
    expect((await alice.post(`/api/v1/accounts/${bobId}/follow`)).status).toBe(403)
    ;(await alice.delete('/api/v1/domain_blocks', { domain: peer.domain })).ok()
    await bob.follow(app.uriOf(alice))
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: true })
  })
})

describe('a Flag', () => {
  const statusesOf = async ({ ctx }: NetworkServer) =>
    (
      await sql<{ ids: string[] }>`
        select status_ids::text[] as ids from reports order by id desc limit 1`.execute(ctx.db)
    ).rows[0]?.ids

  test('shows staff no post that its server cannot have seen', async () => {
    const { app, alice, bob, peer } = await meet(network, { following: false })
    const open = await alice.say('open')
    const posts = [
      open,
      await alice.say('for friends', { visibility: 'private' }),
      await alice.say('for oneself', { visibility: 'direct' }),
    ]
    const flag = (number: number) => ({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: peer.url(`/flags/${alice.username}/${number}`),
      type: 'Flag',
      actor: bob.uri,
      object: posts.map((post) => post.uri),
    })
    await bob.send(flag(1))
    await app.settle()
    expect(await statusesOf(app)).toEqual([open.id])
    const friend = await peer.actor('friend')
    await friend.follow(app.uriOf(alice))
    await app.settle()
    await bob.send(flag(2))
    await app.settle()
    expect(await statusesOf(app)).toEqual(posts.slice(0, 2).map((post) => post.id))
  })

  test('makes no reports without end [ROB-15]', async () => {
    const { app, alice, bob } = await meet(network, { following: false })
    for (let i = 0; i < 120; i += 1) {
      await bob.send({ id: `${bob.uri}/flags/${i}`, type: 'Flag', actor: bob.uri, object: app.uriOf(alice) })
    }
    await app.settle()
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from reports where target_account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.count).toBeLessThanOrEqual(100)
    expect(rows[0]?.count).toBeGreaterThan(50)
  })
})

describe('a follow under an id that was taken back', () => {
  test('counts when it was made after that, and is no replay', async () => {
    const { app, alice, bob, bobId } = await meet(network, { following: false })
    const follow = bob.build.follow(app.uriOf(alice))
    const recorded = bob.prepare(follow)
    const isFollowed = async () => (await relationshipOf(alice, bobId)).followed_by
    expect((await transmit(recorded)).status).toBe(202)
    await app.settle()
    expect(await isFollowed()).toBe(true)
    app.clock.advance(60_000)
    await bob.undo(follow)
    await app.settle()
    app.clock.advance(60_000)
    expect((await transmit(recorded)).status).toBe(202)
    await app.settle()
    expect(await isFollowed()).toBe(false)
    await bob.send(follow)
    await app.settle()
    expect(await isFollowed()).toBe(true)
  })

  test('counts not when it was taken back before it came', async () => {
    const { app, alice, bob, bobId } = await meet(network, { following: false })
    const follow = bob.build.follow(app.uriOf(alice))
    await bob.undo(follow)
    await app.settle()
    app.clock.advance(60_000)
    await bob.send(follow)
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false })
  })
})

test('what never was is not remembered without end', async () => {
  const { app, bob, peer } = await meet(network, { following: false })
  const count = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from tombstones`.execute(app.ctx.db)).rows[0]
  const before = (await count())?.count ?? 0
  const [undo, deletion] = [`${bob.uri}/likes/none`, `${bob.uri}/statuses/none`]
  await bob.undo(undo)
  await bob.delete(deletion)
  await app.settle()
  expect(await count()).toEqual({ count: before + 3 })
  const name = createHash('sha256').update(peer.domain).digest('base64url')
  await app.ctx.kv.increment(`undone:${name}`, 20_000, 3600)
  await bob.undo(`${undo}/2`)
  await bob.delete(`${deletion}/2`)
  await app.settle()
  expect(await count()).toEqual({ count: before + 3 })
})

describe('word of what others did [FED-47]', () => {
  test('from one account makes this server ask for a bounded number of things', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const eve = await (await network.peer('127.0.0.4')).actor('eve')
    const eveId = await followActor(app, alice, eve)
    peer.requests.length = 0
    const numbers = Array.from({ length: 320 }, (_, number) => number)
    const told = numbers.map((i) => bob.build.create({ id: `${bob.uri}/made-up/${i}`, type: 'Note' }))
    await arrive(app, eveId, told)
    const asked = peer.requests.filter(({ path }) => path.includes('/made-up/')).length
    expect([asked > 100, asked <= 300]).toEqual([true, true])
  })
})

describe('what is passed on', () => {
  test('is not larger than posts are, and not without end', async () => {
    const { app, alice, bob, bobId } = await meet(network, { following: false })
    const far = await network.peer('127.0.0.5')
    await (await far.actor('carol')).follow(app.uriOf(alice))
    const post = await alice.say('question')
    await app.settle()
    far.inbox.clear()
    const proof = { signature: { type: 'RsaSignature2017', signatureValue: 'eA==' } }
    const audience = bob.audience('public', [app.uriOf(alice)])
    const answer = (more: Json) =>
      bob.build.create(bob.note('answer', { inReplyTo: post.uri, ...audience }), more)
    await arrive(app, bobId, [answer({ ...proof, ballast: 'x'.repeat(100_000) })])
    expect(far.inbox.of('Create')).toEqual([])
    const answers = Array.from({ length: 310 }, () => answer(proof))
    await arrive(app, bobId, answers)
    expect(far.inbox.of('Create').length).toBeLessThanOrEqual(300)
    expect(far.inbox.of('Create').length).toBeGreaterThan(100)
  })
})
