import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApp, useApp, type TestApp } from '#test/app/app.ts'
import type { Json, Answer } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)
const home = async (person: Person) => idsOf((await person.get('/api/v1/timelines/home')).ok())

async function people(...names: string[]): Promise<Person[]> {
  return Promise.all(names.map((name) => app.person(name)))
}

describe('home', () => {
  test('what people one follows write arrives, at once for those with a feed and rebuilt for those without', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const before = await alice.say('before')
    await bob.follow(alice)
    await app.settle()
    expect(await home(bob)).toEqual([before.id])
    const after = await alice.say('after')
    await app.settle()
    expect(await home(bob)).toEqual([after.id, before.id])
    await app.ctx.db.deleteFrom('home_entries').execute()
    await app.ctx.db.deleteFrom('home_feeds').execute()
    expect(await home(bob)).toEqual([after.id, before.id])
  })

  test('a post and boosts of it that come all at once stand there once', async () => {
    const [alice, bob, carol, dan] = (await people('alice', 'bob', 'carol', 'dan')) as Person[] as [
      Person,
      Person,
      Person,
      Person,
    ]
    for (const one of [bob, carol, dan]) await alice.follow(one)
    await home(alice)
    await app.settle()
    const [his, strange] = [await bob.say('his'), await (await app.person('eve')).say('of a stranger')]
    const boosted: Json[] = []
    for (const status of [his, strange])
      for (const one of [carol, dan])
        boosted.push((await one.post(`/api/v1/statuses/${status.id}/reblog`)).ok())
    await app.settle()
    expect(await home(alice)).toEqual([boosted[2].id, his.id])
  })

  test('replies to people one does not follow stay out; those to oneself, to followed people and self-replies come', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await bob.follow(alice)
    await home(bob)
    const strangers = await carol.say('by a stranger')
    const mine = await bob.say('by me')
    const hidden = await alice.say('to a stranger', { in_reply_to_id: strangers.id })
    const toMe = await alice.say('to me', { in_reply_to_id: mine.id })
    const own = await alice.say('own')
    const self = await alice.say('to myself', { in_reply_to_id: own.id })
    await app.settle()
    const seen = await home(bob)
    expect(seen).toEqual([self.id, own.id, toMe.id, mine.id])
    expect(seen).not.toContain(hidden.id)
    await bob.follow(carol)
    const now = await alice.say('to one now followed', { in_reply_to_id: strangers.id })
    await app.settle()
    expect(await home(bob)).toContain(now.id)
  })

  test('boosts can be hidden, appear once, and not beside the original [2.2-10] [2.2-11]', async () => {
    const [alice, bob, carol, dave] = (await people('alice', 'bob', 'carol', 'dave')) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const original = await dave.say('boost me')
    await bob.follow(alice)
    await bob.follow(carol)
    await home(bob)
    const first = (await alice.post(`/api/v1/statuses/${original.id}/reblog`)).ok()
    await app.settle()
    await carol.post(`/api/v1/statuses/${original.id}/reblog`)
    await app.settle()
    expect(await home(bob)).toEqual([first.id])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/follow`, { reblogs: false })).ok()
    const other = await dave.say('and me')
    await alice.post(`/api/v1/statuses/${other.id}/reblog`)
    await app.settle()
    expect(await home(bob)).toEqual([first.id])
    const mine = await carol.say('mine')
    await alice.post(`/api/v1/statuses/${mine.id}/reblog`)
    await app.settle()
    expect((await home(bob))[0]).toBe(mine.id)
  })

  test('a boost enters again when what it boosts is in the feed, but no longer among its 80 newest', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    for (const one of [bob, carol]) await alice.follow(one)
    await home(alice)
    const his = await bob.say('his')
    await app.settle()
    const add = (from: number, count: number) =>
      app.ctx.db
        .insertInto('home_entries')
        .values(
          Array.from({ length: count }, (_, i) => ({
            account_id: alice.accountId,
            status_id: asId<StatusId>(String(BigInt(his.id) + BigInt(from + i))),
          })),
        )
        .execute()
    const boosted = async () => {
      const boost = (await carol.post(`/api/v1/statuses/${his.id}/reblog`)).ok()
      await app.settle()
      const entries = app.ctx.db.selectFrom('home_entries').where('account_id', '=', alice.accountId)
      const hers = entries.where('status_id', '=', asId<StatusId>(boost.id)).select('status_id')
      return (await hers.execute()).length > 0
    }
    await add(1, 79)
    expect(await boosted()).toBe(false)
    ;(await carol.post(`/api/v1/statuses/${his.id}/unreblog`)).ok()
    await app.settle()
    await add(80, 1)
    expect(await boosted()).toBe(true)
  })

  test('posts that come together and boosts reach more followers than one statement writes for, and only those who follow', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const { db } = app.ctx
    await sql`
      insert into accounts (id, username, uri) select g, 'crowd' || g, ${'https://crowd.example/'} || g
      from generate_series(1, 4001) g`.execute(db)
    await sql`insert into home_feeds (account_id, built_at) select g, now() from generate_series(1, 4001) g`.execute(
      db,
    )
    await sql`
      insert into follows (id, account_id, target_account_id)
      select g, g, ${alice.accountId}::bigint from generate_series(1, 4000) g
      union all select 4001, 4001, ${bob.accountId}::bigint`.execute(db)
    const { id } = await alice.say('to thousands')
    const { id: other } = await bob.say('to one')
    const { id: again } = await alice.say('to thousands again')
    const { id: boost } = (await alice.post(`/api/v1/statuses/${other}/reblog`)).ok()
    await app.settle()
    const { rows } = await sql<{ id: string; reached: number; first: string; last: string }>`
      select status_id as id, count(*)::int as reached, min(account_id) as first, max(account_id) as last
      from home_entries where account_id <= 4001 group by status_id order by status_id`.execute(db)
    const all = { reached: 4000, first: '1', last: '4000' }
    expect(rows).toEqual([
      { id, ...all },
      { id: other, reached: 1, first: '4001', last: '4001' },
      { id: again, ...all },
      { id: boost, ...all },
    ])
  })

  test('languages of a follow choose what arrives', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/follow`, { languages: ['de'] })).ok()
    await home(bob)
    await alice.say('english', { language: 'en' })
    const german = await alice.say('deutsch', { language: 'de' })
    await app.settle()
    expect(await home(bob)).toEqual([german.id])
  })

  test('direct statuses reach followers they name, private ones all followers, and nobody else', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await bob.follow(alice)
    await carol.follow(alice)
    await home(bob)
    await home(carol)
    const direct = await alice.say(`@${bob.username} you`, { visibility: 'direct' })
    const hidden = await alice.say('followers', { visibility: 'private' })
    await app.settle()
    expect(await home(bob)).toEqual([hidden.id, direct.id])
    expect(await home(carol)).toEqual([hidden.id])
  })

  test('muted and blocked people leave the feed, mentions and boosts of them too [ACC-13]', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await bob.follow(alice)
    await bob.follow(carol)
    await home(bob)
    const original = await carol.say('by carol')
    await alice.post(`/api/v1/statuses/${original.id}/reblog`)
    await alice.say(`hello @${carol.username}`)
    const kept = await alice.say('kept')
    await app.settle()
    ;(await bob.post(`/api/v1/accounts/${carol.accountId}/mute`)).ok()
    await app.settle()
    expect(await home(bob)).toEqual([kept.id])
    await carol.say('more')
    await alice.say(`again @${carol.username}`)
    await app.settle()
    expect(await home(bob)).toEqual([kept.id])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    await app.settle()
    expect(await home(bob)).toEqual([])
  })

  test('paging while statuses arrive has no gap and no repeat [ROB-12] [4-111] [2.0-6] [2.0-7] [2.0-8]', async () => {
    const alice = await app.person('alice')
    const posted: string[] = []
    for (let i = 0; i < 30; i++) posted.unshift((await alice.say(`n ${i}`)).id)
    const seen: string[] = []
    let next: string | undefined = '/api/v1/timelines/home?limit=7'
    while (next) {
      const answer: Answer = await alice.get(next)
      seen.push(...idsOf(answer.ok()))
      await alice.say('arrives meanwhile')
      next = answer.links['next']
    }
    expect(seen).toEqual(posted)
    const up = await alice.get('/api/v1/timelines/home', { min_id: posted[29], limit: 5 })
    expect(idsOf(up.ok())).toEqual(posted.slice(24, 29))
    expect(idsOf((await alice.get(up.links['prev'] as string)).ok())).toEqual(posted.slice(19, 24))
    const since = await alice.get('/api/v1/timelines/home', {
      since_id: posted[29],
      max_id: posted[0],
      limit: 5,
    })
    expect(idsOf(since.ok())).toEqual(posted.slice(1, 6))
  })

  test('an empty list has no Link header [2.0-9]', async () => {
    const alice = await app.person('alice')
    expect((await alice.get('/api/v1/timelines/home')).headers.get('link')).toBeNull()
  })

  test('a page of 40 costs as many queries as one of 20, and at most six', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    for (let i = 0; i < 41; i++) await alice.say(`@${bob.username} #tag${i} number ${i}`)
    await alice.get('/api/v1/timelines/home?limit=40')
    const count = async (limit: number) =>
      (await app.countQueries(() => alice.get('/api/v1/timelines/home', { limit }))).length
    const [twenty, forty] = [await count(20), await count(40)]
    expect(forty).toBe(twenty)
    expect(twenty).toBeLessThanOrEqual(6)
  })

  test('feeds keep 800 entries, and those of absent people go until they return', async () => {
    const alice = await app.person('alice')
    const { trimHomeFeeds } = await import('#domain/reading/timelines/home-feed.ts')
    const kept = await alice.say('kept')
    expect(await home(alice)).toEqual([kept.id])
    await app.ctx.db
      .insertInto('home_entries')
      .values(
        Array.from({ length: 850 }, (_, i) => ({
          account_id: alice.accountId,
          status_id: asId<StatusId>(String(i + 1)),
        })),
      )
      .execute()
    await trimHomeFeeds(app.ctx)
    const rows = await app.ctx.db
      .selectFrom('home_entries')
      .select('status_id')
      .where('account_id', '=', alice.accountId)
      .execute()
    expect(rows).toHaveLength(800)
    app.clock.advance(20 * 86_400_000)
    await trimHomeFeeds(app.ctx)
    expect(
      await app.ctx.db
        .selectFrom('home_feeds')
        .where('account_id', '=', alice.accountId)
        .selectAll()
        .execute(),
    ).toEqual([])
    expect(await home(alice)).toEqual([kept.id])
  })
})

