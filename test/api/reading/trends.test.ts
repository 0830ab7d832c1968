import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { listTrendingTags } from '#domain/reading/trends/queries.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { reviewAuthor, reviewLink, reviewStatus, reviewTag } from '#domain/reading/trends/review.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { applaud, crowd, discoverable, noon, pageCard, share } from '#test/people/trending.ts'
import { asId, type PreviewCardId, type StatusId, type TagId } from '#lib/id.ts'

const app = useApp()
let fans: Person[]
let start = noon

beforeAll(async () => {
  app.clock.set(noon)
  fans = await crowd(app, 8)
})

beforeEach(async () => {
  // A week later nothing of the test before is left.
  start += days(7)
  app.clock.set(start)
  for (const key of ['trendable_by_default', 'trends'] as const) await setSetting(app.ctx, key, true)
  await refreshTrends(app.ctx)
})

const use = async (people: readonly Person[], tag: string, options: Record<string, unknown> = {}) => {
  for (const person of people) await person.say(`about #${tag}`, options)
}
const refresh = () => refreshTrends(app.ctx)
const names = async (client: Client = app.anonymous, query: Record<string, unknown> = {}) =>
  (await client.get('/api/v1/trends/tags', query)).ok().map((tag: Json) => tag.name)
const urls = async (client: Client = app.anonymous) =>
  (await client.get('/api/v1/trends/links')).ok().map((link: Json) => link.url)
const statuses = async (client: Client = app.anonymous) =>
  (await client.get('/api/v1/trends/statuses')).ok().map((status: Json) => status.id)
const tagScore = async (name: string) => {
  const { rows } = await sql<{ score: number; peak: number }>`
    select k.score, k.peak from tag_trends k join tags t on t.id = k.tag_id where t.name = ${name}`.execute(
    app.ctx.db,
  )
  return rows[0]
}
const mark = (person: Person, values: Record<string, Date | boolean | null>) =>
  app.ctx.db
    .updateTable('accounts')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', person.accountId)
    .execute()

