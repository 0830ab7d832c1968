// Posts of other servers that come at the same time share their statements, and are what they would be alone.
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { followActor, meet, statusOf, type Meeting } from '#test/people/meeting.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()
interface Setting extends Meeting {
  actors: PeerActor[]
}

/** Alice follows all of them. */
async function setUp(count: number): Promise<Setting> {
  const met = await meet(network)
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, i) => met.peer.actor(`writer${i}`)))
  for (const actor of others) await followActor(met.app, met.alice, actor)
  return { ...met, actors: [met.bob, ...others] }
}

/** One note of each, all taken in before any is dealt with. */
async function sendTogether(
  actors: readonly PeerActor[],
  more: (actor: PeerActor, index: number) => Record<string, unknown>,
): Promise<void> {
  for (const [i, actor] of actors.entries()) await actor.create(actor.note(`number ${i}`, more(actor, i)))
}

describe('posts that come together', () => {
  test('take as many statements for eight as for one', async () => {
    const { app, alice, actors } = await setUp(8)
    const looking =
      /^\s*(update outbox|delete from outbox|with before as materialized|delete from incoming|with healthy as|select e\.event|select key, value)/
    const costs: number[] = []
    for (const count of [1, 1, 8]) {
      await sendTogether(actors.slice(0, count), (actor, i) => {
        const audience = actor.audience('public', [app.uriOf(alice)])
        const hashtag = { type: 'Hashtag', name: '#together', href: 'https://a.example/together' }
        return {
          ...audience,
          tag: [...(audience['tag'] as object[]), hashtag],
          conversation: `tag:${costs.length},thread:${i}`,
        }
      })
      const statements = await app.countQueries(() => app.settle())
      costs.push(statements.filter((text) => !looking.test(text)).length)
    }
    // The first time what is kept in memory is read.
    expect(costs[2]).toBe(costs[1])
  })

  test('are in one thread, under one hashtag and counted, where they name the same', async () => {
    const { app, alice, actors } = await setUp(4)
    const parent = await alice.say('what do you say?')
    const tag = [{ type: 'Hashtag', name: '#chorus', href: 'https://a.example/chorus' }]
    await sendTogether(actors, (_, i) => ({
      tag,
      content: i === 1 ? '<p>half of \ud83d a pair</p>' : `<p>voice ${i}</p>`,
      ...(i < 2 ? { inReplyTo: parent.uri } : { conversation: 'tag:peer.example,2026:chorus' }),
      ...(i === 2 && { inReplyTo: 'https://gone.example/half/of/\ud83d' }),
    }))
    await app.settle()
    expect(await statusOf(alice, parent.id)).toMatchObject({ replies_count: 2 })
    const chorus = (await alice.get('/api/v1/timelines/tag/chorus')).ok()
    expect(chorus.map((one: { content: string }) => one.content).toSorted()).toEqual([
      '<p>half of \ufffd a pair</p>',
      '<p>voice 0</p>',
      '<p>voice 2</p>',
      '<p>voice 3</p>',
    ])
    const { rows } = await sql<{ threads: number }>`
      select count(distinct conversation_id)::int as threads from statuses where id = any(${chorus.map((one: { id: string }) => one.id)}::bigint[])`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.threads).toBe(2)
    const { rows: counted } = await sql<{ n: number; told: number }>`
      select (select count(*) from statuses s where s.account_id = a.id)::int as n, t.statuses_count::int as told
      from accounts a join account_stats t on t.account_id = a.id where a.domain is not null and a.uri is not null`.execute(
      app.ctx.db,
    )
    for (const { n, told } of counted) expect(told).toBe(n)
  })
})