describe('public and tag', () => {
  test('shows public statuses without replies to others, boosts and limited people [5-9]', async () => {
    const [alice, bob, quiet] = (await people('alice', 'bob', 'quiet')) as [Person, Person, Person]
    const open = await alice.say('open')
    await alice.say('unlisted', { visibility: 'unlisted' })
    await bob.say('reply', { in_reply_to_id: open.id })
    const self = await alice.say('self-reply', { in_reply_to_id: open.id })
    await bob.post(`/api/v1/statuses/${open.id}/reblog`)
    await app.ctx.db
      .updateTable('accounts')
      .set({ silenced_at: new Date() })
      .where('id', '=', quiet.accountId)
      .execute()
    await quiet.say('quiet')
    const since = { since_id: (BigInt(open.id) - 1n).toString() }
    expect(idsOf((await app.anonymous.get('/api/v1/timelines/public', since)).ok())).toEqual([
      self.id,
      open.id,
    ])
    expect(
      idsOf((await app.anonymous.get('/api/v1/timelines/public', { ...since, local: true })).ok()),
    ).toEqual([self.id, open.id])
    expect((await app.anonymous.get('/api/v1/timelines/public', { ...since, remote: true })).ok()).toEqual([])
    await bob.post(`/api/v1/accounts/${alice.accountId}/mute`)
    expect((await bob.get('/api/v1/timelines/public', since)).ok()).toEqual([])
  })

  test('a tag timeline has replies, and takes any, all and none [4-113]', async () => {
    const alice = await app.person('alice')
    const cats = await alice.say('#Katzen')
    const both = await alice.say('#katzen #hunde', { in_reply_to_id: cats.id })
    const dogs = await alice.say('#Hunde')
    const tag = async (query: Record<string, unknown> = {}, name = 'katzen') =>
      idsOf((await app.anonymous.get(`/api/v1/timelines/tag/${name}`, query)).ok())
    expect(await tag()).toEqual([both.id, cats.id])
    expect(await tag({}, 'KATZEN')).toEqual([both.id, cats.id])
    expect(await tag({ any: ['hunde'] })).toEqual([dogs.id, both.id, cats.id])
    expect(await tag({ all: ['hunde'] })).toEqual([both.id])
    expect(await tag({ none: ['hunde'] })).toEqual([cats.id])
    expect(await tag({ min_id: cats.id })).toEqual([both.id])
    expect(await tag({}, 'unheard')).toEqual([])
  })

  test('tags that a post must all have are the same whichever of them has the fewest posts', async () => {
    const alice = await app.person('alice')
    const [one, few, much] = ['leitung', 'ventil', 'wasser'].map((name) => `${name}${alice.username}`) as [
      string,
      string,
      string,
    ]
    const all = await alice.say(`#${one} #${few} #${much}`)
    const [two, bare] = [await alice.say(`#${few} #${much}`), await alice.say(`#${one} #${much}`)]
    for (let i = 0; i < 4; i++) await alice.say(`#${much}`)
    const tag = async (name: string, query: Record<string, unknown>) =>
      idsOf((await app.anonymous.get(`/api/v1/timelines/tag/${name}`, query)).ok())
    expect(await tag(much, { all: [few] })).toEqual([two.id, all.id])
    expect(await tag(few, { all: [much] })).toEqual([two.id, all.id])
    expect(await tag(much, { all: [few, one] })).toEqual([all.id])
    expect(await tag(much, { all: [one], none: [few] })).toEqual([bare.id])
    expect(await tag(one, { any: [few], all: [much] })).toEqual([bare.id, two.id, all.id])
    expect(await tag(one, { any: [much], all: [few] })).toEqual([two.id, all.id])
    expect(await tag(much, { all: [few], min_id: all.id })).toEqual([two.id])
    expect(await tag(much, { all: [few], limit: 1 })).toEqual([two.id])
    expect(await tag(much, { all: ['unheard'] })).toEqual([])
    await app.ctx.db.updateTable('tags').set({ usable: false }).where('name', '=', much).execute()
    expect(await tag(one, { any: [much], all: [few] })).toEqual([all.id])
    expect((await app.anonymous.get(`/api/v1/timelines/tag/${much}`, { all: [few] })).status).toBe(404)
  })

  test('AUTH: with the preview off strangers get 401 [5-11]', async () => {
    const closed: TestApp = await startApp({ env: { TIMELINE_PREVIEW: 'false' } })
    try {
      for (const path of ['/api/v1/timelines/public', '/api/v1/timelines/tag/x']) {
        expect((await closed.anonymous.get(path)).status).toBe(401)
        expect((await (await closed.person()).get(path)).status).toBe(200)
      }
    } finally {
      await closed.close()
    }
  })
})

