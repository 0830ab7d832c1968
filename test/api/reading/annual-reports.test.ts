import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
/** The next whole year: ids of what is written in it must rise. */
const year = new Date().getUTCFullYear() + 1
const report = `/api/v1/annual_reports/${year}`

const stateOf = async (person: Person, of = year) =>
  (await person.get(`/api/v1/annual_reports/${of}/state`)).ok().state
const campaign = async () => (await app.anonymous.get('/api/v2/instance')).ok().wrapstodon

/** Somebody who has something to be told of. */
async function writer(name = 'writer'): Promise<Person> {
  const person = await app.person(name)
  await person.say('something')
  return person
}

async function reported(name?: string): Promise<Person> {
  const person = await writer(name)
  await person.post(`${report}/generate`)
  await app.settle()
  return person
}

/** Whether a statement would read a whole table that grows with the server. */
async function readsWhole(statement: string): Promise<boolean> {
  if (!/\b(statuses|follows) [sf]\b/.test(statement)) return false
  const { rows } = await sql.raw(`explain (generic_plan) ${statement}`).execute(app.ctx.db)
  return /Seq Scan on (statuses|status_stats|status_tags|tags|follows)\b/.test(JSON.stringify(rows))
}

/** What the year of alice was, whose report the tests read. */
const past = { boosted: '', liked: '' }
let alice: Person