describe('tags', () => {
  test('five people on a day make a trend, with its history; four and their many posts do not [4-48]', async () => {
    await use(fans.slice(0, 5), 'Blossom')
    await use([...fans.slice(0, 4), ...fans.slice(0, 4)], 'noise')
    await refresh()
    const [tag, ...rest] = (await app.anonymous.get('/api/v1/trends/tags')).ok()
    expect(rest).toEqual([])
    expect(tag).toMatchObject({ name: 'Blossom', url: 'https://chat.example/tags/blossom' })
    expect(tag.history).toHaveLength(7)
    const midnight = String(Math.floor(start / days(1)) * 86_400)
    expect(tag.history[0]).toEqual({ day: midnight, uses: '5', accounts: '5' })
    expect((await app.anonymous.get('/api/v1/trends')).ok()).toEqual([tag])
    expect((await fans[0]!.get('/api/v1/trends/tags')).ok()[0]).toMatchObject({
      following: false,
      featuring: false,
    })
  })

  test('more than yesterday is needed; the best score halves in four hours and is kept for two days', async () => {
    await use(fans.slice(0, 7), 'daily')
    app.clock.set(start + hours(24))
    await use(fans.slice(0, 6), 'daily')
    await use(fans.slice(0, 6), 'fresh')
    await refresh()
    expect(await names()).toEqual(['fresh'])
    expect(await tagScore('fresh')).toEqual({ score: 25, peak: 25 })
    app.clock.set(start + hours(28))
    await refresh()
    expect((await tagScore('fresh'))?.score).toBeCloseTo(12.5, 2)
    app.clock.set(start + hours(24 + 20))
    await refresh()
    expect((await tagScore('fresh'))?.score).toBeLessThan(1)
    expect(await names()).toEqual([])
    app.clock.set(start + hours(24 + 49))
    await refresh()
    expect(await tagScore('fresh')).toBeUndefined()
  })

  test('a second run at the same time changes nothing', async () => {
    await use(fans.slice(0, 5), 'twice')
    const card = await pageCard(app.ctx, 'https://news.example/twice')
    const [first] = await share(app, fans.slice(0, 5), card)
    await applaud(fans.slice(1, 7), first!)
    const frozen = app.clock.now()
    const tables = ['tag_trends', 'link_trends', 'status_trends']
    const read = async () =>
      Promise.all(
        tables.map(
          async (name) => (await sql`select * from ${sql.table(name)} order by 1`.execute(app.ctx.db)).rows,
        ),
      )
    const still = { ...app.ctx, clock: { now: () => frozen } }
    await refreshTrends(still)
    const before = await read()
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1])
    await refreshTrends(still)
    expect(await read()).toEqual(before)
  })

  test('limit, offset and links: the stronger first [4-49]', async () => {
    await use(fans.slice(0, 5), 'small')
    await use(fans, 'large')
    await use(fans.slice(0, 6), 'middle')
    await refresh()
    expect(await names()).toEqual(['large', 'middle', 'small'])
    const page = await app.anonymous.get('/api/v1/trends/tags', { limit: 1, offset: 1 })
    expect(page.ok().map((tag: Json) => tag.name)).toEqual(['middle'])
    expect(page.links).toEqual({
      next: '/api/v1/trends/tags?limit=1&offset=2',
      prev: '/api/v1/trends/tags?limit=1&offset=0',
    })
    expect(await names(app.anonymous, { offset: 3 })).toEqual([])
    expect(await names(app.anonymous, { offset: 'x', limit: 'y' })).toHaveLength(3)
  })

  test('the viewer’s languages come first', async () => {
    await use(fans.slice(0, 5), 'kirschen', { language: 'de' })
    await use(fans.slice(0, 7), 'cherries', { language: 'en' })
    await refresh()
    const reader = await app.person('reader')
    expect(await names(reader)).toEqual(['cherries', 'kirschen'])
    await sql`update users set chosen_languages = '{de}' where id = ${reader.userId}`.execute(app.ctx.db)
    expect(await names(reader)).toEqual(['kirschen', 'cherries'])
    expect(await names()).toEqual(['cherries', 'kirschen'])
  })

  test('nothing trends before it is approved, nor after it is rejected', async () => {
    await setSetting(app.ctx, 'trendable_by_default', false)
    await use(fans.slice(0, 5), 'waiting')
    await refresh()
    expect(await names()).toEqual([])
    const { id } = (await app.anonymous.get('/api/v1/tags/waiting')).ok()
    const all = await listTrendingTags(app.ctx, null, { limit: 10, offset: 0, unreviewed: true })
    expect(all.map((tag) => tag.id)).toEqual([id])
    await reviewTag(app.ctx, 'operator', id, true)
    expect(await names()).toEqual(['waiting'])
    await setSetting(app.ctx, 'trendable_by_default', true)
    await reviewTag(app.ctx, 'operator', id, false)
    expect(await names()).toEqual([])
    await expect(reviewTag(app.ctx, 'operator', asId<TagId>('1'), true)).rejects.toThrow('Record not found')
  })

  test('what is not public, is warned of or comes from limited accounts does not count [ACC-14] [ACC-16]', async () => {
    const [first, ...others] = fans.slice(0, 5)
    for (const [tag, options] of Object.entries({
      unlisted: { visibility: 'unlisted' },
      private: { visibility: 'private' },
      nsfw: { sensitive: true },
      warned: { spoiler_text: 'careful' },
    })) {
      await use(others, tag)
      await use([first!], tag, options)
    }
    await use(fans.slice(0, 5), 'kept')
    await use(others, 'limited')
    const limited = await discoverable(app, 'limited')
    await mark(limited, { silenced_at: new Date() })
    await use([limited], 'limited')
    await refresh()
    expect(await names()).toEqual(['kept'])
    await sql`update tags set usable = false where name = 'kept'`.execute(app.ctx.db)
    expect(await names()).toEqual([])
  })
})

