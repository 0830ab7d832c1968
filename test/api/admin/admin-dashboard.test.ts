// The numbers that staff see. Each test has its own days: nothing of another one is in them.
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countDays, countToday } from '#domain/maintenance/dashboard/refresh-counts.ts'
import { readStats } from '#domain/maintenance/dashboard/stats.ts'
import { formatSize } from '#views/maintenance/admin-dashboard.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { insertMedia } from '#test/people/status-parts.ts'
import { noon } from '#test/people/trending.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const measures = '/api/v1/admin/measures'
const dimensions = '/api/v1/admin/dimensions'
const retention = '/api/v1/admin/retention'
let admin: Person
let start = noon

beforeAll(async () => {
  app.clock.set(noon)
  admin = await app.person('admin', { role: 'Admin' })
})

beforeEach(() => {
  start += days(60)
  app.clock.set(start)
})

/** The day so many days after that on which the test began. */
const day = (after: number) => new Date(start + days(after)).toISOString().slice(0, 10)
const count = () => countDays(app.ctx)
const measure = async (key: string, span: [from: number, to: number], more: Json = {}): Promise<Json> => {
  const dates = { start_at: day(span[0]), end_at: day(span[1]) }
  const [found] = (await admin.post(measures, { keys: [key], ...dates, ...more })).ok()
  return found
}
const valuesOf = (found: Json) => found.data.map((one: Json) => one.value)
const parts = async (key: string, more: Json = {}): Promise<Record<string, string>> => {
  const dates = { start_at: day(-1), end_at: day(1) }
  const [found] = (await admin.post(dimensions, { keys: [key], ...dates, ...more })).ok()
  expect(found.key).toBe(key)
  return Object.fromEntries(found.data.map((one: Json) => [one.key, one.value]))
}

