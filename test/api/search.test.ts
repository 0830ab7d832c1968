import { expect, test } from 'vitest'
import { useApp } from '#test/app.ts'
import type { Json } from '#test/client.ts'

const app = useApp()
const ids = (list: Json[]) => list.map((item) => item.id)

test('finds accounts by the beginning of their names, the exact handle first [4-59]', async () => {
  const alice = await app.person('findme')
  const other = await app.person('x', { username: `${alice.username}more` })
  const found = (await alice.get('/api/v2/search', { q: alice.username })).ok()
  expect(ids(found.accounts)).toEqual([alice.accountId, other.accountId])
  const named = (await alice.get('/api/v2/search', { q: `@${alice.username}@chat.example` })).ok()
  expect(named.accounts[0].id).toBe(alice.accountId)
})

test('finds hashtags by their beginning, and statuses by their address', async () => {
  const alice = await app.person('alice')
  const posted = await alice.say('#Wintersonne #wintermond')
  const found = (await alice.get('/api/v2/search', { q: '#winter' })).ok()
  expect(found.hashtags.map((tag: Json) => tag.name).toSorted()).toEqual(['Wintersonne', 'wintermond'])
  for (const q of [posted.url, posted.uri]) {
    expect(ids((await alice.get('/api/v2/search', { q })).ok().statuses)).toEqual([posted.id])
  }
})

test('ACC-4: finds no status that the viewer cannot see, nor anybody who is gone or blocks them', async () => {
  const [alice, eve] = [await app.person('seen'), await app.person('eve')]
  const hidden = await alice.say('followers', { visibility: 'private' })
  expect((await eve.get('/api/v2/search', { q: hidden.url })).ok().statuses).toEqual([])
  ;(await alice.post(`/api/v1/accounts/${eve.accountId}/block`)).ok()
  expect((await eve.get('/api/v2/search', { q: alice.username })).ok().accounts).toEqual([])
})

test('takes type, limit and offset, the last one only with a type and a user [4-60]', async () => {
  const alice = await app.person('alice')
  await alice.say('#paging1 #paging2 #paging3')
  const page = async (query: object) => (await alice.get('/api/v2/search', { q: 'paging', ...query })).ok()
  const first = await page({ type: 'hashtags', limit: 2 })
  const second = await page({ type: 'hashtags', limit: 2, offset: 2 })
  expect([...first.hashtags, ...second.hashtags].map((tag: Json) => tag.name).toSorted()).toEqual([
    'paging1',
    'paging2',
    'paging3',
  ])
  expect((await page({ type: 'accounts' })).hashtags).toEqual([])
  expect((await app.anonymous.get('/api/v2/search', { q: 'paging' })).ok().hashtags).toHaveLength(3)
})

test('bad and forbidden queries say why', async () => {
  const [alice, anonymous] = [await app.person('alice'), app.anonymous]
  expect((await alice.get('/api/v2/search')).status).toBe(400)
  expect((await alice.get('/api/v2/search', { q: ' ' })).status).toBe(400)
  expect((await anonymous.get('/api/v2/search', { q: 'a', offset: 1 })).status).toBe(401)
  expect((await anonymous.get('/api/v2/search', { q: 'a', resolve: true })).status).toBe(401)
  expect((await (await app.withScopes(alice, ['write'])).get('/api/v2/search', { q: 'a' })).status).toBe(403)
})