describe('links', () => {
  const url = 'https://news.example/story'

  test('pages that five people link to, as cards with their history', async () => {
    const cardId = await pageCard(app.ctx, url)
    await share(app, fans.slice(0, 5), cardId)
    await share(app, fans.slice(0, 4), await pageCard(app.ctx, 'https://news.example/four'))
    await refresh()
    const [link, ...rest] = (await app.anonymous.get('/api/v1/trends/links')).ok()
    expect(rest).toEqual([])
    expect(link).toMatchObject({ url, title: 'A story', type: 'link', provider_name: 'The News' })
    expect(link.history).toHaveLength(7)
    expect(link.history[0]).toMatchObject({ uses: '5', accounts: '5' })
    app.clock.set(start + hours(8))
    await refresh()
    const { rows } = await sql<{
      score: number
    }>`select score from link_trends where card_id = ${cardId}`.execute(app.ctx.db)
    expect(rows[0]?.score).toBeCloseTo(8, 1)
  })

  test('other addresses of the same page count with it', async () => {
    const canonical = { canonical_url: 'https://news.example/same' }
    const one = await pageCard(app.ctx, 'https://news.example/same?from=a', canonical)
    const two = await pageCard(app.ctx, 'https://news.example/same?from=b', canonical)
    await share(app, fans.slice(0, 3), one)
    await share(app, fans.slice(2, 6), two)
    await refresh()
    const [link, ...rest] = (await app.anonymous.get('/api/v1/trends/links')).ok()
    expect(rest).toEqual([])
    expect(link.url).toBe('https://news.example/same')
    expect(link.history[0]).toMatchObject({ uses: '7', accounts: '6' })
  })

  test('only whole previews, from posts without a warning by accounts in good standing [ACC-16]', async () => {
    const lacking = { title: '', language: null, image_key: null, provider_name: '', type: 'video' }
    for (const [name, value] of Object.entries(lacking)) {
      await share(app, fans.slice(0, 5), await pageCard(app.ctx, `${url}/${name}`, { [name]: value }))
    }
    const options = {
      nsfw: { sensitive: true },
      warned: { spoiler_text: 'x' },
      hidden: { visibility: 'private' },
    }
    for (const [name, option] of Object.entries(options)) {
      const card = await pageCard(app.ctx, `${url}/${name}`)
      await share(app, fans.slice(0, 4), card)
      await share(app, fans.slice(4, 5), card, option)
    }
    const suspended = await app.person('suspended')
    await share(app, [...fans.slice(0, 4), suspended], await pageCard(app.ctx, `${url}/suspended`))
    await mark(suspended, { suspended_at: new Date() })
    await refresh()
    expect(await urls()).toEqual([])
  })

  test('nothing trends before it is approved', async () => {
    await setSetting(app.ctx, 'trendable_by_default', false)
    const cardId = await pageCard(app.ctx, `${url}/reviewed`)
    await share(app, fans.slice(0, 5), cardId)
    await refresh()
    expect(await urls()).toEqual([])
    await reviewLink(app.ctx, 'operator', asId<PreviewCardId>(cardId), true)
    expect(await urls()).toEqual([`${url}/reviewed`])
    await reviewLink(app.ctx, 'operator', asId<PreviewCardId>(cardId), false)
    expect(await urls()).toEqual([])
  })
})

