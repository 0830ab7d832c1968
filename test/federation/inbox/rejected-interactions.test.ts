// What authors elsewhere do not want to have on their posts (interaction policies of GoToSocial).
import { describe, expect, test } from 'vitest'
import { meet, statusOf } from '#test/people/meeting.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

async function setUp() {
  const { app, alice, bob, peer } = await meet(network)
  await bob.create(bob.note('not everybody may answer'))
  await app.settle()
  const home = (await alice.get('/api/v1/timelines/home')).ok()
  return { app, alice, bob, peer, id: home[0].id as string, uri: home[0].uri as string }
}

describe('what the author rejects [FED-42]', () => {
  test('of replies is no part of the thread any more, however it is named', async () => {
    const { app, alice, bob, id, uri } = await setUp()
    const first = await alice.say('one', { in_reply_to_id: id })
    const second = await alice.say('two', { in_reply_to_id: id })
    expect(await statusOf(alice, id)).toMatchObject({ replies_count: 2 })
    await bob.reject(first.uri)
    await bob.reject({
      id: `${bob.uri}/requests/1`,
      type: 'ReplyRequest',
      actor: app.uriOf(alice),
      object: uri,
      instrument: second.uri,
    })
    await app.settle()
    expect(await statusOf(alice, id)).toMatchObject({ replies_count: 0 })
    expect((await alice.get(`/api/v1/statuses/${id}/context`)).ok().descendants).toEqual([])
    expect(await statusOf(alice, first.id)).toMatchObject({ in_reply_to_id: null, content: '<p>one</p>' })
  })

  test('of favourites and boosts is taken back', async () => {
    const { app, alice, bob, peer, id } = await setUp()
    ;(await alice.post(`/api/v1/statuses/${id}/favourite`)).ok()
    ;(await alice.post(`/api/v1/statuses/${id}/reblog`)).ok()
    await app.settle()
    for (const type of ['Like', 'Announce']) {
      const sent = peer.inbox.map((post) => post.json).filter((one) => one?.type === type)
      expect(sent).toHaveLength(1)
      await bob.reject(sent[0].id)
    }
    await app.settle()
    expect(await statusOf(alice, id)).toMatchObject({
      favourited: false,
      reblogged: false,
      favourites_count: 0,
      reblogs_count: 0,
    })
  })

  test('by somebody else stays', async () => {
    const { app, alice, peer, id } = await setUp()
    const reply = await alice.say('one', { in_reply_to_id: id })
    const eve = await peer.actor('eve')
    await eve.reject(reply.uri)
    await app.settle()
    expect(await statusOf(alice, reply.id)).toMatchObject({ in_reply_to_id: id })
  })
})