/** A post of another server's account, as ingestion leaves it. */
async function remotePost(accountId: AccountId, language: string | null = 'en'): Promise<string> {
  const id = app.ctx.newId()
  await sql`
    insert into statuses (id, account_id, content, visibility, local, language, uri, created_at)
    values (${id}, ${accountId}, 'hello', 'public', false, ${language}, ${`https://away.example/${id}`},
      ${new Date(app.clock.now())})`.execute(app.ctx.db)
  return id
}

describe('measures', () => {
  test('have a value for each day, a total and that of the span before', async () => {
    await app.person('early')
    app.clock.set(start + days(2))
    await app.person('late')
    await app.person('later')
    await count()
    const found = await measure('new_users', [1, 3])
    expect(found).toEqual({
      key: 'new_users',
      unit: null,
      total: '2',
      previous_total: '1',
      data: [
        { date: `${day(1)}T00:00:00.000Z`, value: '0' },
        { date: `${day(2)}T00:00:00.000Z`, value: '2' },
        { date: `${day(3)}T00:00:00.000Z`, value: '0' },
      ],
    })
    // The span before is as long and ends where this one begins.
    expect(await measure('new_users', [2, 4])).toMatchObject({ total: '2', previous_total: '3' })
    expect(await measure('new_users', [0, 2])).toMatchObject({ total: '3', previous_total: '1' })
  })

  test('of active people count each of them once for the whole span', async () => {
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    const visits: [after: number, people: Person[]][] = [
      [0, [ann]],
      [1, [ann, bob]],
      [3, [ann]],
    ]
    for (const [after, people] of visits) {
      app.clock.set(start + days(after))
      for (const person of people) (await person.get('/api/v1/accounts/verify_credentials')).ok()
    }
    await count()
    expect(await measure('active_users', [0, 3])).toMatchObject({ total: '2', previous_total: '1' })
    expect(valuesOf(await measure('active_users', [0, 3]))).toEqual(['1', '2', '0', '1'])
    expect((await measure('active_users', [2, 3])).total).toBe('1')
    expect((await measure('active_users', [2, 2])).total).toBe('0')
    await admin.get('/api/v1/accounts/verify_credentials')
    await countToday(app.ctx)
    expect(valuesOf(await measure('active_users', [3, 3]))).toEqual(['2'])
  })

  test('of interactions: favourites and boosts of posts of this server, and answers by others', async () => {
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    const { id } = await ann.say('hello')
    await bob.post(`/api/v1/statuses/${id}/favourite`)
    await bob.post(`/api/v1/statuses/${id}/reblog`)
    await bob.say('indeed', { in_reply_to_id: id })
    await ann.say('and more', { in_reply_to_id: id })
    const away = await remoteAccount(app.ctx)
    const theirs = await remotePost(away.accountId)
    await bob.post(`/api/v1/statuses/${theirs}/favourite`)
    await count()
    expect(await measure('interactions', [0, 1])).toMatchObject({ total: '3', unit: null })
  })

  test('of reports: when they were made, and when they were dealt with', async () => {
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    for (const comment of ['one', 'two'])
      (await ann.post('/api/v1/reports', { account_id: bob.accountId, comment })).ok()
    app.clock.set(start + days(1))
    await sql`
      update reports set action_taken_at = ${new Date(app.clock.now())} where comment = 'one'`.execute(
      app.ctx.db,
    )
    await count()
    const dates = { start_at: day(0), end_at: day(1) }
    const both = { keys: ['resolved_reports', 'opened_reports'], ...dates }
    const [resolved, opened] = (await admin.post(measures, both)).ok()
    expect([resolved.key, ...valuesOf(resolved)]).toEqual(['resolved_reports', '0', '1'])
    expect([opened.key, ...valuesOf(opened)]).toEqual(['opened_reports', '2', '0'])
  })

  test('of a hashtag: its uses day by day, its accounts and other servers once for the whole span', async () => {
    const [ann, away] = [await app.person('ann'), await remoteAccount(app.ctx, 'tagged.example')]
    await ann.say('#counted once')
    await ann.say('#counted twice')
    await ann.say('#counted unseen', { visibility: 'private' })
    app.clock.set(start + days(1))
    await ann.say('#counted again')
    const post = await remotePost(away.accountId)
    const { id } = (await ann.get('/api/v1/tags/counted')).ok()
    await sql`insert into status_tags (tag_id, status_id) values (${id}, ${post})`.execute(app.ctx.db)
    await count()
    const uses = await measure('tag_uses', [0, 1], { tag_uses: { id } })
    expect([uses.total, uses.previous_total, ...valuesOf(uses)]).toEqual(['4', '2', '2', '2'])
    const accounts = await measure('tag_accounts', [0, 1], { tag_accounts: { id } })
    expect([accounts.total, ...valuesOf(accounts)]).toEqual(['2', '1', '2'])
    const servers = await measure('tag_servers', [0, 1], { tag_servers: { id } })
    expect([servers.total, ...valuesOf(servers)]).toEqual(['1', '0', '1'])
    const span = { start_at: day(-1), end_at: day(1), tag_servers: { id }, tag_languages: { id } }
    expect(await parts('tag_servers', span)).toEqual({ 'chat.example': '3', 'tagged.example': '1' })
    expect(
      Object.values(await parts('tag_languages', span))
        .map(Number)
        .reduce((a, b) => a + b),
    ).toBe(4)
  })

  test('of another server: what is new each day, and all that there is', async () => {
    const domain = 'measured.example'
    const [ann, away] = [await app.person('ann'), await remoteAccount(app.ctx, domain)]
    const other = await remoteAccount(app.ctx, domain)
    await sql`
      insert into follows (id, account_id, target_account_id) values
        (${app.ctx.newId()}, ${ann.accountId}, ${away.accountId}),
        (${app.ctx.newId()}, ${ann.accountId}, ${other.accountId}),
        (${app.ctx.newId()}, ${away.accountId}, ${ann.accountId})`.execute(app.ctx.db)
    for (const language of ['de', 'de', null]) await remotePost(away.accountId, language)
    ;(await ann.post('/api/v1/reports', { account_id: away.accountId })).ok()
    const file = await insertMedia(app.ctx, ann)
    await sql`
      update media_attachments set account_id = ${away.accountId}, original_bytes = 1900000, preview_bytes = 100000,
        cached_at = now() where id = ${file}`.execute(app.ctx.db)
    await count()
    const expected: Record<string, [days: string[], total: string]> = {
      instance_accounts: [['2', '0', '1'], '3'],
      instance_statuses: [['3', '0', '1'], '4'],
      instance_reports: [['1', '0', '0'], '1'],
      instance_follows: [['2', '0', '0'], '2'],
      instance_followers: [['1', '0', '0'], '1'],
    }
    app.clock.set(start + days(2))
    const third = await remoteAccount(app.ctx, domain)
    await remotePost(third.accountId)
    for (const again of [1, 2]) {
      await count()
      for (const [key, [values, total]] of Object.entries(expected)) {
        const found = await measure(key, [0, 2], { [key]: { domain: ' MEASURED.example' } })
        expect([again, key, found.total, ...valuesOf(found)]).toEqual([again, key, total, ...values])
        expect(found).not.toHaveProperty('previous_total')
      }
    }
    const media = await measure('instance_media_attachments', [0, 2], {
      instance_media_attachments: { domain },
    })
    expect(media).toMatchObject({ unit: 'bytes', total: '2000000', human_value: '1.91 MB' })
    const about = { instance_accounts: { domain }, instance_languages: { domain }, end_at: day(2) }
    expect(await parts('instance_languages', about)).toEqual({ de: '2', en: '1', und: '1' })
    const popular = await parts('instance_accounts', about)
    expect(Object.values(popular)).toEqual(['1', '1', '0'])
    const unknown = await measure('instance_statuses', [0, 1], {
      instance_statuses: { domain: 'no.example' },
    })
    expect(unknown).toMatchObject({ total: '0', data: [{ value: '0' }, { value: '0' }] })
  })

  test('catch up with days on which nothing was counted, and with what arrives late', async () => {
    const away = await remoteAccount(app.ctx, 'late.example')
    const late = async () => {
      const about = { instance_statuses: { domain: 'late.example' } }
      return measure('instance_statuses', [0, 1], about)
    }
    await count()
    await remotePost(away.accountId)
    app.clock.set(start + days(40))
    await count()
    expect(await late()).toMatchObject({ total: '1', data: [{ value: '1' }, { value: '0' }] })
    const { rows } = await sql`
      select 1 from daily_counts where name = 'counted' and day >= ${day(0)} and day < ${day(40)}`.execute(
      app.ctx.db,
    )
    expect(rows).toHaveLength(40)
    await sql`delete from daily_counts where day < ${day(38)}::date`.execute(app.ctx.db)
    // What is gone from a day that is looked at again is gone from its numbers.
    app.clock.set(start + days(41))
    const gone = await app.person('gone')
    await count()
    expect((await measure('new_users', [41, 41])).total).toBe('1')
    await sql`delete from accounts where id = ${gone.accountId}`.execute(app.ctx.db)
    app.clock.set(start + days(44))
    await count()
    expect((await measure('new_users', [41, 41])).total).toBe('0')
  })

  test('that are unknown are left out, asked twice are told once, in the order of asking', async () => {
    const keys = ['opened_reports', 'no_such', 'new_users', 'opened_reports']
    const found = (await admin.post(measures, { keys })).ok()
    expect(found.map((one: Json) => one.key)).toEqual(['opened_reports', 'new_users'])
    expect(found[0].data).toHaveLength(30)
    expect(found[0].data.at(-1).date).toBe(`${day(0)}T00:00:00.000Z`)
    expect((await admin.post(measures)).ok()).toEqual([])
    const form = new URLSearchParams([
      ['keys[]', 'tag_uses'],
      ['start_at', `${day(0)}T23:59:59+02:00`],
      ['end_at', `${day(0)} 03:00`],
      ['tag_uses[id]', (await admin.get('/api/v1/tags/none')).ok().id],
    ])
    expect((await admin.post(measures, form)).status).toBe(404)
  })

  test.each([
    [{ start_at: 'yesterday' }, 422],
    [{ start_at: '2031-02-30' }, 422],
    [{ start_at: '0001-01-01', end_at: '0001-01-02' }, 422],
    [{ start_at: '2031-01-02', end_at: '2031-01-01' }, 422],
    [{ start_at: '2029-01-01', end_at: '2031-01-02' }, 422],
    [{ start_at: '2029-01-01', end_at: '2031-01-01' }, 200],
    [{ keys: ['tag_uses'] }, 400],
    [{ keys: ['tag_uses'], tag_uses: 'x' }, 400],
    [{ keys: ['tag_uses'], tag_uses: { id: 'x' } }, 404],
    [{ keys: ['instance_follows'], instance_follows: { domain: '' } }, 400],
    [{ keys: ['instance_follows'], instance_follows: { domain: 'a b' } }, 422],
  ])('%j is answered with %i', async (params, status) => {
    expect((await admin.post(measures, { keys: ['new_users'], ...params })).status).toBe(status)
  })
})

describe('dimensions', () => {
  test('of people: the languages of those who were here, and by what they came', async () => {
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    await sql`update users set locale = 'de' where id = ${ann.userId}`.execute(app.ctx.db)
    for (const person of [ann, bob]) (await person.get('/api/v1/accounts/verify_credentials')).ok()
    const [found] = (await admin.post(dimensions, { keys: ['languages'], limit: 1 })).ok()
    expect(found.data).toEqual([{ key: 'en', human_key: 'English', value: '2' }])
    expect(await parts('languages')).toEqual({ de: '1', en: '2' })
    const { id } = (
      await app.anonymous.post('/api/v1/apps', { client_name: 'Finch', redirect_uris: 'urn:x' })
    ).ok()
    await sql`update users set created_by_application_id = ${id} where id = ${bob.userId}`.execute(app.ctx.db)
    const [sources] = (await admin.post(dimensions, { keys: ['sources'], start_at: day(0) })).ok()
    expect(sources.data).toEqual([
      { key: 'Finch', human_key: 'Finch', value: '1' },
      { key: 'web', human_key: 'Website', value: '1' },
    ])
  })

  test('of servers: those with the most posts, this one among them', async () => {
    const [ann, away] = [await app.person('ann'), await remoteAccount(app.ctx, 'talkative.example')]
    await ann.say('once')
    for (const _ of [1, 2, 3]) await remotePost(away.accountId)
    await count()
    expect(Object.entries(await parts('servers'))).toEqual([
      ['talkative.example', '3'],
      ['chat.example', '1'],
    ])
  })

  test('of the software: what it takes, and its versions', async () => {
    await insertMedia(app.ctx, admin)
    await sql`update media_attachments set original_bytes = 500 where account_id = ${admin.accountId}`.execute(
      app.ctx.db,
    )
    app.clock.advance(days(1))
    await count()
    const [space, versions] = (
      await admin.post(dimensions, { keys: ['space_usage', 'software_versions'] })
    ).ok()
    const sizes = Object.fromEntries(space.data.map((one: Json) => [one.key, one]))
    expect(sizes.postgresql).toMatchObject({
      human_key: 'PostgreSQL',
      unit: 'bytes',
      human_value: expect.stringMatching(/ MB$/),
    })
    expect(Number(sizes.media.value)).toBeGreaterThanOrEqual(500)
    expect(Object.keys(sizes)).toEqual(['postgresql', 'media', 'media_cache'])
    const known = Object.fromEntries(versions.data.map((one: Json) => [one.key, one.human_value]))
    expect(known).toMatchObject({
      node: process.versions.node,
      postgresql: expect.stringMatching(/^\d+\.\d+$/),
    })
    expect(known.stonechat).toMatch(/^\d+\.\d+\.\d+/)
  })

  test('of large servers are told as they were last night', async () => {
    const [ann, away] = [await app.person('ann'), await remoteAccount(app.ctx, 'large.example')]
    await sql`
      insert into accounts (id, username, domain, uri)
      select ${app.ctx.newId()}::bigint + n, 'many' || n, 'large.example', 'https://large.example/' || n
      from generate_series(1, 600) n`.execute(app.ctx.db)
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${ann.accountId}, ${away.accountId})`.execute(app.ctx.db)
    const about = { instance_accounts: { domain: 'large.example' } }
    expect(await parts('instance_accounts', about)).toEqual({})
    app.clock.set(start + days(1))
    await count()
    expect(await parts('instance_accounts', about)).toEqual({ [away.acct.split('@')[0] as string]: '1' })
  })
})