describe('statuses', () => {
  test('five favourites and boosts, one status of each account, the most liked first', async () => {
    const [one, two] = [await discoverable(app, 'one'), await discoverable(app, 'two')]
    const [liked, better, other, four] = [
      await one.say('liked'),
      await one.say('better'),
      await two.say('other'),
      await fans[7]!.say('four'),
    ]
    await applaud(fans.slice(0, 5), liked.id)
    await applaud(fans.slice(0, 6), better.id)
    await applaud(fans.slice(0, 4), other.id)
    for (const fan of fans.slice(4, 8)) (await fan.post(`/api/v1/statuses/${other.id}/reblog`)).ok()
    await applaud(fans.slice(0, 4), four.id)
    await refresh()
    expect(await statuses()).toEqual([other.id, better.id])
    const page = await app.anonymous.get('/api/v1/trends/statuses', { limit: 1 })
    expect(page.links).toEqual({ next: '/api/v1/trends/statuses?limit=1&offset=1' })
    app.clock.set(start + hours(1))
    await refresh()
    const { rows } = await sql<{ score: number }>`
      select score from status_trends where status_id = ${better.id}`.execute(app.ctx.db)
    expect(rows[0]?.score).toBeCloseTo(12.5, 1)
    app.clock.set(start + hours(12))
    await refresh()
    expect(await statuses()).toEqual([])
  })

  test('public, no reply, nothing to warn of, by somebody who wants to be found [ACC-14] [ACC-16]', async () => {
    const author = await discoverable(app, 'author')
    const parent = await author.say('parent')
    const { id: shy } = await (await app.person('shy')).say('not to be found')
    const posts = [
      await author.say('unlisted', { visibility: 'unlisted' }),
      await author.say('sensitive', { sensitive: true }),
      await author.say('warned', { spoiler_text: 'careful' }),
      await author.say('reply', { in_reply_to_id: parent.id }),
    ].map((status) => status.id)
    for (const id of [...posts, shy]) await applaud(fans.slice(0, 6), id)
    await refresh()
    expect(await statuses()).toEqual([])
    await applaud(fans.slice(0, 6), parent.id)
    await refresh()
    expect(await statuses()).toEqual([parent.id])
    for (const column of ['silenced_at', 'suspended_at', 'sensitized_at']) {
      await mark(author, { [column]: new Date() })
      expect([column, await statuses()]).toEqual([column, []])
      await refresh()
      await mark(author, { [column]: null })
      expect(await statuses()).toEqual([])
      await refresh()
      expect(await statuses()).toEqual([parent.id])
    }
    await mark(author, { discoverable: false })
    expect(await statuses()).toEqual([])
    await mark(author, { discoverable: true })
    ;(
      await author.put(`/api/v1/statuses/${parent.id}`, { status: 'parent', spoiler_text: 'now warned' })
    ).ok()
    expect(await statuses()).toEqual([])
  })

  test('for this server’s people alone means not for all the world [ACC-16]', async () => {
    await setSetting(app.ctx, 'local_only_statuses', true)
    const author = await discoverable(app, 'local')
    const { id } = await author.say('among us #inside', { local_only: true })
    for (const fan of fans.slice(0, 5)) await fan.say('#inside', { local_only: true })
    await share(app, fans.slice(0, 5), await pageCard(app.ctx, 'https://news.example/inside'), {
      local_only: true,
    })
    await applaud(fans.slice(0, 6), id)
    await refresh()
    for (const read of [statuses, names, urls]) expect(await read(fans[0])).toEqual([])
    const { history } = (await fans[0]!.get('/api/v1/tags/inside')).ok()
    expect(history[0]).toMatchObject({ uses: '0', accounts: '0' })
    await setSetting(app.ctx, 'local_only_statuses', false)
  })

  test('a quote of what may not trend does not trend', async () => {
    const [author, quoted] = [await discoverable(app, 'author'), await discoverable(app, 'quoted')]
    const target = await quoted.say('shocking', { sensitive: true })
    const { id } = await author.say('see', { quoted_status_id: target.id })
    await applaud(fans.slice(0, 6), id)
    await refresh()
    expect(await statuses()).toEqual([])
  })

  test('nobody whom the viewer blocks, mutes, hides or is blocked by [ACC-4]', async () => {
    const author = await discoverable(app, 'author')
    const { id } = await author.say('seen by some')
    await applaud(fans.slice(0, 6), id)
    await refresh()
    const reader = await app.person('reader')
    expect(await statuses(reader)).toEqual([id])
    for (const [one, other, verb] of [
      [reader, author, 'block'],
      [reader, author, 'mute'],
      [author, reader, 'block'],
    ] as const) {
      ;(await one.post(`/api/v1/accounts/${other.accountId}/${verb}`)).ok()
      expect(await statuses(reader)).toEqual([])
      ;(await one.post(`/api/v1/accounts/${other.accountId}/un${verb}`)).ok()
    }
    expect(await statuses(reader)).toEqual([id])
    expect(await statuses()).toEqual([id])
  })

  test('nothing trends before it or its author is approved; a rejected one makes room for the next', async () => {
    await setSetting(app.ctx, 'trendable_by_default', false)
    const author = await discoverable(app, 'author')
    const [best, next] = [await author.say('best'), await author.say('next')]
    await applaud(fans.slice(0, 7), best.id)
    await applaud(fans.slice(0, 6), next.id)
    await refresh()
    expect(await statuses()).toEqual([])
    await reviewAuthor(app.ctx, 'operator', author.accountId, true)
    expect(await statuses()).toEqual([best.id])
    await reviewStatus(app.ctx, 'operator', asId<StatusId>(best.id), false)
    expect(await statuses()).toEqual([])
    await refresh()
    expect(await statuses()).toEqual([next.id])
    await reviewAuthor(app.ctx, 'operator', author.accountId, false)
    expect(await statuses()).toEqual([])
    await reviewStatus(app.ctx, 'operator', asId<StatusId>(next.id), true)
    expect(await statuses()).toEqual([next.id])
  })

  test('a deleted status is gone at once', async () => {
    const author = await discoverable(app, 'author')
    const { id } = await author.say('short-lived')
    await applaud(fans.slice(0, 6), id)
    await refresh()
    ;(await author.delete(`/api/v1/statuses/${id}`)).ok()
    expect(await statuses()).toEqual([])
  })
})

