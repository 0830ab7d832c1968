import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { hours } from '#test/app/clock.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { changeStatus, insertCard } from '#test/people/status-parts.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/catch_up'
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)

let viewer: Person
let [loud, shy, third, tagger]: Person[] = []
let since: string
/** Statuses by what they are. */
const posts: Record<string, string> = {}

/** One evening: somebody who writes much, somebody who does not, a thread, a boosted post, a link that two share. */
beforeAll(async () => {
  ;[viewer, loud, shy, third, tagger] = [
    await app.person('viewer'),
    await app.person('loud'),
    await app.person('shy'),
    await app.person('third'),
    await app.person('tagger'),
  ]
  for (const followed of [loud, shy, third]) await viewer.follow(followed!)
  ;(await viewer.post('/api/v1/tags/evening/follow')).ok()
  await shy!.say('before')
  await app.settle()
  await viewer.get('/api/v1/timelines/home')
  app.clock.advance(hours(1))
  since = new Date(app.clock.now()).toISOString()
  app.clock.advance(1000)
  const say = async (name: string, who: Person, text: string, more = {}) => {
    posts[name] = (await who.say(text, more)).id
    app.clock.advance(1000)
  }
  for (let i = 0; i < 9; i++) await say(`loud${i}`, loud!, `news ${i} ${'x'.repeat(i * 20)}`)
  await say('quiet', shy!, 'hello')
  await say('root', third!, 'shall we?')
  await say('answer', loud!, 'yes', { in_reply_to_id: posts['root'] })
  await say('tagged', tagger!, 'sun #evening')
  await say('strange', tagger!, 'nobody follows me')
  posts['boost'] = (await loud!.post(`/api/v1/statuses/${posts['strange']}/reblog`)).ok().id
  await shy!.post(`/api/v1/statuses/${posts['strange']}/reblog`)
  await say('own', viewer, 'mine')
  ;(await viewer.post(`/api/v1/statuses/${posts['root']}/favourite`)).ok()
  await app.settle()
  await insertCard(app.ctx, posts['quiet']!, { title: 'Story', fetched_at: null })
  const { card_id: card } = await app.ctx.db
    .selectFrom('statuses')
    .select('card_id')
    .where('id', '=', asId<StatusId>(posts['quiet']!))
    .executeTakeFirstOrThrow()
  await changeStatus(app.ctx, posts['root']!, { card_id: card })
})

const overview = async (query = '', who = viewer): Promise<Json> =>
  (await who.get(`${path}?since=${since}${query}`)).ok()
const statuses = async (query: string): Promise<Json[]> =>
  (await viewer.get(`${path}/statuses?since=${since}&limit=40${query}`)).ok()
const named = (...names: string[]) => names.map((name) => posts[name])

