import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()

async function discoverable(name: string): Promise<Person> {
  const person = await app.person(name)
  ;(await person.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
  return person
}

async function make(owner: Person, more: Json = {}): Promise<Json> {
  return (await owner.post('/api/v1/collections', { name: 'Good people', ...more })).ok().collection
}

describe('a collection', () => {
  test('is made with its accounts, read by everyone, changed and deleted', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await discoverable('bob'),
      await discoverable('carol'),
    ]
    const made = await make(alice, {
      description: 'Worth following',
      language: 'en',
      tag_name: '#Friends',
      account_ids: [bob.accountId],
    })
    expect(made).toMatchObject({
      account_id: alice.accountId,
      name: 'Good people',
      description: 'Worth following',
      language: 'en',
      local: true,
      sensitive: false,
      discoverable: true,
      tag: { name: 'Friends', url: 'https://chat.example/tags/friends' },
      item_count: 1,
      items: [{ account_id: bob.accountId, state: 'accepted' }],
    })
    const added = (
      await alice.post(`/api/v1/collections/${made.id}/items`, { account_id: carol.accountId })
    ).ok()
    expect(added.collection_item).toMatchObject({ account_id: carol.accountId, state: 'accepted' })
    const read = (await app.anonymous.get(`/api/v1/collections/${made.id}`)).ok()
    expect(read.collection.item_count).toBe(2)
    expect(read.accounts.map((account: Json) => account.id)).toEqual([
      alice.accountId,
      bob.accountId,
      carol.accountId,
    ])
    const changed = (
      await alice.put(`/api/v1/collections/${made.id}`, { name: 'Better people', tag_name: '' })
    ).ok()
    expect(changed.collection).toMatchObject({
      name: 'Better people',
      tag: null,
      description: 'Worth following',
    })
    ;(await alice.delete(`/api/v1/collections/${made.id}/items/${added.collection_item.id}`)).ok()
    expect((await app.anonymous.get(`/api/v1/collections/${made.id}`)).ok().collection.item_count).toBe(1)
    ;(await alice.delete(`/api/v1/collections/${made.id}`)).ok()
    expect((await alice.get(`/api/v1/collections/${made.id}`)).status).toBe(404)
  })

  test('is listed for others when it may be discovered, page by page', async () => {
    const [alice, eve] = [await app.person('alice'), await app.person('eve')]
    const first = await make(alice, { name: 'first' })
    const hidden = await make(alice, { name: 'hidden', discoverable: false })
    const last = await make(alice, { name: 'last' })
    const names = async (person: { get: Person['get'] }, query = '') => {
      const answer = await person.get(`/api/v1/accounts/${alice.accountId}/collections${query}`)
      return [answer.ok().collections.map((one: Json) => one.id), answer.headers.get('link')]
    }
    expect(await names(alice)).toEqual([[last.id, hidden.id, first.id], null])
    expect(await names(eve)).toEqual([[last.id, first.id], null])
    expect(await names(app.anonymous, '?limit=1')).toEqual([
      [last.id],
      expect.stringContaining('limit=1&offset=1>; rel="next"'),
    ])
    expect(await names(app.anonymous, '?limit=1&offset=1')).toEqual([
      [first.id],
      expect.stringContaining('offset=0>; rel="prev"'),
    ])
    // Whoever has its address may read it.
    expect((await eve.get(`/api/v1/collections/${hidden.id}`)).ok().collection.id).toBe(hidden.id)
  })

  test('tells those it features, who may leave it for good', async () => {
    const [alice, bob, eve] = [await app.person('alice'), await discoverable('bob'), await app.person('eve')]
    const [one, two] = [await make(alice), await make(alice)]
    const add = async (id: string) => {
      const answer = await alice.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
      await app.settle()
      app.clock.advance(1000)
      return answer
    }
    const item = (await add(one.id)).ok().collection_item
    ;(await add(two.id)).ok()
    ;(await alice.patch(`/api/v1/collections/${one.id}`, { name: 'Renamed' })).ok()
    await app.settle()
    const told = async () => {
      const list = (await bob.get('/api/v1/notifications')).ok()
      return list.map((one: Json) => [one.type, one.account.id, one.collection.id])
    }
    expect(await told()).toEqual([
      ['collection_update', alice.accountId, one.id],
      ['added_to_collection', alice.accountId, two.id],
      ['added_to_collection', alice.accountId, one.id],
    ])
    const inside = (await bob.get(`/api/v1/accounts/${bob.accountId}/in_collections`)).ok().collections
    expect(inside.map((each: Json) => each.id)).toEqual([two.id, one.id])
    expect((await eve.get(`/api/v1/accounts/${bob.accountId}/in_collections`)).status).toBe(403)
    expect((await eve.post(`/api/v1/collections/${one.id}/items/${item.id}/revoke`)).status).toBe(404)
    ;(await bob.post(`/api/v1/collections/${one.id}/items/${item.id}/revoke`)).ok()
    await app.settle()
    expect(await told()).toEqual([['added_to_collection', alice.accountId, two.id]])
    expect((await app.anonymous.get(`/api/v1/collections/${one.id}`)).ok().collection.items).toEqual([])
    expect((await alice.get(`/api/v1/collections/${one.id}`)).ok().collection.items).toMatchObject([
      { state: 'revoked' },
    ])
    expect((await add(one.id)).status).toBe(422)
  })
})