beforeAll(async () => {
  app.clock.set(Date.UTC(year, 0, 1) - hours(1))
  alice = await app.person('alice')
  const [bob, carol] = [await app.person('bob'), await app.person('carol')]
  await alice.say('#Old news')
  app.clock.set(Date.UTC(year, 2, 31, 23, 30))
  const first = await alice.say('#Cats are #Great')
  await alice.say('#cats, quietly', { visibility: 'unlisted' })
  const secret = await alice.say('psst', { visibility: 'private' })
  await bob.follow(alice)
  app.clock.set(Date.UTC(year, 3, 1, 0, 30))
  const second = await alice.say('second', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  await alice.follow(carol)
  await carol.follow(alice)
  for (const person of [bob, carol]) await person.post(`/api/v1/statuses/${first.id}/reblog`)
  for (const person of [bob, carol]) await person.post(`/api/v1/statuses/${secret.id}/favourite`)
  await bob.post(`/api/v1/statuses/${first.id}/favourite`)
  await bob.post(`/api/v1/statuses/${second.id}/favourite`)
  await bob.say('fine', { in_reply_to_id: first.id })
  const deleted = await alice.say('#cats again')
  await alice.delete(`/api/v1/statuses/${deleted.id}`)
  Object.assign(past, { boosted: first.id, liked: second.id })
  await app.settle()
  app.clock.set(Date.UTC(year, 11, 9, 23, 59))
})

describe('before the tenth of December', () => {
  test('no report can be had', async () => {
    expect(await campaign()).toBe(null)
    expect(await stateOf(alice)).toBe('ineligible')
    const answer = await alice.post(`${report}/generate`)
    expect([answer.status, answer.body]).toEqual([200, {}])
    await app.settle()
    expect(await stateOf(alice)).toBe('ineligible')
    expect((await alice.get(report)).status).toBe(404)
  })
})

describe('from the tenth of December on', () => {
  beforeAll(() => app.clock.advance(hours(1)))

  test('a report is made for the asking, in the background, and sums up the year', async () => {
    expect(await campaign()).toBe(String(year))
    expect(await stateOf(alice)).toBe('eligible')
    const asked = await alice.post(`${report}/generate`)
    expect([asked.status, asked.body]).toEqual([202, {}])
    const refresh = asked.headers.get('mastodon-async-refresh')
    expect(refresh).toBe(`id="annual-report-${year}", retry=2`)
    expect(await stateOf(alice)).toBe('generating')
    const waiting = `/api/v1_alpha/async_refreshes/annual-report-${year}`
    expect((await alice.get(waiting)).ok().async_refresh.status).toBe('running')
    // Asked twice, made and told once.
    expect((await alice.post(`${report}/generate`)).status).toBe(202)
    expect((await alice.get(report)).status).toBe(404)
    expect((await alice.get('/api/v1/annual_reports')).ok().annual_reports).toEqual([])
    await app.settle()
    expect(await stateOf(alice)).toBe('available')
    expect((await alice.get(waiting)).ok().async_refresh).toEqual({
      id: `annual-report-${year}`,
      status: 'finished',
      result_count: null,
    })
    const { annual_reports, accounts, statuses } = (await alice.get(report)).ok()
    expect(annual_reports).toHaveLength(1)
    expect(annual_reports[0]).toMatchObject({
      year,
      schema_version: 2,
      account_id: alice.accountId,
      share_url: null,
    })
    expect(annual_reports[0].data).toEqual({
      archetype: 'lurker',
      top_statuses: { by_reblogs: past.boosted, by_favourites: past.liked, by_replies: null },
      time_series: expect.any(Array),
      top_hashtags: [
        { name: expect.stringMatching(/^cats$/i), count: 2 },
        { name: 'Great', count: 1 },
      ],
    })
    const series: Json[] = annual_reports[0].data.time_series
    expect(series.map((one) => one.month)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(series[2]).toEqual({ month: 3, statuses: 3, following: 0, followers: 1 })
    expect(series[3]).toEqual({ month: 4, statuses: 1, following: 1, followers: 1 })
    expect(series[11]).toEqual({ month: 12, statuses: 0, following: 0, followers: 0 })
    expect(accounts.map((account: Json) => account.id)).toEqual([alice.accountId])
    expect(statuses.map((status: Json) => status.id)).toEqual([past.boosted, past.liked])
    const told = (await alice.get('/api/v1/notifications', { types: ['annual_report'] })).ok()
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ annual_report: { year: String(year) }, account: { id: alice.accountId } })
  })

  test('one that was read is no longer among the new ones, but stays', async () => {
    const person = await reported()
    const unread = async () => (await person.get('/api/v1/annual_reports')).ok().annual_reports
    expect(await unread()).toHaveLength(1)
    expect((await person.post(`${report}/read`)).ok()).toEqual({})
    expect(await unread()).toEqual([])
    expect((await person.get(report)).ok().annual_reports).toHaveLength(1)
    expect(await stateOf(person)).toBe('available')
    const again = await person.post(`${report}/generate`)
    expect([again.status, again.body]).toEqual([200, {}])
  })

  test('there is none for those who published nothing, nor of other years', async () => {
    const [silent, person] = [await app.person('silent'), await writer()]
    await silent.say('only for friends', { visibility: 'private' })
    expect(await stateOf(silent)).toBe('ineligible')
    for (const other of [year - 1, year + 1, 0, 99999, '2O26', '-1']) {
      const of = `/api/v1/annual_reports/${other}`
      expect([other, (await person.get(`${of}/state`)).ok().state]).toEqual([other, 'ineligible'])
      expect((await person.post(`${of}/generate`)).status).toBe(200)
      expect((await person.get(of)).status).toBe(404)
      expect((await person.post(`${of}/read`)).status).toBe(404)
    }
    await app.settle()
    expect((await person.get('/api/v1/annual_reports')).ok().annual_reports).toEqual([])
    for (const id of ['annual-report-2019', 'x', `annual-report-${year}`]) {
      expect((await person.get(`/api/v1_alpha/async_refreshes/${id}`)).status).toBe(404)
    }
  })

  test('a report is its person’s alone [ACC-7]', async () => {
    const person = await reported()
    const other = await writer()
    expect((await other.get(report)).status).toBe(404)
    expect((await other.post(`${report}/read`)).status).toBe(404)
    expect((await other.get('/api/v1/annual_reports')).ok().annual_reports).toEqual([])
    expect((await person.get('/api/v1/annual_reports')).ok().annual_reports).toHaveLength(1)
  })

  test('a deleted status leaves the report without it', async () => {
    const [person, fan] = [await writer(), await app.person('fan')]
    const { id } = await person.say('to be boosted')
    await fan.post(`/api/v1/statuses/${id}/reblog`)
    await person.post(`${report}/generate`)
    await app.settle()
    ;(await person.delete(`/api/v1/statuses/${id}`)).ok()
    const shown = (await person.get(report)).ok()
    expect(shown.annual_reports[0].data.top_statuses.by_reblogs).toBe(id)
    expect(shown.statuses).toEqual([])
  })

  test('tokens need the right scopes', async () => {
    const person = await reported()
    const [reader, author] = [
      await app.withScopes(person, ['read:accounts']),
      await app.withScopes(person, ['write:accounts']),
    ]
    const reads = ['/api/v1/annual_reports', report, `${report}/state`]
    const writes = [`${report}/generate`, `${report}/read`]
    for (const path of reads) {
      expect([path, (await reader.get(path)).status]).toEqual([path, 200])
      expect([path, (await author.get(path)).status]).toEqual([path, 403])
      expect([path, (await app.anonymous.get(path)).status]).toEqual([path, 401])
    }
    for (const path of writes) {
      expect([path, (await author.post(path)).status]).toEqual([path, 200])
      expect([path, (await reader.post(path)).status]).toEqual([path, 403])
      expect([path, (await app.anonymous.post(path)).status]).toEqual([path, 401])
    }
    const waiting = `/api/v1_alpha/async_refreshes/annual-report-${year}`
    expect((await reader.get(waiting)).status).toBe(403)
    expect((await app.anonymous.get(waiting)).status).toBe(401)
  })

  test('nobody has one made where reports are off, but they keep those they have', async () => {
    const [person, late] = [await reported(), await writer()]
    await setSetting(app.ctx, 'wrapstodon', false)
    try {
      expect(await campaign()).toBe(null)
      expect(await stateOf(late)).toBe('ineligible')
      expect(await stateOf(person)).toBe('available')
    } finally {
      await setSetting(app.ctx, 'wrapstodon', true)
    }
  })

  test('one that never came can be asked for again', async () => {
    const person = await writer()
    await person.post(`${report}/generate`)
    await app.ctx.db.deleteFrom('outbox').execute()
    expect(await stateOf(person)).toBe('generating')
    app.clock.advance(hours(1))
    expect(await stateOf(person)).toBe('eligible')
    expect((await person.post(`${report}/generate`)).status).toBe(202)
    await app.settle()
    expect(await stateOf(person)).toBe('available')
  })

  test('it takes as many queries to make and to show, however much there is', async () => {
    const [few, many] = [await writer('few'), await writer('many')]
    for (let i = 0; i < 12; i += 1) {
      const { id } = await many.say(`#tag${i} #tag`)
      await few.post(`/api/v1/statuses/${id}/favourite`)
    }
    const [own] = (await few.get(`/api/v1/accounts/${few.accountId}/statuses`)).ok()
    await many.post(`/api/v1/statuses/${own.id}/favourite`)
    await app.settle()
    const make = async (person: Person) => {
      await person.post(`${report}/generate`)
      return app.countQueries(() => app.settle())
    }
    const show = (person: Person) => app.countQueries(() => person.get(report))
    const made = await make(many)
    expect((await make(few)).length).toBe(made.length)
    for (const statement of made) expect([statement, await readsWhole(statement)]).toEqual([statement, false])
    await show(few)
    await show(many)
    expect((await show(many)).length).toBe((await show(few)).length)
  })
})

describe('after the year', () => {
  beforeAll(() => app.clock.set(Date.UTC(year + 1, 0, 1)))

  test('it is over, and what was made stays', async () => {
    expect(await campaign()).toBe(null)
    expect(await stateOf(alice)).toBe('available')
    const late = await writer()
    expect([await stateOf(late), await stateOf(late, year + 1)]).toEqual(['ineligible', 'ineligible'])
    app.clock.advance(days(400))
    expect((await alice.get(report)).ok().annual_reports).toHaveLength(1)
  })
})
