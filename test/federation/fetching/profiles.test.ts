// Profiles of other servers, opened by somebody here: what came by itself is little, and the rest is fetched.
import { expect, test } from 'vitest'
import type { Client, Json } from '#test/client/client.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

const open = async (reader: Client, { id }: Json, query = '') => {
  const answer = await reader.get(`/api/v1/accounts/${id}/statuses${query}`)
  const header = answer.headers.get('mastodon-async-refresh')
  const texts = answer.ok().map(({ content }) => content.replaceAll(/<\/?p>/g, '')) as string[]
  return { texts, refresh: header && /^id="(account-\d+)", retry=\d+, result_count=\d+$/.exec(header)?.[1] }
}

test('a profile that somebody opens is completed from its server, and the client can follow that', async () => {
  const [here, there] = [await network.server(), await network.server('second')]
  const [ann, bob, cat] = [await here.person('ann'), await there.person('bob'), await there.person('cat')]
  await cat.follow(bob)
  const pinned = await bob.say('pinned')
  ;(await bob.post(`/api/v1/statuses/${pinned.id}/pin`)).ok()
  for (let number = 1; number <= 21; number++) await bob.say(`post ${number}`)
  await bob.say('for followers', { visibility: 'private' })
  await network.settleAll()

  const found = await here.find(ann, there.handleOf(bob))
  expect(await open(here.anonymous, found)).toEqual({ texts: [], refresh: null })
  const { texts, refresh } = await open(ann, found)
  expect(texts).toEqual([])
  expect(refresh).toBe(`account-${found.id}`)
  const progress = async () => (await ann.get(`/api/v1_alpha/async_refreshes/${refresh}`)).ok().async_refresh
  expect(await progress()).toEqual({ id: refresh, status: 'running', result_count: 0 })
  await network.settleAll()

  expect(await progress()).toEqual({ id: refresh, status: 'finished', result_count: 20 })
  const latest = Array.from({ length: 20 }, (_, index) => `post ${21 - index}`)
  expect(await open(ann, found)).toEqual({ texts: latest, refresh: null })
  expect((await open(ann, found, '?pinned=true')).texts).toEqual(['pinned'])
  const account = (await ann.get(`/api/v1/accounts/${found.id}`)).ok()
  expect(account).toMatchObject({ followers_count: 1, following_count: 0, statuses_count: 23 })

  // Nobody here follows bob: what he says is not sent, and is asked for again, every quarter of an hour at most.
  await bob.say('later')
  await network.settleAll()
  expect(await open(ann, found)).toEqual({ texts: latest, refresh: null })
  await network.advance(15 * 60_000)
  expect((await open(here.anonymous, found)).refresh).toBeNull()
  expect((await open(ann, found, `?max_id=${pinned.id}`)).refresh).toBeNull()
  expect((await open(ann, found)).refresh).toBe(refresh)
  await network.settleAll()
  expect(await progress()).toMatchObject({ status: 'finished', result_count: 1 })
  expect((await open(ann, found)).texts[0]).toBe('later')
})

test('a profile of this server is whole, and nobody is asked for it', async () => {
  const here = await network.server()
  const [ann, dan] = [await here.person(), await here.person()]
  expect((await open(ann, { id: dan.accountId })).refresh).toBeNull()
  for (const id of [`account-${dan.accountId}`, 'account-1', 'account-x'])
    expect((await ann.get(`/api/v1_alpha/async_refreshes/${id}`)).status).toBe(404)
})

test('what was published within one second stays in its order, however long it takes to fetch it', async () => {
  const here = await network.server()
  const [ann, peer] = [await here.person(), await network.peer()]
  const actor = await peer.actor('quick')
  const published = `${new Date(Math.floor(here.clock.now() / 1000) * 1000).toISOString().slice(0, 19)}Z`
  const notes = [1, 2, 3, 4, 5, 6].map((number) => actor.note(`note ${number}`, { published }))
  for (const note of notes)
    peer.answer(new URL(note.id).pathname, async (_request, response) => {
      await network.advance(400)
      response.writeHead(200, { 'content-type': 'application/activity+json' })
      response.end(JSON.stringify(note))
    })
  const outbox = String(actor.document()['outbox'])
  const orderedItems = notes.toReversed().map(({ id }) => ({ type: 'Create', actor: actor.uri, object: id }))
  peer.put(new URL(outbox).pathname, { id: outbox, type: 'OrderedCollection', orderedItems })

  const found = await here.find(ann, actor.handle)
  await open(ann, found)
  await network.settleAll()
  expect((await open(ann, found)).texts).toEqual([6, 5, 4, 3, 2, 1].map((number) => `note ${number}`))
})