test('each change is told on top of the list, in place of the one before', async () => {
  const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
  const { id } = await make(alice, { account_ids: [bob.accountId] })
  await app.settle()
  const told: string[] = []
  for (const name of ['One', 'Two']) {
    app.clock.advance(60_000)
    ;(await alice.patch(`/api/v1/collections/${id}`, { name })).ok()
    await app.settle()
    const list = (await bob.get('/api/v1/notifications')).ok()
    expect(list.map((one: Json) => one.type)).toEqual(['collection_update', 'added_to_collection'])
    told.push(list[0].id)
  }
  expect(told[0]).not.toBe(told[1])
})

describe('refused', () => {
  test('whoever has left a collection is not brought back by taking them out first', async () => {
    const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
    const { id, items } = await make(alice, { account_ids: [bob.accountId] })
    const item = `/api/v1/collections/${id}/items/${items[0].id}`
    ;(await bob.post(`${item}/revoke`)).ok()
    expect((await alice.delete(item)).status).toBe(422)
    const again = await alice.post(`/api/v1/collections/${id}/items`, { account_id: bob.accountId })
    expect([again.status, again.body.error]).toEqual([422, 'Duplicate record'])
    expect((await app.anonymous.get(`/api/v1/collections/${id}`)).ok().collection.items).toEqual([])
    expect((await alice.delete(`/api/v1/collections/${id}/items/1`)).status).toBe(404)
  })

  test('accounts that do not want to be found, are blocked, or are there already', async () => {
    const [alice, shy, foe] = [await app.person('alice'), await app.person('shy'), await discoverable('foe')]
    const made = await make(alice)
    const add = async (id: string) =>
      (await alice.post(`/api/v1/collections/${made.id}/items`, { account_id: id })).status
    expect(await add(shy.accountId)).toBe(422)
    expect(await add('1')).toBe(404)
    expect((await alice.post(`/api/v1/collections/${made.id}/items`, {})).status).toBe(400)
    expect(await add(foe.accountId)).toBe(200)
    expect(await add(foe.accountId)).toBe(422)
    ;(await foe.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    expect((await foe.get(`/api/v1/collections/${made.id}`)).ok().accounts).toHaveLength(2)
    expect((await alice.get(`/api/v1/collections/${made.id}`)).ok().collection.items).toEqual([])
    const other = await make(alice)
    expect(
      (await alice.post(`/api/v1/collections/${other.id}/items`, { account_id: foe.accountId })).status,
    ).toBe(404)
  })

  test('bad fields, with details, and more than ten collections of 25 accounts', async () => {
    const alice = await app.person('alice')
    const bad = await alice.post('/api/v1/collections', {
      name: 'x'.repeat(41),
      description: 'y'.repeat(101),
      language: 'nope',
      tag_name: '1 2',
    })
    expect([bad.status, Object.keys(bad.body.details).toSorted()]).toEqual([
      422,
      ['description', 'language', 'name', 'tag'],
    ])
    expect((await alice.post('/api/v1/collections', {})).body.details).toEqual({
      name: [{ error: 'ERR_BLANK', description: "Name can't be blank" }],
    })
    const many = Array.from({ length: 26 }, (_, n) => String(n + 1))
    expect((await alice.post('/api/v1/collections', { name: 'x', account_ids: many })).status).toBe(422)
    for (let n = 0; n < 10; n++) await make(alice)
    expect((await alice.post('/api/v1/collections', { name: 'one more' })).status).toBe(403)
  })

  test('nobody changes what is somebody else’s [ACC-7]', async () => {
    const [alice, bob, eve] = [await app.person('alice'), await discoverable('bob'), await app.person('eve')]
    const made = await make(alice, { account_ids: [bob.accountId] })
    const path = `/api/v1/collections/${made.id}`
    expect((await eve.patch(path, { name: 'mine' })).status).toBe(404)
    expect((await eve.delete(path)).status).toBe(404)
    expect((await eve.post(`${path}/items`, { account_id: bob.accountId })).status).toBe(404)
    expect((await eve.delete(`${path}/items/${made.items[0].id}`)).status).toBe(404)
    expect((await alice.get(path)).ok().collection).toEqual(made)
  })
})

test('a page of collections takes the same queries whatever is in it', async () => {
  const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
  const count = () => app.countQueries(() => alice.get(`/api/v1/accounts/${alice.accountId}/collections`))
  await make(alice)
  // The first look finds nothing of her in memory.
  await count()
  const one = await count()
  for (let n = 0; n < 4; n++) await make(alice, { account_ids: [bob.accountId] })
  expect(await count()).toEqual(one)
})