describe('what was missed', () => {
  test('is told by people, those who say little first, and nothing of one’s own or of before', async () => {
    const found = await overview()
    expect(found.counts).toEqual({
      statuses: 14,
      authors: 4,
      originals: 11,
      replies: 1,
      reblogs: 1,
      followed_tags: 1,
      with_links: 2,
    })
    expect(found.complete).toBe(true)
    expect(found.authors.map((one: Json) => [one.account_id, one.quiet, one.statuses_count])).toEqual([
      [tagger!.accountId, true, 1],
      [third!.accountId, true, 1],
      [shy!.accountId, true, 1],
      [loud!.accountId, false, 11],
    ])
    const all = found.authors.flatMap((one: Json) => one.status_ids)
    expect(new Set(all).size).toBe(14)
    for (const name of ['own', 'strange']) expect(all).not.toContain(posts[name])
    expect(idsOf(found.accounts)).toEqual(
      expect.arrayContaining(found.authors.map((one: Json) => one.account_id)),
    )
  })

  test('has threads, links by how many shared them, and boosts by all who are followed', async () => {
    const found = await overview()
    expect(found.threads).toEqual([
      {
        statuses_count: 2,
        status_ids: named('root', 'answer'),
        account_ids: [loud!.accountId, third!.accountId],
      },
    ])
    expect(found.links).toMatchObject([
      { card: { title: 'Story' }, accounts_count: 2, status_ids: named('root', 'quiet') },
    ])
    expect(found.reblogged).toEqual([
      {
        status_id: posts['strange'],
        accounts_count: 2,
        account_ids: [shy!.accountId, loud!.accountId],
      },
    ])
  })

  test('ends where it is told to, and begins at an id as at a time', async () => {
    const first = await overview(`&until_id=${posts['quiet']}`)
    expect([first.counts.statuses, first.until_id]).toEqual([10, posts['quiet']])
    const later = (await viewer.get(`${path}?since_id=${posts['quiet']}`)).ok()
    expect([later.counts.statuses, later.since_id]).toEqual([4, posts['quiet']])
    const nothing = (await viewer.get(`${path}?since_id=${posts['own']}`)).ok()
    expect(nothing).toMatchObject({ until_id: null, counts: { statuses: 0 }, authors: [], accounts: [] })
    expect((await viewer.get(`${path}?since=yesterday`)).status).toBe(400)
  })

  test('leaves out whom one mutes meanwhile and what a filter hides', async () => {
    const fan = await app.person('fan')
    // Answers come with whom they answer followed before, and of two boosts of one post the one that came first.
    for (const followed of [third, loud, shy]) {
      await fan.follow(followed!)
      await app.settle()
    }
    expect((await overview('', fan)).counts.authors).toBe(3)
    ;(await fan.post(`/api/v1/accounts/${shy!.accountId}/mute`)).ok()
    const filter = { title: 'news', context: ['home'], filter_action: 'hide' }
    const keywords = { keywords_attributes: [{ keyword: 'news' }] }
    ;(await fan.post('/api/v2/filters', { ...filter, ...keywords })).ok()
    await app.settle()
    const found = await overview('', fan)
    expect(found.authors.map((one: Json) => one.account_id)).toEqual([third!.accountId, loud!.accountId])
    expect(found.authors[1].status_ids).toEqual(named('boost', 'answer'))
    expect(found.reblogged[0].account_ids).toEqual([loud!.accountId])
  })

  test('names nobody who is suspended', async () => {
    const admin = await app.person('admin', { role: 'Admin' })
    const boosters = async () => (await overview()).reblogged[0].account_ids
    expect(await boosters()).toEqual([shy!.accountId, loud!.accountId])
    const target = `/api/v1/admin/accounts/${shy!.accountId}`
    ;(await admin.post(`${target}/action`, { type: 'suspend' })).ok()
    await app.settle()
    expect(await boosters()).toEqual([loud!.accountId])
    ;(await admin.post(`${target}/unsuspend`)).ok()
    await app.settle()
    expect(await boosters()).toEqual([shy!.accountId, loud!.accountId])
  })

  test('is for people with the scope alone', async () => {
    expect((await app.anonymous.get(path)).status).toBe(401)
    const writer = await app.withScopes(viewer, ['write:statuses'])
    for (const target of [path, `${path}/statuses`]) expect((await writer.get(target)).status).toBe(403)
  })
})

describe('the statuses', () => {
  test('come in each order', async () => {
    const orders: Record<string, (string | undefined)[]> = {
      newest: named('boost', 'tagged', 'answer', 'root', 'quiet', 'loud8'),
      oldest: named('loud0', 'loud1', 'loud2'),
      author: named('tagged', 'root', 'quiet', 'boost', 'answer', 'loud8'),
      thread: named('boost', 'tagged', 'root', 'answer', 'quiet'),
      density: named('loud8', 'loud7'),
      replies: named('root'),
      reblogs: named('boost'),
      favourites: named('root', 'boost'),
    }
    for (const [order, wanted] of Object.entries(orders)) {
      const found = idsOf(await statuses(`&sort=${order}`))
      expect([order, found.length]).toEqual([order, 14])
      expect([order, found.slice(0, wanted.length)]).toEqual([order, wanted])
    }
  })

  test('are narrowed by kind, person, thread, link and quiet', async () => {
    const wanted: Record<string, (string | undefined)[]> = {
      'kinds[]=reply': named('answer'),
      'kinds[]=reblog&kinds[]=followed_tag': named('boost', 'tagged'),
      [`account_id=${shy!.accountId}`]: named('quiet'),
      [`thread_id=${posts['answer']}`]: named('answer', 'root'),
      [`link_of=${posts['quiet']}`]: named('root', 'quiet'),
      'with_links=true': named('root', 'quiet'),
      'quiet=true': named('tagged', 'root', 'quiet'),
      'quiet=true&kinds[]=original': named('root', 'quiet'),
      'thread_id=1': [],
    }
    for (const [query, ids] of Object.entries(wanted))
      expect([query, idsOf(await statuses(`&${query}`))]).toEqual([query, ids])
    expect((await viewer.get(`${path}/statuses?kinds[]=poem`)).status).toBe(422)
  })

  test('come page by page, by as many queries for 5 as for 10', async () => {
    const all = idsOf(await statuses('&sort=density'))
    const first = await viewer.get(`${path}/statuses?since=${since}&sort=density&limit=5`)
    const second = await viewer.get(first.links['next']!)
    expect([...idsOf(first.ok()), ...idsOf(second.ok())]).toEqual(all.slice(0, 10))
    const count = (limit: number) =>
      app.countQueries(() => viewer.get(`${path}/statuses?since=${since}&limit=${limit}`))
    expect(await count(10)).toHaveLength((await count(5)).length)
    const whole = (query: string) => app.countQueries(() => overview(query))
    const [few, many] = [await whole(`&until_id=${posts['loud3']}`), await whole('')]
    expect(many.length - few.length).toBeLessThanOrEqual(2)
  })
})