describe('retention', () => {
  const visit = async (after: number, ...people: Person[]) => {
    app.clock.set(start + days(after))
    for (const person of people) (await person.get('/api/v1/accounts/verify_credentials')).ok()
  }

  test('of days: who of those who signed up on one was here on each later one', async () => {
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    await visit(0, ann, bob)
    await visit(1, ann)
    const cyd = await app.person('cyd')
    await visit(2, ann, bob, cyd)
    await count()
    const cohorts = (await admin.post(retention, { start_at: day(0), end_at: day(2), frequency: 'day' })).ok()
    const row = (after: number, value: string, rate: number) => ({
      date: `${day(after)}T00:00:00.000Z`,
      value,
      rate,
    })
    expect(cohorts).toEqual([
      {
        period: `${day(0)}T00:00:00.000Z`,
        frequency: 'day',
        data: [row(0, '2', 1), row(1, '1', 0.5), row(2, '2', 1)],
      },
      { period: `${day(1)}T00:00:00.000Z`, frequency: 'day', data: [row(1, '0', 0), row(2, '1', 1)] },
      { period: `${day(2)}T00:00:00.000Z`, frequency: 'day', data: [row(2, '0', 0)] },
    ])
  })

  test('of months: nobody counts twice in one', async () => {
    const first = new Date(start)
    start = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 10, 12)
    app.clock.set(start)
    const [ann, bob] = [await app.person('ann'), await app.person('bob')]
    await visit(0, ann, bob)
    await visit(2, ann, bob)
    await visit(40, ann)
    await visit(42, ann)
    await count()
    const asked = { start_at: day(0), end_at: day(42), frequency: 'month' }
    const cohorts = (await admin.post(retention, asked)).ok()
    const month = (after: number) => `${day(after).slice(0, 7)}-01T00:00:00.000Z`
    expect(cohorts.map((cohort: Json) => cohort.period)).toEqual([month(0), month(40)])
    expect(cohorts[0]).toEqual({
      period: month(0),
      frequency: 'month',
      data: [
        { date: month(0), value: '2', rate: 1 },
        { date: month(40), value: '1', rate: 0.5 },
      ],
    })
  })

  test.each([
    [{}, 400],
    [{ start_at: '2031-01-01' }, 400],
    [{ start_at: '2031-01-01', end_at: 'x' }, 422],
    [{ start_at: '2031-01-01', end_at: '2031-04-03' }, 422],
    [{ start_at: '2031-01-01', end_at: '2031-04-02', frequency: 'year' }, 200],
    [{ start_at: '2031-01-01', end_at: '2032-04-02', frequency: 'month' }, 200],
    [{ start_at: '2031-01-01', end_at: '2035-04-02', frequency: 'month' }, 422],
  ])('%j is answered with %i', async (params, status) => {
    expect((await admin.post(retention, params)).status).toBe(status)
  })
})

