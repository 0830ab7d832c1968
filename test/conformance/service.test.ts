// What the specification says of the service as a whole, where no test of one part shows it.
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()
const limited = useApp({ env: { RATE_LIMITS: 'on' } })

test('people publish, favourite, reblog and bookmark, by JSON under /api/v1 [1-1] [1-3] [1-4] [1-5] [1-13]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const { id } = await alice.say('hello')
  for (const [verb, mark] of [
    ['favourite', 'favourited'],
    ['reblog', 'reblogged'],
    ['bookmark', 'bookmarked'],
  ]) {
    ;(await bob.post(`/api/v1/statuses/${id}/${verb}`)).ok()
    expect((await bob.get(`/api/v1/statuses/${id}`)).ok()).toMatchObject({ [mark!]: true })
  }
  const lists = ['/api/v1/favourites', '/api/v1/bookmarks']
  for (const list of lists) expect((await bob.get(list)).ok().map((one: Json) => one.id)).toEqual([id])
  const answer = await app.fetch(`/api/v1/statuses/${id}`)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
})

test('search is under /api/v2 and nowhere else [1-14] [9-2] [9-6]', async () => {
  const alice = await app.person('alice')
  expect((await alice.get(`/api/v2/search?q=${alice.username}`)).ok().accounts).toHaveLength(1)
  expect((await alice.get(`/api/v1/search?q=${alice.username}`)).status).toBe(404)
})

test('what was removed is not there: card, direct timeline, Salmon, PubSubHubbub [9-4] [9-5] [9-7] [1-16]', async () => {
  const alice = await app.person('alice')
  const { id } = await alice.say('hello')
  expect((await alice.get(`/api/v1/statuses/${id}/card`)).status).toBe(404)
  expect((await alice.get('/api/v1/timelines/direct')).status).toBe(404)
  for (const path of [
    `/api/salmon/${alice.accountId}`,
    '/api/push',
    `/api/subscriptions/${alice.accountId}`,
  ]) {
    expect((await app.fetch(path, { method: 'POST' })).status).toBe(404)
  }
  const finger = await app.fetch(`/.well-known/webfinger?resource=acct:${alice.username}@chat.example`)
  expect(await finger.text()).not.toMatch(/salmon|updates-from|hub/)
})

test('an application has a vapid_key, a string [2.2-20]', async () => {
  const made = await app.anonymous.post('/api/v1/apps', {
    client_name: 'app',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
  })
  expect(made.ok().vapid_key).toMatch(/^[\w-]{87}=?$/)
})

test('there are read, write, follow and push, and finer scopes [5-2] [5-3]', async () => {
  const answer = await app.fetch('/.well-known/oauth-authorization-server')
  const metadata = (await answer.json()) as Json
  expect(metadata.scopes_supported).toEqual(
    expect.arrayContaining(['read', 'write', 'follow', 'push', 'read:statuses', 'write:media']),
  )
  const alice = await app.person('alice')
  const reader = await app.withScopes(alice, ['read:statuses'])
  expect((await reader.get('/api/v1/timelines/home')).status).toBe(200)
  expect((await reader.get('/api/v1/bookmarks')).status).toBe(403)
})

test('a profile shows endorsed accounts [4-97]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await alice.follow(bob)
  ;(await alice.post(`/api/v1/accounts/${bob.accountId}/endorse`)).ok()
  const shown = (await app.anonymous.get(`/api/v1/accounts/${alice.accountId}/endorsements`)).ok()
  expect(shown.map((account: Json) => account.id)).toEqual([bob.accountId])
})

test('of a suspended account nothing is left to read [4-121]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await bob.follow(alice)
  await alice.say('hello #tag')
  ;(await alice.post('/api/v1/featured_tags', { name: 'tag' })).ok()
  ;(await alice.post('/api/v1/collections', { name: 'people' })).ok()
  await app.ctx.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(app.clock.now()) })
    .where('id', '=', alice.accountId)
    .execute()
  for (const list of ['statuses', 'followers', 'following', 'featured_tags', 'endorsements']) {
    const answer = await bob.get(`/api/v1/accounts/${alice.accountId}/${list}`)
    expect([list, answer.status, answer.body]).toEqual([list, 200, []])
  }
  const collections = await bob.get(`/api/v1/accounts/${alice.accountId}/collections`)
  expect(collections.ok()).toEqual({ collections: [] })
})

test('posting has a rate limit of its own [8-7]', async () => {
  const alice = await limited.person('alice')
  const answer = await alice.post('/api/v1/statuses', { status: 'hello' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ratelimit-limit')).toBe('300')
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('299')
})

test('reporting has a rate limit of its own [8-9]', async () => {
  const [alice, bob] = [await limited.person('alice'), await limited.person('bob')]
  const answer = await alice.post('/api/v1/reports', { account_id: bob.accountId })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ratelimit-limit')).toBe('400')
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('399')
})
