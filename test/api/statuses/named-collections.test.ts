import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()

async function make(owner: Person, name = 'Good people'): Promise<Json> {
  return (await owner.post('/api/v1/collections', { name })).ok().collection
}

const show = async (client: Client, id: string): Promise<Json> =>
  (await client.get(`/api/v1/statuses/${id}`)).ok()
const idsOf = (status: Json): string[] => status.tagged_collections.map((one: Json) => one.id)
const shownTo = async (client: Client, id: string) => idsOf(await show(client, id))

describe('collections whose addresses a status names', () => {
  test('are shown with it, in their order, to everyone and with every boost and quote', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const [first, second] = [await make(alice, 'first'), await make(bob, 'second')]
    const status = await alice.say(`see ${second.url}, ${first.url} and ${second.url}.`)
    expect(status.tagged_collections).toEqual([
      (await alice.get(`/api/v1/collections/${second.id}`)).ok().collection,
      (await alice.get(`/api/v1/collections/${first.id}`)).ok().collection,
    ])
    for (const client of [bob, app.anonymous]) {
      expect(await shownTo(client, status.id)).toEqual([second.id, first.id])
    }
    const boost = (await bob.post(`/api/v1/statuses/${status.id}/reblog`)).ok()
    expect(idsOf(boost.reblog)).toEqual([second.id, first.id])
    const quote = await bob.say('look', { quoted_status_id: status.id })
    expect(idsOf(quote)).toEqual([])
    expect(idsOf(quote.quote.quoted_status)).toEqual([second.id, first.id])
    // What is in a collection is read anew each time.
    ;(await bob.patch(`/api/v1/collections/${second.id}`, { name: 'renamed' })).ok()
    expect((await show(alice, status.id)).tagged_collections[0].name).toBe('renamed')
  })

  test('none is shown that does not exist, nor for any other address', async () => {
    const alice = await app.person('alice')
    const { url } = await make(alice)
    for (const text of [
      'nothing',
      'https://chat.example/collections/1',
      `${url}/items`,
      `${url}0`,
      'collections/1',
    ]) {
      expect([text, idsOf(await alice.say(text))]).toEqual([text, []])
    }
  })

  test('follow the text when it is edited', async () => {
    const alice = await app.person('alice')
    const [first, second] = [await make(alice), await make(alice)]
    const { id } = await alice.say(first.url)
    const edit = async (text: string) =>
      idsOf((await alice.put(`/api/v1/statuses/${id}`, { status: text })).ok())
    expect(await edit(`now ${second.url}`)).toEqual([second.id])
    expect(await edit('now nothing')).toEqual([])
    expect(await edit(`${second.url} ${first.url}`)).toEqual([second.id, first.id])
    expect(await shownTo(app.anonymous, id)).toEqual([second.id, first.id])
  })

  test('come with a scheduled status when it is published', async () => {
    const alice = await app.person('alice')
    const { id, url } = await make(alice)
    const scheduled_at = new Date(app.clock.now() + minutes(10)).toISOString()
    ;(await alice.post('/api/v1/statuses', { status: `see ${url}`, scheduled_at })).ok()
    app.clock.advance(minutes(11))
    await app.ctx.jobs.add('publish-scheduled', {})
    await app.settle()
    const [published] = (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()
    expect(idsOf(published)).toEqual([id])
  })

  test('vanish when they are deleted', async () => {
    const alice = await app.person('alice')
    const [first, second] = [await make(alice), await make(alice)]
    const { id } = await alice.say(`${first.url} ${second.url}`)
    expect(await shownTo(app.anonymous, id)).toEqual([first.id, second.id])
    ;(await alice.delete(`/api/v1/collections/${first.id}`)).ok()
    expect(await shownTo(app.anonymous, id)).toEqual([second.id])
    expect(await shownTo(alice, id)).toEqual([second.id])
  })

  test('are not shown to those whom their owner blocks [ACC-12]', async () => {
    const [alice, owner, eve] = [
      await app.person('alice'),
      await app.person('owner'),
      await app.person('eve'),
    ]
    const { id: collectionId, url } = await make(owner)
    const { id } = await alice.say(url)
    expect(await shownTo(eve, id)).toEqual([collectionId])
    ;(await owner.post(`/api/v1/accounts/${eve.accountId}/block`)).ok()
    expect(await shownTo(eve, id)).toEqual([])
    expect(await shownTo(alice, id)).toEqual([collectionId])
  })

  test('cost no query where there are none, and two however many there are', async () => {
    const alice = await app.person('alice')
    const [first, second] = [await make(alice), await make(alice)]
    const list = `/api/v1/accounts/${alice.accountId}/statuses`
    const count = async () => {
      await alice.get(list)
      return (await app.countQueries(() => alice.get(list))).length
    }
    await alice.say('plain')
    const none = await count()
    await alice.say(first.url)
    expect(await count()).toBe(none + 2)
    for (let i = 0; i < 5; i += 1) await alice.say(`${i} ${first.url} ${second.url}`)
    expect(await count()).toBe(none + 2)
  })
})