test('the command line has the main numbers', async () => {
  const [ann, bob] = [await app.person('ann'), await app.person('bob')]
  const { id } = await ann.say('hello')
  await bob.post(`/api/v1/statuses/${id}/favourite`)
  ;(await ann.post('/api/v1/reports', { account_id: bob.accountId })).ok()
  await remoteAccount(app.ctx, 'known.example')
  app.clock.set(start + days(1))
  await count()
  const stats = await readStats(app.ctx)
  expect(stats).toMatchObject({
    active_users: { day: 0, week: 2 },
    new_users: { week: 2 },
    interactions: 1,
    pending_users: 0,
    space: { postgresql: expect.any(Number), media: expect.any(Number), media_cache: expect.any(Number) },
  })
  expect(stats.users).toBeGreaterThanOrEqual(3)
  expect(stats.posts).toBeGreaterThanOrEqual(1)
  expect(stats.open_reports).toBeGreaterThanOrEqual(1)
  expect(stats.known_servers).toBeGreaterThanOrEqual(1)
})

test('only staff with the permission and the scope get in, before anything is read', async () => {
  const alice = await app.person('alice')
  const writing = await app.withScopes(admin, ['read', 'admin:write', 'admin:read:accounts'])
  await alice.get('/api/v1/accounts/verify_credentials')
  for (const path of [measures, dimensions, retention]) {
    const params = { keys: ['new_users', 'languages'], start_at: 'x', end_at: 'y' }
    expect((await app.anonymous.post(path, params)).status).toBe(401)
    expect((await alice.post(path, params)).status).toBe(403)
    expect((await writing.post(path, params)).status).toBe(403)
    const asked = await app.countQueries(() => alice.post(path, params))
    expect(asked.filter((one) => /daily_counts|activity_gaps|retention_counts|from tags/.test(one))).toEqual(
      [],
    )
  }
  app.clock.advance(hours(2))
})