test('trends that are off are empty, and nothing is computed', async () => {
  await use(fans.slice(0, 5), 'silent')
  await setSetting(app.ctx, 'trends', false)
  await refresh()
  expect(await tagScore('silent')).toBeUndefined()
  await setSetting(app.ctx, 'trends', true)
  await refresh()
  expect(await names()).toEqual(['silent'])
  await setSetting(app.ctx, 'trends', false)
  for (const path of ['trends', 'trends/tags', 'trends/links', 'trends/statuses']) {
    expect((await app.anonymous.get(`/api/v1/${path}`)).ok()).toEqual([])
  }
})

test('a token must be good, whatever its scopes', async () => {
  for (const path of ['trends', 'trends/tags', 'trends/links', 'trends/statuses']) {
    const headers = { authorization: 'Bearer nonsense' }
    expect((await app.fetch(`/api/v1/${path}`, { headers })).status).toBe(401)
    expect((await (await app.withScopes(fans[0]!, ['push'])).get(`/api/v1/${path}`)).status).toBe(200)
  }
})

test('queries do not grow with the list', async () => {
  const read = async () => {
    const counts: number[] = []
    for (const path of ['tags', 'links', 'statuses']) {
      const queries = await app.countQueries(() => fans[0]!.get(`/api/v1/trends/${path}`))
      // Settings are read again when a second has gone by.
      counts.push(queries.filter((query) => !query.includes('from settings')).length)
    }
    return counts
  }
  const fill = async (round: number) => {
    await use(fans.slice(0, 5), `round${round}`)
    await share(app, fans.slice(0, 5), await pageCard(app.ctx, `https://news.example/round/${round}`))
    const author = await discoverable(app, 'author')
    await applaud(fans.slice(0, 5), (await author.say('x')).id)
    await refresh()
    await fans[0]!.get('/api/v1/trends/statuses')
  }
  await fill(1)
  const few = await read()
  for (const round of [2, 3, 4]) await fill(round)
  expect([await names(), await urls(), await statuses()].map((list) => list.length)).toEqual([4, 4, 4])
  expect(await read()).toEqual(few)
})