describe('account statuses', () => {
  test('posts with a tag are the same whether those of the author or those with the tag are looked through', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const mine: string[] = []
    for (const visibility of ['public', 'unlisted', 'private', 'public'])
      mine.unshift((await alice.say(`#rare, ${visibility}`, { visibility })).id)
    await bob.say('his #rare')
    await alice.say('of something else')
    const deleted = await alice.say('#rare, for a while')
    ;(await alice.delete(`/api/v1/statuses/${deleted.id}`)).ok()
    await app.settle()
    const list = async (query: Record<string, unknown> = {}) =>
      idsOf(
        (await bob.get(`/api/v1/accounts/${alice.accountId}/statuses`, { tagged: 'rare', ...query })).ok(),
      )
    const seen = [mine[0], mine[2], mine[3]]
    for (const written of [6, 100_000]) {
      await app.ctx.db
        .updateTable('account_stats')
        .set({ statuses_count: written })
        .where('account_id', '=', alice.accountId)
        .execute()
      expect(await list()).toEqual(seen)
      expect(await list({ limit: 1, max_id: mine[0] })).toEqual([mine[2]])
      expect(await list({ limit: 1, min_id: mine[3] })).toEqual([mine[2]])
    }
  })

  test('filters replies, boosts and tags, and pages with min_id [4-112]', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const other = await bob.say('other')
    const plain = await alice.say('plain #one')
    const reply = await alice.say('reply', { in_reply_to_id: other.id })
    const self = await alice.say('self', { in_reply_to_id: plain.id })
    const boost = (await alice.post(`/api/v1/statuses/${other.id}/reblog`)).ok()
    const list = async (query: Record<string, unknown> = {}) =>
      idsOf((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}/statuses`, query)).ok())
    expect(await list()).toEqual([boost.id, self.id, reply.id, plain.id])
    expect(await list({ exclude_replies: true })).toEqual([boost.id, self.id, plain.id])
    expect(await list({ exclude_reblogs: 1 })).toEqual([self.id, reply.id, plain.id])
    expect(await list({ tagged: 'ONE' })).toEqual([plain.id])
    expect(await list({ tagged: 'nobodyever' })).toEqual([])
    expect(await list({ min_id: plain.id, limit: 1 })).toEqual([reply.id])
  })

  test('a blocked person sees nothing, followers see private ones too [ACC-12]', async () => {
    const [alice, friend, blocked] = (await people('alice', 'friend', 'blocked')) as [Person, Person, Person]
    await friend.follow(alice)
    ;(await alice.post(`/api/v1/accounts/${blocked.accountId}/block`)).ok()
    const open = await alice.say('open')
    const hidden = await alice.say('followers', { visibility: 'private' })
    const path = `/api/v1/accounts/${alice.accountId}/statuses`
    expect(idsOf((await friend.get(path)).ok())).toEqual([hidden.id, open.id])
    expect(idsOf((await app.anonymous.get(path)).ok())).toEqual([open.id])
    expect((await blocked.get(path)).ok()).toEqual([])
  })
})
