import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()
let made = 0
const newTag = () => `Fame${++made}`

test('a featured tag is counted as its owner posts, edits and deletes [4-98]', async () => {
  const alice = await app.person('alice')
  const tag = newTag()
  const first = await alice.say(`before #${tag}`)
  await alice.say(`hidden #${tag}`, { visibility: 'private' })
  const featured = (await alice.post('/api/v1/featured_tags', { name: `#${tag}` })).ok()
  expect(featured).toEqual({
    id: expect.any(String),
    name: tag,
    url: `https://chat.example/@${alice.username}/tagged/${tag.toLowerCase()}`,
    statuses_count: '1',
    last_status_at: new Date(app.clock.now()).toISOString().slice(0, 10),
  })
  const second = await alice.say(`after #${tag.toUpperCase()}`, { visibility: 'unlisted' })
  await alice.say(`not counted #${tag}`, { visibility: 'direct' })
  const own = async () => (await alice.get('/api/v1/featured_tags')).ok()
  expect(await own()).toMatchObject([{ id: featured.id, statuses_count: '2' }])
  ;(await alice.delete(`/api/v1/statuses/${second.id}`)).ok()
  expect(await own()).toMatchObject([{ statuses_count: '1' }])
  expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}/featured_tags`)).ok()).toEqual(
    await own(),
  )
  ;(await alice.delete(`/api/v1/statuses/${first.id}`)).ok()
  expect(await own()).toMatchObject([{ statuses_count: '0', last_status_at: null }])
  expect((await alice.get(`/api/v1/tags/${tag}`)).ok()).toMatchObject({ featuring: true, following: false })
  ;(await alice.delete(`/api/v1/featured_tags/${featured.id}`)).ok()
  expect(await own()).toEqual([])
})

test('ten tags may be featured, each once', async () => {
  const alice = await app.person('alice')
  const tags = Array.from({ length: 10 }, newTag)
  for (const tag of tags) (await alice.post(`/api/v1/tags/${tag}/feature`)).ok()
  expect((await alice.post(`/api/v1/tags/${tags[0]}/feature`)).ok()).toMatchObject({ featuring: true })
  const refused = await alice.post('/api/v1/featured_tags', { name: newTag() })
  expect([refused.status, refused.body.error]).toEqual([
    422,
    'Validation failed: You have already featured the maximum number of hashtags',
  ])
  expect((await alice.post(`/api/v1/tags/${tags[0]}/unfeature`)).ok()).toMatchObject({ featuring: false })
  ;(await alice.post('/api/v1/featured_tags', { name: newTag() })).ok()
  expect((await alice.get('/api/v1/featured_tags')).ok()).toHaveLength(10)
})

test('suggestions are the tags used most that are not featured', async () => {
  const alice = await app.person('alice')
  const [often, once, shown] = [newTag(), newTag(), newTag()]
  await alice.say(`#${often} #${shown}`)
  await alice.say(`#${often} #${once} #${shown}`)
  ;(await alice.post('/api/v1/featured_tags', { name: shown })).ok()
  const suggested = (await alice.get('/api/v1/featured_tags/suggestions')).ok()
  expect(suggested.map((tag: Json) => tag.name)).toEqual([often, once])
})

test('what is somebody else’s, or bad, is refused [ACC-7]', async () => {
  const [alice, eve] = [await app.person('alice'), await app.person('eve')]
  const featured = (await alice.post('/api/v1/featured_tags', { name: newTag() })).ok()
  expect((await eve.delete(`/api/v1/featured_tags/${featured.id}`)).status).toBe(404)
  expect((await alice.get('/api/v1/featured_tags')).ok()).toHaveLength(1)
  for (const [params, problem] of [
    [{}, "Name can't be blank"],
    [{ name: '' }, "Name can't be blank"],
    [{ name: '#' }, 'Name is invalid'],
    [{ name: '123' }, 'Name is invalid'],
  ] as const) {
    const wrong = await alice.post('/api/v1/featured_tags', params)
    expect([params, wrong.status, wrong.body.error]).toEqual([params, 422, `Validation failed: ${problem}`])
  }
  expect((await app.anonymous.get('/api/v1/accounts/1/featured_tags')).status).toBe(404)
})
