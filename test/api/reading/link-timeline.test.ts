import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { reviewLink } from '#domain/reading/trends/review.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { crowd, discoverable, noon, pageCard, share } from '#test/people/trending.ts'
import { asId, type PreviewCardId } from '#lib/id.ts'

const app = useApp()
const closed = useApp({ env: { TIMELINE_PREVIEW: 'false' } })
const url = 'https://news.example/story'
const path = '/api/v1/timelines/link'
let fans: Person[]
let cardId: string
let posts: string[]

beforeAll(async () => {
  app.clock.set(noon)
  await setSetting(app.ctx, 'trendable_by_default', true)
  fans = await crowd(app, 5)
  cardId = await pageCard(app.ctx, url)
  posts = await share(app, fans, cardId)
  await refreshTrends(app.ctx)
})

const shown = async (client: Client = app.anonymous, query: Record<string, unknown> = {}) =>
  (await client.get(path, { url, ...query })).ok().map((status: Json) => status.id)

describe('posts with a link that trends', () => {
  test('newest first, with paging', async () => {
    expect(await shown()).toEqual(posts.toReversed())
    expect(await shown(fans[0])).toEqual(posts.toReversed())
    const page = await app.anonymous.get(path, { url, limit: 2 })
    expect(page.ok().map((status: Json) => status.id)).toEqual([posts[4], posts[3]])
    expect((await app.anonymous.get(page.links['next']!)).ok().map((status: Json) => status.id)).toEqual([
      posts[2],
      posts[1],
    ])
    expect(await shown(app.anonymous, { min_id: posts[1], limit: 1 })).toEqual([posts[2]])
    expect(await shown(app.anonymous, { since_id: posts[3] })).toEqual([posts[4]])
    expect((await app.anonymous.get(path, { url })).ok()[0].card.url).toBe(url)
  })

  test('public ones only, of people in good standing who want to be found [ACC-4] [ACC-14]', async () => {
    const before = await shown()
    const [shy, limited] = [await app.person('shy'), await discoverable(app, 'limited')]
    await share(app, [shy, limited], cardId)
    await app.ctx.db
      .updateTable('accounts')
      .set({ silenced_at: new Date() })
      .where('id', '=', limited.accountId)
      .execute()
    for (const visibility of ['unlisted', 'private', 'direct'])
      await share(app, [fans[0]!], cardId, { visibility })
    ;(await fans[1]!.post(`/api/v1/statuses/${posts[0]}/reblog`)).ok()
    for (const client of [app.anonymous, fans[0]!, shy]) expect(await shown(client)).toEqual(before)
    const [reply] = await share(app, [fans[2]!], cardId, { in_reply_to_id: posts[0] })
    expect(await shown()).toEqual([reply, ...before])
    ;(await fans[2]!.delete(`/api/v1/statuses/${reply}`)).ok()
  })

  test('nobody whom the viewer blocks, mutes or is blocked by, and the viewer’s languages [ACC-4]', async () => {
    const reader = await app.person('reader')
    ;(await reader.post(`/api/v1/accounts/${fans[0]!.accountId}/block`)).ok()
    ;(await reader.post(`/api/v1/accounts/${fans[1]!.accountId}/mute`)).ok()
    ;(await fans[2]!.post(`/api/v1/accounts/${reader.accountId}/block`)).ok()
    expect(await shown(reader)).toEqual([posts[4], posts[3]])
    await app.ctx.db
      .updateTable('users')
      .set({ chosen_languages: ['fi'] })
      .where('id', '=', reader.userId)
      .execute()
    expect(await shown(reader)).toEqual([])
  })

  test('by any address of the page', async () => {
    const canonical = { canonical_url: 'https://news.example/canonical' }
    const one = await pageCard(app.ctx, 'https://news.example/canonical?a', canonical)
    const two = await pageCard(app.ctx, 'https://news.example/canonical?b', canonical)
    const ids = [...(await share(app, fans.slice(0, 3), one)), ...(await share(app, fans.slice(3), two))]
    await refreshTrends(app.ctx)
    const of = async (address: string) => await shown(app.anonymous, { url: address })
    expect(await of('https://news.example/canonical')).toEqual(ids.toReversed())
    expect(await of('https://news.example/canonical?a')).toEqual(ids.toReversed())
  })

  test('queries do not grow with the page', async () => {
    await shown(fans[0])
    const count = async (limit: number) => {
      const queries = await app.countQueries(() => shown(fans[0], { limit }))
      return queries.filter((query) => !query.includes('from settings')).length
    }
    expect(await count(5)).toBe(await count(1))
  })
})

test('404 for what does not trend, is not approved or is not given', async () => {
  const missing = await app.anonymous.get(path, { url: 'https://news.example/unheard-of' })
  expect([missing.status, missing.body]).toEqual([404, { error: 'Record not found' }])
  expect((await app.anonymous.get(path)).status).toBe(404)
  await reviewLink(app.ctx, 'operator', asId<PreviewCardId>(cardId), false)
  expect((await app.anonymous.get(path, { url })).status).toBe(404)
  await reviewLink(app.ctx, 'operator', asId<PreviewCardId>(cardId), true)
  await setSetting(app.ctx, 'trends', false)
  expect((await app.anonymous.get(path, { url })).status).toBe(404)
  await setSetting(app.ctx, 'trends', true)
  expect((await app.anonymous.get(path, { url })).status).toBe(200)
  app.clock.set(noon + hours(47))
  await refreshTrends(app.ctx)
  expect((await app.anonymous.get(path, { url })).status).toBe(404)
})

test('a token needs its scope, and strangers the public preview', async () => {
  const narrow = await app.withScopes(fans[0]!, ['read:accounts'])
  expect((await narrow.get(path, { url })).status).toBe(403)
  expect((await closed.anonymous.get(path, { url })).status).toBe(401)
  expect((await (await closed.person()).get(path, { url })).status).toBe(404)
})