test.each([
  [0, '0 Bytes'],
  [1, '1 Byte'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1_972_544, '1.88 MB'],
  [14_924_935, '14.2 MB'],
  [837_837_315_424, '780 GB'],
  [1_048_575, '1020 KB'],
  [1_048_576, '1 MB'],
])('%i bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text))

test('numbers go when nobody can ask for them any more', async () => {
  // Far from the days of other tests, which are counted again meanwhile.
  start += days(2000)
  app.clock.set(start)
  const person = await app.person('keeper')
  await person.say('#kept')
  const tag = (await person.get('/api/v1/tags/kept')).ok().id
  const put = (ago: number) =>
    sql`
    with day as (select ${day(-ago)}::date as day),
    a as (insert into activity_gaps (day, gap, users) select day, 3, 1 from day),
    h as (insert into host_daily_counts (host, name, day, count) select 'kept.example', 'statuses', day, 1 from day),
    r as (insert into retention_counts (cohort, day, users, first_in_month) select day, day, 1, 1 from day),
    t as (insert into tag_daily_counts (tag_id, name, day, count) select ${tag}, 'uses', day, 1 from day),
    u as (insert into user_activity (user_id, day)
      select id, day from users, day where account_id = ${person.accountId})
    select`.execute(app.ctx.db)
  for (const ago of [99, 101, 730, 732, 1461, 1463]) await put(ago)
  await count()
  const left = async (table: string) => {
    const { rows } = await sql<{ ago: number }>`
      select ${day(0)}::date - day as ago from ${sql.table(table)}
      where day = any(${[99, 101, 730, 732, 1461, 1463].map((ago) => day(-ago))}::date[]) order by 1`.execute(
      app.ctx.db,
    )
    return rows.map(({ ago }) => ago)
  }
  expect(await left('tag_daily_counts')).toEqual([99])
  expect(await left('host_daily_counts')).toEqual([99, 101, 730])
  for (const table of ['activity_gaps', 'retention_counts', 'user_activity'])
    expect(await left(table)).toEqual([99, 101, 730, 732, 1461])
})
