import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const path = '/api/v2/notifications'

const people = (count: number, name = 'fan') =>
  Promise.all(Array.from({ length: count }, () => app.person(name)))

async function like(post: Json, fans: readonly Person[], verb = 'favourite'): Promise<void> {
  for (const fan of fans) {
    ;(await fan.post(`/api/v1/statuses/${post.id}/${verb}`)).ok()
    await app.settle()
  }
}

async function resultsOf(person: Person, query: Record<string, unknown> = {}): Promise<Json> {
  await app.settle()
  return (await person.get(path, query)).ok()
}

const groupsOf = async (person: Person, query: Record<string, unknown> = {}): Promise<Json[]> =>
  (await resultsOf(person, query)).notification_groups
const listOf = async (person: Person, query: Record<string, unknown> = {}): Promise<Json[]> =>
  (await person.get('/api/v1/notifications', { limit: 80, ...query })).ok()
const brief = (group: Json) => [group.type, group.notifications_count]
const idsOf = (list: Json[]): string[] => list.map((one) => one.id)

/** Two boosts, three favourites, a mention and a follow, in this order. */
async function varied() {
  const [reader, fans] = [await app.person('reader'), await people(3)]
  const [ann, bea, cas] = fans as [Person, Person, Person]
  const post = await reader.say('mine')
  await like(post, [ann, bea], 'reblog')
  await like(post, [ann, bea, cas])
  const mention = await ann.say(`@${reader.username} hi`)
  await app.settle()
  await cas.follow(reader)
  await app.settle()
  return { reader, post, mention, ann, bea, cas }
}

