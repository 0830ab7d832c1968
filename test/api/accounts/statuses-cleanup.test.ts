// People's own old posts go by themselves, as they chose.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteOwnStatuses } from '#domain/maintenance/retention/delete-own.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/statuses_cleanup_policy'
const week = 604_800
let alice: Person
let bob: Person

beforeEach(async () => {
  await sql`delete from status_deletion_policies`.execute(app.ctx.db)
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
})

const usual = {
  enabled: false,
  min_status_age: 2 * week,
  keep_direct: true,
  keep_pinned: true,
  keep_polls: false,
  keep_media: false,
  keep_self_fav: true,
  keep_self_bookmark: true,
  min_favs: null,
  min_reblogs: null,
}
const choose = async (more: Record<string, unknown> = {}, who = alice): Promise<Json> =>
  (await who.put(path, { enabled: true, min_status_age: week, ...more })).ok()

/** Some turns, minutes apart. Returns how many went in each. */
async function turns(count = 1): Promise<number[]> {
  const gone: number[] = []
  for (let i = 0; i < count; i++) {
    gone.push(await deleteOwnStatuses(app.ctx))
    await app.settle()
    app.clock.advance(minutes(2))
  }
  return gone
}

/** Texts of what an account has left, newest first; boosts are `boost`. */
async function left(who: Person): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select case when reblog_of_id is null then text else 'boost' end as text from statuses
    where account_id = ${who.accountId} and deleted_at is null order by id desc`.execute(app.ctx.db)
  return rows.map((row) => row.text)
}

const act = async (who: Person, id: string, verb: string) =>
  (await who.post(`/api/v1/statuses/${id}/${verb}`)).ok()

describe('the policy', () => {
  test('is what people choose, and off before they do', async () => {
    expect((await alice.get(path)).ok()).toEqual(usual)
    const mine = { ...usual, enabled: true, min_status_age: 31_556_952, keep_polls: true, min_favs: 5 }
    expect((await alice.put(path, mine)).ok()).toEqual(mine)
    expect(await choose({ min_favs: null, min_reblogs: 2 })).toEqual({
      ...mine,
      min_status_age: week,
      min_favs: null,
      min_reblogs: 2,
    })
    expect((await bob.get(path)).ok()).toEqual(usual)
    expect((await alice.delete(path)).ok()).toEqual({})
    expect((await alice.get(path)).ok()).toEqual(usual)
  })

  test.each([
    [{ min_status_age: 60 }, 'Validation failed: Min status age is not included in the list'],
    [{ min_status_age: 0 }, 'Validation failed: Min status age is not included in the list'],
    [{ min_favs: 2 ** 40 }, 'Validation failed: Min favs must be greater than or equal to 1'],
    [{ min_reblogs: 2 ** 40 }, 'Validation failed: Min reblogs must be greater than or equal to 1'],
  ])('cannot be %j', async (params, error) => {
    const answer = await alice.put(path, params)
    expect([answer.status, answer.body.error]).toEqual([422, error])
    expect((await alice.get(path)).ok()).toEqual(usual)
  })

  test('needs a token of a person with the scope', async () => {
    expect((await app.anonymous.get(path)).status).toBe(401)
    const reader = await app.withScopes(alice, ['read:accounts'])
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.put(path, {})).status).toBe(403)
    expect((await reader.delete(path)).status).toBe(403)
    const writer = await app.withScopes(alice, ['write:accounts'])
    expect((await writer.get(path)).status).toBe(403)
    expect((await writer.put(path, { enabled: true })).status).toBe(200)
  })

  test('is chosen on a page, in English and German', async () => {
    const person = await personWithPassword(app, 'carol')
    const browser = await signedIn(app, person)
    const page = await browser.get('/statuses_cleanup')
    expect(page.text).toContain('Delete my old posts')
    expect(page.text).toContain('aria-current="page">Old posts')
    expect((await browser.get('/statuses_cleanup?lang=de')).text).toContain('Meine alten Beiträge löschen')
    const name = (key: string) => `account_statuses_cleanup_policy[${key}]`
    const form = page.form('/statuses_cleanup')
    const saved = await browser.submit(form, {
      [name('enabled')]: '1',
      [name('min_status_age')]: String(week),
      [name('min_favs')]: '3',
    })
    expect(saved.text).toContain('Saved.')
    expect((await person.get(path)).ok()).toMatchObject({ enabled: true, min_status_age: week, min_favs: 3 })
    const wrong = await browser.submit(form, {
      [name('min_status_age')]: String(week),
      [name('min_favs')]: 'many',
    })
    expect([wrong.status, wrong.text.includes('Min favs must be')]).toEqual([422, true])
    expect((await newBrowser(app).get('/statuses_cleanup')).status).toBe(302)
    expect((await browser.post('/statuses_cleanup', {})).status).toBe(422)
  })
})

describe('old posts', () => {
  test('go by themselves, boosts too, and the same as if their author had deleted them', async () => {
    const other = await bob.say('of bob')
    const old = await alice.say('old #tag')
    await act(alice, other.id, 'reblog')
    await app.settle()
    app.clock.advance(days(8))
    const young = await alice.say('young')
    const kept = await bob.say('of bob, old and without a policy')
    await choose()
    expect(await turns()).toEqual([2])
    expect(await left(alice)).toEqual(['young'])
    expect((await bob.get(`/api/v1/statuses/${old.id}`)).status).toBe(404)
    expect((await alice.get(`/api/v1/accounts/${alice.accountId}`)).ok().statuses_count).toBe(1)
    expect((await alice.get(`/api/v1/statuses/${other.id}`)).ok().reblogs_count).toBe(0)
    for (const id of [young.id, kept.id]) expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })

  test('stay where the policy is off, and those of accounts that are shut out', async () => {
    await alice.say('old')
    await bob.say('old')
    app.clock.advance(days(8))
    await choose({ enabled: false })
    await choose({}, bob)
    await sql`update accounts set suspended_at = now() where id = ${bob.accountId}`.execute(app.ctx.db)
    expect(await turns()).toEqual([0])
    expect([await left(alice), await left(bob)]).toEqual([['old'], ['old']])
  })

  test('stay as the policy says', async () => {
    const media = await alice.say('media')
    await sql`update statuses set media_ids = array[1]::bigint[] where id = ${media.id}`.execute(app.ctx.db)
    await alice.say('poll', { poll: { options: ['a', 'b'], expires_in: 3600 } })
    await alice.say(`@${bob.username} direct`, { visibility: 'direct' })
    const pinned = await alice.say('pinned')
    const liked = await alice.say('liked')
    const marked = await alice.say('marked')
    const popular = await alice.say('popular')
    const boosted = await alice.say('boosted')
    await alice.say('plain')
    await act(alice, pinned.id, 'pin')
    await act(alice, liked.id, 'favourite')
    await act(alice, marked.id, 'bookmark')
    await act(bob, popular.id, 'favourite')
    await act(bob, boosted.id, 'reblog')
    await app.settle()
    app.clock.advance(days(8))
    const all = { keep_direct: true, keep_pinned: true, keep_polls: true, keep_media: true }
    const self = { keep_self_fav: true, keep_self_bookmark: true, min_favs: 1, min_reblogs: 1 }
    await choose({ ...all, ...self })
    expect(await turns(2)).toEqual([1, 0])
    const direct = `@${bob.username} direct`
    const staying = ['boosted', 'popular', 'marked', 'liked', 'pinned', direct, 'poll', 'media']
    expect(await left(alice)).toEqual(staying)
    // Any change of the policy has all looked at again.
    for (const [change, gone] of [
      [{ min_reblogs: 2 }, 'boosted'],
      [{ min_favs: 2 }, 'popular'],
      [{ keep_self_bookmark: false }, 'marked'],
      [{ keep_self_fav: false }, 'liked'],
      [{ keep_pinned: false }, 'pinned'],
      [{ keep_direct: false }, direct],
      [{ keep_polls: false }, 'poll'],
      [{ keep_media: false }, 'media'],
    ] as const) {
      await choose(change)
      expect(await turns(2)).toEqual([1, 0])
      staying.splice(staying.indexOf(gone), 1)
      expect(await left(alice)).toEqual(staying)
    }
  })

  test('go once what kept them is taken back, without all being looked at again', async () => {
    const names = ['pinned', 'liked', 'marked', 'popular', 'boosted', 'plain']
    const posts: Record<string, Json> = {}
    for (const name of names) posts[name] = await alice.say(name)
    const id = (name: string) => posts[name]?.id
    await act(alice, id('pinned'), 'pin')
    await act(alice, id('liked'), 'favourite')
    await act(alice, id('marked'), 'bookmark')
    await act(bob, id('popular'), 'favourite')
    await act(bob, id('boosted'), 'reblog')
    await app.settle()
    app.clock.advance(days(8))
    await choose({ min_favs: 1, min_reblogs: 1 })
    // Liked by oneself is liked, too.
    expect(await turns(2)).toEqual([1, 0])
    const upTo = async () =>
      (
        await sql<{ up_to: string }>`
          select examined_up_to as up_to from status_deletion_policies where account_id = ${alice.accountId}`.execute(
          app.ctx.db,
        )
      ).rows[0]?.up_to
    expect(await upTo()).toBe(id('plain'))
    for (const [who, name, verb] of [
      [bob, 'boosted', 'unreblog'],
      [bob, 'popular', 'unfavourite'],
      [alice, 'marked', 'unbookmark'],
      [alice, 'liked', 'unfavourite'],
      [alice, 'pinned', 'unpin'],
    ] as const) {
      await act(who, id(name), verb)
      await app.settle()
      expect(await upTo()).toBe(String(BigInt(id(name)) - 1n))
      expect(await turns(2)).toEqual([1, 0])
      expect(await left(alice)).not.toContain(name)
    }
    expect(await left(alice)).toEqual([])
  })

  test('go a few at a time, the oldest first, and everybody has a turn', async () => {
    for (let i = 0; i < 23; i++) await alice.say(`post ${i}`)
    await bob.say('one')
    await app.settle()
    app.clock.advance(days(8))
    await choose()
    await choose({}, bob)
    expect(await turns()).toEqual([11])
    expect((await left(alice)).at(-1)).toBe('post 10')
    expect(await left(bob)).toEqual([])
    expect(await turns(3)).toEqual([10, 3, 0])
  })

  test('go once where two workers are at it', async () => {
    for (let i = 0; i < 12; i++) await alice.say(`post ${i}`)
    await app.settle()
    app.clock.advance(days(8))
    await choose()
    const gone = await Promise.all([1, 2, 3].map(() => deleteOwnStatuses(app.ctx)))
    await app.settle()
    expect((await left(alice)).length).toBe(12 - gone.reduce((sum, count) => sum + count, 0))
    const { rows } = await sql<{ count: number }>`
      select statuses_count::int as count from account_stats where account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.count).toBe((await left(alice)).length)
  })

  test('wait while much is to be sent', async () => {
    await alice.say('old')
    await app.settle()
    app.clock.advance(days(8))
    await choose()
    await sql`insert into outbox (event) select '{"type":"none"}' from generate_series(1, 1001)`.execute(
      app.ctx.db,
    )
    expect(await deleteOwnStatuses(app.ctx)).toBe(0)
    await sql`delete from outbox`.execute(app.ctx.db)
    await sql`insert into hosts (host) values ('slow.example')`.execute(app.ctx.db)
    await sql`
      with activity as (
        insert into outgoing_activities (id, account_id, digest, body) values (1, ${alice.accountId}, 'x', '{}')
        returning id)
      insert into deliveries (id, activity_id, host, inbox_url, due_at)
      select n, 1, 'slow.example', 'https://slow.example/' || n, '2000-01-01' from generate_series(1, 1001) n, activity`.execute(
      app.ctx.db,
    )
    expect(await deleteOwnStatuses(app.ctx)).toBe(0)
    // A server that does not answer keeps nobody waiting.
    await sql`update hosts set failures = 1, closed_until = ${new Date(app.clock.now() + days(1))}`.execute(
      app.ctx.db,
    )
    expect(await deleteOwnStatuses(app.ctx)).toBe(1)
    await sql`delete from deliveries`.execute(app.ctx.db)
  })

  test('that are brought along later go, too', async () => {
    await alice.say('first')
    await app.settle()
    app.clock.advance(days(8))
    await choose()
    expect(await turns()).toEqual([1])
    const id = String(BigInt(app.clock.now() - days(100)) << 16n)
    await app.ctx.transaction(async (tx) => {
      await sql`insert into statuses (id, account_id, visibility, text) values (${id}, ${alice.accountId}, 'public', 'x')`.execute(
        tx.db,
      )
      await tx.emit({ type: 'status.created', statusId: asId<StatusId>(id), past: true })
    })
    await app.settle()
    expect(await turns()).toEqual([1])
  })
})
