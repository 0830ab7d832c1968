// One server that sends more than anybody can deal with.
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { followActor, meet, statusOf, type Meeting } from '#test/people/meeting.ts'
import { useNetwork } from '#test/servers/network.ts'
import { often } from '#test/run/patience.ts'
import { createInboxProcessor } from '#worker/inbox-processor.ts'

const network = useNetwork()

afterEach(async () => {
  const app = await network.server()
  await sql`delete from incoming_activities`.execute(app.ctx.db)
})

/** Makes activities of some accounts wait, in turn, that mean nothing but have to be looked at. */
async function flood({ app, peer }: Meeting, signerIds: readonly string[], count: number): Promise<void> {
  const object = `${app.baseUrl}/users/nobody/statuses/1`
  const now = new Date(app.clock.now())
  await sql`
    insert into incoming_activities (id, signer_id, host, digest, body, due_at, created_at)
    select n, a.id, a.uri_host, sha256(convert_to(${peer.domain} || n, 'UTF8')),
      json_build_object('id', a.uri || '/likes/' || n, 'type', 'Like', 'actor', a.uri, 'object', ${object}::text),
      ${now}, ${now}
    from generate_series(1, ${count}::int) n
    join accounts a on a.id = (${signerIds}::bigint[])[n % ${signerIds.length}::int + 1]`.execute(app.ctx.db)
}

const countWaiting = async ({ app }: Meeting) =>
  (await sql<{ count: number }>`select count(*)::int as count from incoming_activities`.execute(app.ctx.db))
    .rows[0]?.count ?? 0

describe('a flood from one server [ROB-15]', () => {
  test('ends at a bound, for that server alone, until there is room again', async () => {
    const meeting = await meet(network)
    const { app, alice, bob, bobId } = meeting
    const carol = await (await network.peer('127.0.0.3')).actor('carol')
    const post = await alice.say('likeable')
    await flood(meeting, [bobId], 10_000)
    app.clock.advance(2_000)
    expect((await bob.send(bob.build.like(post.uri))).status).toBe(429)
    expect((await carol.send(carol.build.like(post.uri))).status).toBe(202)
    expect(await countWaiting(meeting)).toBe(10_001)
    await sql`delete from incoming_activities where signer_id = ${bobId}`.execute(app.ctx.db)
    app.clock.advance(2_000)
    expect((await bob.send(bob.build.like(post.uri))).status).toBe(202)
    await app.settle()
    expect(await statusOf(alice, post.id)).toMatchObject({ favourites_count: 2 })
  })

  test('does not keep others waiting until it is dealt with', async () => {
    const meeting = await meet(network)
    const { app, alice, peer, bobId } = meeting
    const carol = await (await network.peer('127.0.0.3')).actor('carol')
    await followActor(app, alice, carol)
    const ids = [bobId]
    for (let i = 0; i < 20; i += 1) {
      const one = await peer.actor(`flooder${i}`)
      ids.push((await app.find(alice, one.handle)).id)
    }
    await app.settle()
    const post = await alice.say('likeable')
    const all = 6_000
    await flood(meeting, ids, all)
    await carol.like(post.uri)
    const running = createInboxProcessor(app.ctx).run()
    await vi.waitFor(
      async () => expect(await statusOf(alice, post.id)).toMatchObject({ favourites_count: 1 }),
      often,
    )
    expect(await countWaiting(meeting)).toBeGreaterThan(all / 2)
    await running
    expect(await countWaiting(meeting)).toBe(0)
  })
})