describe('groups', () => {
  test('stand for several notifications, with what they speak of beside them', async () => {
    const { reader, post, mention, ann, bea, cas } = await varied()
    const results = await resultsOf(reader)
    const groups: Json[] = results.notification_groups
    expect(groups.map(brief)).toEqual([
      ['follow', 1],
      ['mention', 1],
      ['favourite', 3],
      ['reblog', 2],
    ])
    const single = await listOf(reader)
    const likes = single.filter((one) => one.type === 'favourite')
    expect(groups[2]).toEqual({
      group_key: likes[0].group_key,
      notifications_count: 3,
      type: 'favourite',
      most_recent_notification_id: likes[0].id,
      page_min_id: likes[2].id,
      page_max_id: likes[0].id,
      latest_page_notification_at: likes[0].created_at,
      sample_account_ids: [cas.accountId, bea.accountId, ann.accountId],
      status_id: post.id,
    })
    expect(groups[1]).toMatchObject({
      group_key: `ungrouped-${groups[1].page_max_id}`,
      status_id: mention.id,
      sample_account_ids: [ann.accountId],
    })
    expect('status_id' in groups[0]).toBe(false)
    expect(idsOf(results.accounts).toSorted()).toEqual([ann, bea, cas].map((one) => one.accountId).toSorted())
    expect(idsOf(results.statuses)).toEqual([mention.id, post.id])
    expect('partial_accounts' in results).toBe(false)
    expect(single.map((one) => [one.type, one.group_key])).toEqual(
      groups.flatMap((group) =>
        Array.from({ length: group.notifications_count }, () => [group.type, group.group_key]),
      ),
    )
  })

  test('show the latest eight accounts, and fully only the first of each where that is asked', async () => {
    const [reader, fans] = [await app.person('reader'), await people(10)]
    await like(await reader.say('mine'), fans)
    const newest = fans.toReversed().map((fan) => fan.accountId)
    const full = await resultsOf(reader)
    expect(full.notification_groups[0]).toMatchObject({
      notifications_count: 10,
      sample_account_ids: newest.slice(0, 8),
    })
    expect(idsOf(full.accounts)).toEqual(newest.slice(0, 8))
    const partial = await resultsOf(reader, { expand_accounts: 'partial_avatars' })
    expect(idsOf(partial.accounts)).toEqual(newest.slice(0, 1))
    expect(idsOf(partial.partial_accounts)).toEqual(newest.slice(1, 8))
    expect(partial.partial_accounts[0]).toEqual({
      id: newest[1],
      acct: fans[8]?.username,
      locked: false,
      bot: false,
      url: expect.any(String),
      avatar: expect.any(String),
      avatar_static: expect.any(String),
      avatar_description: '',
    })
    const bad = await reader.get(path, { expand_accounts: 'some' })
    expect([bad.status, bad.body.error]).toEqual([422, expect.any(String)])
  })

  test('leave out those who are muted or suspended, in the count as in the sample [ACC-13]', async () => {
    const [reader, fans] = [await app.person('reader'), await people(4)]
    const [, , muted, suspended] = fans as [Person, Person, Person, Person]
    await like(await reader.say('mine'), fans)
    ;(await reader.post(`/api/v1/accounts/${muted.accountId}/mute`)).ok()
    await sql`update accounts set suspended_at = now(), version = version + 1 where id = ${suspended.accountId}`.execute(
      app.ctx.db,
    )
    const [group] = await groupsOf(reader)
    expect(group.notifications_count).toBe(2)
    expect(group.sample_account_ids).toEqual([fans[1]?.accountId, fans[0]?.accountId])
    expect(await listOf(reader)).toHaveLength(2)
    expect(idsOf((await reader.get(`${path}/${group.group_key}/accounts`)).ok())).toEqual(
      group.sample_account_ids,
    )
  })

  test('begin anew after twelve hours', async () => {
    const [reader, fans] = [await app.person('reader'), await people(3)]
    const post = await reader.say('mine')
    await like(post, fans.slice(0, 2))
    app.clock.advance(hours(13))
    await like(post, fans.slice(2))
    expect((await groupsOf(reader)).map(brief)).toEqual([
      ['favourite', 1],
      ['favourite', 2],
    ])
  })

  test('only of the kinds that the app groups', async () => {
    const { reader } = await varied()
    const grouped = await groupsOf(reader, { grouped_types: ['favourite', 'nonsense'] })
    expect(grouped.map(brief)).toEqual([
      ['follow', 1],
      ['mention', 1],
      ['favourite', 3],
      ['reblog', 1],
      ['reblog', 1],
    ])
    const [, , , first, second] = grouped
    expect([first.group_key, second.group_key]).toEqual([
      `ungrouped-${first.page_max_id}`,
      `ungrouped-${second.page_max_id}`,
    ])
    expect((await groupsOf(reader, { grouped_types: ['mention'] })).length).toBe(7)
  })

  test('as types, exclude_types, account_id and include_filtered choose', async () => {
    const { reader, ann, bea } = await varied()
    expect((await groupsOf(reader, { types: ['favourite', 'mention'] })).map(brief)).toEqual([
      ['mention', 1],
      ['favourite', 3],
    ])
    expect((await groupsOf(reader, { types: ['reblog'] })).map(brief)).toEqual([['reblog', 2]])
    expect((await groupsOf(reader, { exclude_types: ['favourite', 'reblog'] })).map(brief)).toEqual([
      ['follow', 1],
      ['mention', 1],
    ])
    const ofBea = await groupsOf(reader, { account_id: bea.accountId })
    expect(ofBea.map((group) => [...brief(group), group.sample_account_ids])).toEqual([
      ['favourite', 1, [bea.accountId]],
      ['reblog', 1, [bea.accountId]],
    ])
    expect(await groupsOf(reader, { account_id: '42' })).toEqual([])
    await sql`update notifications set filtered = true
      where account_id = ${reader.accountId} and from_account_id = ${ann.accountId}`.execute(app.ctx.db)
    expect((await groupsOf(reader)).map(brief)).toEqual([
      ['follow', 1],
      ['favourite', 2],
      ['reblog', 1],
    ])
    const all = await groupsOf(reader, { include_filtered: true })
    expect(all.map((group) => [...brief(group), group.filtered ?? false])).toEqual([
      ['follow', 1, false],
      ['mention', 1, true],
      ['favourite', 3, false],
      ['reblog', 2, false],
    ])
  })

  test('whose status a filter hides are left out, and what follows is shown [ACC-13] [2.2-29]', async () => {
    const [reader, sender] = [await app.person('reader'), await app.person('sender')]
    await sender.say(`@${reader.username} plain`)
    await app.settle()
    for (let i = 0; i < 3; i++) await sender.say(`@${reader.username} petrichor ${i}`)
    const filter = { title: 'x', context: ['notifications'], filter_action: 'hide' }
    const keywords_attributes = [{ keyword: 'petrichor', whole_word: false }]
    await app.settle()
    const hidden = await listOf(reader)
    ;(await reader.post('/api/v2/filters', { ...filter, keywords_attributes })).ok()
    for (const version of ['v1', 'v2']) {
      const answer = await reader.get(`/api/${version}/notifications`, { limit: 2 })
      const found = version === 'v1' ? answer.body : answer.body.notification_groups
      expect(found.map((one: Json) => one.type)).toEqual(['mention'])
      expect((await reader.get(`/api/${version}/notifications/unread_count`)).ok()).toEqual({ count: 1 })
    }
    expect((await reader.get(`/api/v1/notifications/${hidden[0].id}`)).status).toBe(404)
    expect((await reader.get(`${path}/ungrouped-${hidden[0].id}`)).status).toBe(404)
  })
})

describe('pages of groups', () => {
  /** Notifications of a reader from 1 (oldest) on, each `a`, `b` … a favourite of that post, `.` a mention. */
  async function pattern(acts: string) {
    const reader = await app.person('reader')
    const posts = new Map<string, Json>()
    for (const name of new Set(acts.replaceAll('.', ''))) posts.set(name, await reader.say(`post ${name}`))
    const names = new Map([...posts].map(([name, post]) => [post.id, name]))
    for (const act of acts) {
      const fan = await app.person('fan')
      if (act === '.') await fan.say(`@${reader.username} hi`)
      else await like(posts.get(act), [fan])
      await app.settle()
    }
    const ids = idsOf(await listOf(reader)).toReversed()
    const show = (group: Json) => [
      names.get(group.status_id) ?? '.',
      ids.indexOf(group.page_min_id) + 1,
      ids.indexOf(group.page_max_id) + 1,
      group.notifications_count,
      ids.indexOf(group.most_recent_notification_id) + 1,
    ]
    const read = async (target: string, query?: Record<string, unknown>) => {
      const answer = await reader.get(target, query)
      return { shown: answer.ok().notification_groups.map(show), links: answer.links }
    }
    return { reader, ids, read }
  }

  test('are ranges of notifications: a group that goes on comes again', async () => {
    const { ids, read } = await pattern('ab.aab')
    // Newest first: 6 b, 5 a, 4 a, 3 ., 2 b, 1 a.
    const first = await read(path, { limit: 2 })
    expect(first.shown).toEqual([
      ['b', 6, 6, 2, 6],
      ['a', 5, 5, 3, 5],
    ])
    const second = await read(first.links['next'] as string)
    expect(second.shown).toEqual([
      ['a', 4, 4, 3, 5],
      ['.', 3, 3, 1, 3],
    ])
    const third = await read(second.links['next'] as string)
    expect(third.shown).toEqual([
      ['b', 2, 2, 2, 6],
      ['a', 1, 1, 3, 5],
    ])
    const back = await read(third.links['prev'] as string)
    expect(back.shown).toEqual([
      ['a', 4, 4, 3, 5],
      ['.', 3, 3, 1, 3],
    ])
    expect((await read(third.links['next'] as string)).shown).toEqual([])
    expect((await read(path, { since_id: ids[2] })).shown).toEqual([
      ['b', 6, 6, 2, 6],
      ['a', 4, 5, 3, 5],
    ])
    expect((await read(path, { min_id: ids[0], limit: 3 })).shown).toEqual([
      ['a', 4, 4, 3, 5],
      ['.', 3, 3, 1, 3],
      ['b', 2, 2, 2, 6],
    ])
    expect((await read(path, { max_id: ids[4], min_id: ids[1] })).shown).toEqual([
      ['a', 4, 4, 3, 5],
      ['.', 3, 3, 1, 3],
    ])
  })

  test('walking them meets every notification once, from either end', async () => {
    const { ids, read } = await pattern('aabab.cacab.cca')
    for (const [start, link] of [
      [{ limit: 3 }, 'next'],
      [{ limit: 3, min_id: '0' }, 'prev'],
    ] as const) {
      const met = new Set<number>()
      let page = await read(path, start)
      const ranges: string[] = []
      while (page.shown.length > 0) {
        const ends = page.shown.flatMap(([, least, max]: number[]) => [least, max]) as number[]
        const [low, high] = [Math.min(...ends), Math.max(...ends)]
        ranges.push(`${low}-${high}`)
        for (let n = low; n <= high; n++) {
          expect(met.has(n)).toBe(false)
          met.add(n)
        }
        const target = page.links[link]
        if (target === undefined) break
        page = await read(target)
      }
      expect(ranges.length).toBeGreaterThan(2)
      expect(met.size).toBe(ids.length)
    }
  })

  test('end early when thousands belong to one group, and still lead on', async () => {
    const { reader, ids } = await pattern('.a')
    const { rows } = await sql<{ group_key: string; status_id: string }>`
      select group_key, status_id from notifications where id = ${ids[1]}`.execute(app.ctx.db)
    const [{ group_key: key, status_id: statusId }] = rows as [Json]
    await sql`
      with fans as (
        insert into accounts (id, username, domain)
        select 5000 + i, 'crowd' || i, 'crowd.example' from generate_series(1, 6000) i returning id)
      insert into notifications (account_id, from_account_id, type, status_id, group_key)
      select ${reader.accountId}, id, 'favourite', ${statusId}, ${key} from fans`.execute(app.ctx.db)
    const first = await reader.get(path)
    expect(first.ok().notification_groups.map(brief)).toEqual([['favourite', 6001]])
    const second = await reader.get(first.links['next'] as string)
    expect(second.ok().notification_groups.map(brief)).toEqual([
      ['favourite', 6001],
      ['mention', 1],
    ])
    const up = await reader.get(path, { min_id: '0' })
    expect(up.ok().notification_groups.map(brief)).toEqual([
      ['favourite', 6001],
      ['mention', 1],
    ])
    expect(up.links['prev']).toBeDefined()
    expect((await reader.get(`${path}/unread_count`)).ok()).toEqual({ count: 1 })
  })

  test('have 40 by default, 80 at most, and take the same number of queries however many', async () => {
    const reader = await app.person('reader')
    const senders = await people(5, 'sender')
    const posts: Json[] = []
    for (let i = 0; i < 82; i++) posts.push(await reader.say(`post ${i}`))
    for (const sender of senders.slice(0, 2)) {
      for (const post of posts) (await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    }
    await app.settle()
    expect(await groupsOf(reader)).toHaveLength(40)
    expect(await groupsOf(reader, { limit: 100 })).toHaveLength(80)
    const page = (limit: number) => async () => {
      const { notification_groups } = (await reader.get(path, { limit })).ok()
      expect(notification_groups).toHaveLength(limit)
    }
    // Settings are read again every second.
    const count = async (limit: number) =>
      (await app.countQueries(page(limit))).filter((query) => !query.includes('from settings')).length
    await page(40)()
    const few = await count(20)
    expect(await count(40)).toBe(few)
    expect(few).toBeLessThanOrEqual(6)
  })
})

describe('one group', () => {
  test('is shown without a page, with its accounts, and dismissed as a whole [ACC-7]', async () => {
    const { reader, post, ann, bea, cas, mention } = await varied()
    const groups = await groupsOf(reader)
    const likes = groups.find((group) => group.type === 'favourite')
    const alone = (await reader.get(`${path}/${likes.group_key}`)).ok()
    const { page_min_id: _, page_max_id: __, latest_page_notification_at: ___, ...unpaged } = likes
    expect(alone.notification_groups).toEqual([unpaged])
    expect(idsOf(alone.statuses)).toEqual([post.id])
    expect(idsOf(alone.accounts)).toEqual([cas, bea, ann].map((one) => one.accountId))
    const accounts = await reader.get(`${path}/${likes.group_key}/accounts`, { limit: 2 })
    expect(idsOf(accounts.ok())).toEqual([cas.accountId, bea.accountId])
    expect(idsOf((await reader.get(accounts.links['next'] as string)).ok())).toEqual([ann.accountId])
    const single = groups.find((group) => group.type === 'mention')
    expect((await reader.get(`${path}/${single.group_key}`)).ok().notification_groups[0].status_id).toBe(
      mention.id,
    )
    for (const key of [likes.group_key, single.group_key]) {
      expect((await ann.get(`${path}/${key}`)).status).toBe(404)
      expect((await ann.get(`${path}/${key}/accounts`)).ok()).toEqual([])
      expect((await ann.post(`${path}/${key}/dismiss`)).ok()).toEqual({})
    }
    expect(await listOf(reader)).toHaveLength(7)
    expect((await reader.post(`${path}/${likes.group_key}/dismiss`)).ok()).toEqual({})
    expect((await reader.post(`${path}/${single.group_key}/dismiss`)).ok()).toEqual({})
    expect((await groupsOf(reader)).map(brief)).toEqual([
      ['follow', 1],
      ['reblog', 2],
    ])
    for (const key of [likes.group_key, 'nonsense', 'ungrouped-nonsense', 'ungrouped-1']) {
      expect((await reader.get(`${path}/${key}`)).status).toBe(404)
    }
    expect((await reader.post(`${path}/clear`)).ok()).toEqual({})
    expect(await listOf(reader)).toEqual([])
  })
})

describe('unread_count', () => {
  test('counts groups that have something newer than the marker, up to a limit', async () => {
    const { reader, post, mention } = await varied()
    const count = async (query = {}) => (await reader.get(`${path}/unread_count`, query)).ok().count
    expect([await count(), await count({ limit: 2 }), await count({ types: ['reblog'] })]).toEqual([4, 2, 1])
    expect(await count({ grouped_types: ['reblog'] })).toBe(6)
    const single = await listOf(reader)
    const marked = single.find((one) => one.status?.id === mention.id)
    ;(await reader.post('/api/v1/markers', { notifications: { last_read_id: marked.id } })).ok()
    expect(await count()).toBe(1)
    await like(post, await people(2))
    expect(await count()).toBe(2)
    expect((await reader.get('/api/v1/notifications/unread_count')).ok().count).toBe(3)
  })

  test('wants a token with the right scope', async () => {
    const person = await app.person()
    const wrong = await app.withScopes(person, ['read:statuses', 'write:statuses', 'follow'])
    for (const end of ['', '/unread_count', '/policy', '/follow-1', '/follow-1/accounts']) {
      expect((await app.anonymous.get(path + end)).status).toBe(401)
      expect((await wrong.get(path + end)).status).toBe(403)
    }
    for (const end of ['/clear', '/follow-1/dismiss']) {
      expect((await app.anonymous.post(path + end)).status).toBe(401)
      expect((await wrong.post(path + end)).status).toBe(403)
    }
  })
})
