import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { rebuildLists, trimListFeeds } from '#domain/reading/timelines/list-feed.ts'
import { useApp } from '#test/app/app.ts'
import type { Json, Answer } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)
const home = async (person: Person) => idsOf((await person.get('/api/v1/timelines/home')).ok())
const timeline = async (owner: Person, list: Json) =>
  idsOf((await owner.get(`/api/v1/timelines/list/${list.id}`)).ok())
const of = (person: Person, verb: string) => `/api/v1/accounts/${person.accountId}/${verb}`
const boost = async (person: Person, status: Json) =>
  (await person.post(`/api/v1/statuses/${status.id}/reblog`)).ok()

async function people(...names: string[]): Promise<Person[]> {
  return Promise.all(names.map((name) => app.person(name)))
}

/** A list with these members, whom the owner follows. */
async function listWith(
  owner: Person,
  options: Record<string, unknown>,
  ...members: Person[]
): Promise<Json> {
  const list = (await owner.post('/api/v1/lists', { title: 'list', ...options })).ok()
  for (const member of members) if (member !== owner) await owner.follow(member)
  await put(owner, list, ...members)
  return list
}

async function put(owner: Person, list: Json, ...members: Person[]): Promise<void> {
  const account_ids = members.map((member) => member.accountId)
  ;(await owner.post(`/api/v1/lists/${list.id}/accounts`, { account_ids })).ok()
}

async function take(owner: Person, list: Json, ...members: Person[]): Promise<void> {
  const account_ids = members.map((member) => member.accountId)
  ;(await owner.delete(`/api/v1/lists/${list.id}/accounts`, { account_ids })).ok()
}

describe('what enters', () => {
  test('is what members write, written when they post and rebuilt after all feeds were lost', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const before = await bob.say('before')
    const list = await listWith(alice, {}, bob)
    await alice.follow(carol)
    expect(await timeline(alice, list)).toEqual([before.id])
    const after = await bob.say('after', { visibility: 'unlisted' })
    await carol.say('not in the list')
    await alice.say('nor is the owner')
    const last = await bob.say('for followers', { visibility: 'private' })
    await app.settle()
    const all = [last.id, after.id, before.id]
    expect(await entriesOf(list)).toEqual(all)
    expect(await timeline(alice, list)).toEqual(all)
    await sql`truncate list_entries, list_feeds`.execute(app.ctx.db)
    expect(await timeline(alice, list)).toEqual(all)
    expect(await entriesOf(list)).toEqual(all)
  })

  test('is there at once, also before the worker has come to it', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const list = await listWith(alice, {}, bob, alice)
    expect(await timeline(alice, list)).toEqual([])
    const his = await bob.say('his')
    await carol.say('not hers')
    expect(await timeline(alice, list)).toEqual([his.id])
    const mine = await alice.say('mine')
    expect(await timeline(alice, list)).toEqual([mine.id, his.id])
    await app.settle()
    expect(await timeline(alice, list)).toEqual([mine.id, his.id])
  })

  test('is a boost only once, also where several are on their way', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const list = await listWith(alice, {}, bob, carol)
    const post = await (await app.person('dan')).say('worth it')
    await app.settle()
    expect(await timeline(alice, list)).toEqual([])
    const first = await boost(bob, post)
    await boost(carol, post)
    expect(await timeline(alice, list)).toEqual([first.id])
    await app.settle()
    expect(await timeline(alice, list)).toEqual([first.id])
  })

  test('is nothing direct, also where it names the owner', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob, alice)
    await timeline(alice, list)
    await bob.say(`@${alice.username} you`, { visibility: 'direct' })
    await alice.say(`@${bob.username} you`, { visibility: 'direct' })
    await app.settle()
    expect(await timeline(alice, list)).toEqual([])
    await sql`truncate list_entries, list_feeds`.execute(app.ctx.db)
    expect(await timeline(alice, list)).toEqual([])
  })

  test('waits for those whom the owner has only asked to follow', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    ;(await bob.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    const list = await listWith(alice, {}, bob)
    const early = await bob.say('early', { visibility: 'private' })
    expect(await timeline(alice, list)).toEqual([])
    ;(await bob.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).ok()
    await app.settle()
    expect(await timeline(alice, list)).toEqual([early.id])
    const late = await bob.say('late', { visibility: 'private' })
    await app.settle()
    expect(await timeline(alice, list)).toEqual([late.id, early.id])
  })

  test('is what the replies policy lets in, at fan-out and by rebuilding [2.2-43]', async () => {
    const names = ['owner', 'member', 'fellow', 'followed', 'stranger']
    const [owner, member, fellow, followed, stranger] = (await people(...names)) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const lists: Record<string, Json> = {}
    for (const policy of ['followed', 'list', 'none']) {
      lists[policy] = await listWith(owner, { replies_policy: policy }, member, fellow)
    }
    await owner.follow(followed)
    for (const list of Object.values(lists)) await timeline(owner, list)
    const to = async (person: Person) =>
      member.say('a reply', { in_reply_to_id: (await person.say('a post', { visibility: 'unlisted' })).id })
    const replies = {
      self: await to(member),
      owner: await to(owner),
      fellow: await to(fellow),
      followed: await to(followed),
      stranger: await to(stranger),
    }
    const kinds = Object.entries(replies)
    const enter = async (list: Json) => {
      const ids = await timeline(owner, list)
      return kinds.filter(([, reply]) => ids.includes(reply.id)).map(([kind]) => kind)
    }
    const expected = {
      followed: ['self', 'owner', 'fellow', 'followed'],
      list: ['self', 'owner', 'fellow'],
      none: ['self', 'owner'],
    }
    const seen = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(lists).map(async ([policy, list]) => [policy, await enter(list)])),
      )
    await app.settle()
    expect(await seen()).toEqual(expected)
    await sql`truncate list_entries, list_feeds`.execute(app.ctx.db)
    expect(await seen()).toEqual(expected)
    ;(await owner.put(`/api/v1/lists/${lists['none'].id}`, { replies_policy: 'followed' })).ok()
    expect(await enter(lists['none'])).toEqual(expected.followed)
    ;(await owner.put(`/api/v1/lists/${lists['none'].id}`, { replies_policy: 'none' })).ok()
    expect(await enter(lists['none'])).toEqual(expected.none)
  })

  test('of the owner’s own replies follows the policy too', async () => {
    const [owner, member, stranger] = (await people('owner', 'member', 'stranger')) as [
      Person,
      Person,
      Person,
    ]
    const list = await listWith(owner, {}, owner, member)
    await timeline(owner, list)
    const his = await member.say('his')
    const hers = await stranger.say('hers')
    const toMember = await owner.say('yes', { in_reply_to_id: his.id })
    await owner.say('no', { in_reply_to_id: hers.id })
    const toMyself = await owner.say('and', { in_reply_to_id: toMember.id })
    await app.settle()
    expect(await timeline(owner, list)).toEqual([toMyself.id, toMember.id, his.id])
  })

  test('has boosts once, not beside the original, and not of whom the follow hides boosts [2.2-10]', async () => {
    const names = ['alice', 'bob', 'carol', 'dave', 'silent']
    const [alice, bob, carol, dave, silent] = (await people(...names)) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const list = await listWith(alice, {}, bob, carol, silent)
    ;(await alice.post(of(silent, 'follow'), { reblogs: false })).ok()
    await timeline(alice, list)
    const [original, other] = [await dave.say('boost me'), await dave.say('and me')]
    const first = await boost(bob, original)
    await app.settle()
    await boost(carol, original)
    await boost(silent, other)
    await app.settle()
    expect(await timeline(alice, list)).toEqual([first.id])
    const mine = await carol.say('mine')
    await boost(bob, mine)
    await app.settle()
    expect(await timeline(alice, list)).toEqual([mine.id, first.id])
    await sql`truncate list_entries, list_feeds`.execute(app.ctx.db)
    expect(await timeline(alice, list)).toEqual([mine.id, first.id])
  })

  test('is only in the languages that the owner follows', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob)
    ;(await alice.post(of(bob, 'follow'), { languages: ['de'] })).ok()
    await timeline(alice, list)
    await bob.say('english', { language: 'en' })
    const german = await bob.say('deutsch', { language: 'de' })
    await app.settle()
    expect(await timeline(alice, list)).toEqual([german.id])
  })
})

async function entriesOf(list: Json): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select status_id as id from list_entries where list_id = ${list.id} order by status_id desc`.execute(
    app.ctx.db,
  )
  return idsOf(rows)
}

describe('what leaves', () => {
  test('is what was deleted; another boost takes the place of one taken back', async () => {
    const [alice, bob, carol, dave] = (await people('alice', 'bob', 'carol', 'dave')) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const list = await listWith(alice, {}, bob, carol)
    await timeline(alice, list)
    const [kept, gone, original] = [await bob.say('kept'), await bob.say('gone'), await dave.say('boost me')]
    const first = await boost(bob, original)
    await app.settle()
    const second = await boost(carol, original)
    await app.settle()
    expect(await timeline(alice, list)).toEqual([first.id, gone.id, kept.id])
    ;(await bob.delete(`/api/v1/statuses/${gone.id}`)).ok()
    ;(await bob.post(`/api/v1/statuses/${original.id}/unreblog`)).ok()
    await app.settle()
    expect(await entriesOf(list)).toEqual([second.id, kept.id])
    ;(await dave.delete(`/api/v1/statuses/${original.id}`)).ok()
    await app.settle()
    expect(await timeline(alice, list)).toEqual([kept.id])
  })

  test('goes with a member, and comes with one, at once', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const [his, hers] = [await bob.say('his'), await carol.say('hers')]
    const list = await listWith(alice, {}, bob)
    await alice.follow(carol)
    expect(await timeline(alice, list)).toEqual([his.id])
    await put(alice, list, carol)
    expect(await timeline(alice, list)).toEqual([hers.id, his.id])
    await take(alice, list, bob)
    expect(await timeline(alice, list)).toEqual([hers.id])
    ;(await alice.post(of(carol, 'unfollow'))).ok()
    expect(await timeline(alice, list)).toEqual([])
    await alice.follow(carol)
    await app.settle()
    expect(await timeline(alice, list)).toEqual([])
    await put(alice, list, carol)
    expect(await timeline(alice, list)).toEqual([hers.id])
  })

  test('a mute takes posts, boosts and mentions out until it ends [ACC-13]', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const list = await listWith(alice, {}, bob, carol)
    await timeline(alice, list)
    const hers = await carol.say('hers')
    const kept = await bob.say('kept')
    const boosted = await boost(bob, await carol.say('boost me', { visibility: 'unlisted' }))
    const named = await bob.say(`hello @${carol.username}`)
    await app.settle()
    const before = await timeline(alice, list)
    expect(before).toContain(hers.id)
    expect(before).toContain(named.id)
    ;(await alice.post(of(carol, 'mute'))).ok()
    await app.settle()
    expect(await timeline(alice, list)).toEqual([kept.id])
    await carol.say('more')
    await bob.say(`again @${carol.username}`)
    await app.settle()
    expect(await timeline(alice, list)).toEqual([kept.id])
    ;(await alice.post(of(carol, 'unmute'))).ok()
    await app.settle()
    const after = await timeline(alice, list)
    expect(after).toEqual(expect.arrayContaining(before.filter((id) => id !== boosted.id)))
    expect(after).toHaveLength(before.length + 2)
  })

  test('a block, in either direction, takes posts and boosts out; so does hiding a domain [ACC-12]', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const away = await remoteAccount(app.ctx, 'list-away.example')
    const list = await listWith(alice, {}, bob, carol)
    const far = { id: app.ctx.newId<StatusId>(), account_id: away.accountId, visibility: 'public' as const }
    await app.ctx.db.insertInto('statuses').values(far).execute()
    await timeline(alice, list)
    const kept = await bob.say('kept')
    const boosted = await boost(bob, await carol.say('hers'))
    const brought = await boost(bob, far)
    await app.settle()
    expect(await timeline(alice, list)).toEqual(expect.arrayContaining([brought.id, kept.id]))
    ;(await alice.post('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await app.settle()
    expect(await timeline(alice, list)).not.toContain(brought.id)
    ;(await carol.post(of(alice, 'block'))).ok()
    await app.settle()
    const left = await timeline(alice, list)
    expect([left.includes(boosted.id), left]).toEqual([false, [kept.id]])
    ;(await alice.post(of(bob, 'block'))).ok()
    await app.settle()
    expect(await timeline(alice, list)).toEqual([])
  })

  test('is what the owner may no longer see, whatever the feed holds', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob)
    await bob.say('followers', { visibility: 'private' })
    const open = await bob.say('open')
    expect(await timeline(alice, list)).toHaveLength(2)
    await app.ctx.db.deleteFrom('follows').where('account_id', '=', alice.accountId).execute()
    expect(await timeline(alice, list)).toEqual([open.id])
    const suspended = { suspended_at: new Date() }
    await app.ctx.db.updateTable('accounts').set(suspended).where('id', '=', bob.accountId).execute()
    expect(await timeline(alice, list)).toEqual([])
  })
})

describe('an exclusive list [2.2-42]', () => {
  test('keeps posts and boosts of its members out of home, at fan-out and by rebuilding', async () => {
    const [alice, bob, carol, dave] = (await people('alice', 'bob', 'carol', 'dave')) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const list = await listWith(alice, { exclusive: true }, bob, alice)
    const plain = await listWith(alice, {}, carol)
    expect(await home(alice)).toEqual([])
    const original = await dave.say('boost me')
    const his = await bob.say('his')
    const boosted = await boost(bob, original)
    const hers = await carol.say('hers')
    const mine = await alice.say('mine')
    await app.settle()
    expect(await home(alice)).toEqual([mine.id, hers.id])
    expect(await timeline(alice, list)).toEqual([mine.id, boosted.id, his.id])
    expect(await timeline(alice, plain)).toEqual([hers.id])
    await sql`truncate home_entries, home_feeds`.execute(app.ctx.db)
    expect(await home(alice)).toEqual([mine.id, hers.id])
  })

  test('of one person keeps nothing from another', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await listWith(alice, { exclusive: true }, bob)
    await carol.follow(bob)
    await home(carol)
    const his = await bob.say('his')
    await app.settle()
    expect(await home(carol)).toEqual([his.id])
    expect(await home(alice)).toEqual([])
  })

  test('changes home at once when it changes, its members change, or it goes', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const list = await listWith(alice, {}, bob)
    await alice.follow(carol)
    await home(alice)
    const [his, hers] = [await bob.say('his'), await carol.say('hers')]
    await app.settle()
    const path = `/api/v1/lists/${list.id}`
    expect(await home(alice)).toEqual([hers.id, his.id])
    ;(await alice.put(path, { exclusive: true })).ok()
    expect(await home(alice)).toEqual([hers.id])
    await put(alice, list, carol)
    expect(await home(alice)).toEqual([])
    await take(alice, list, bob)
    expect(await home(alice)).toEqual([his.id])
    ;(await alice.put(path, { exclusive: false })).ok()
    expect(await home(alice)).toEqual([hers.id, his.id])
    ;(await alice.put(path, { exclusive: true })).ok()
    expect(await home(alice)).toEqual([his.id])
    ;(await alice.delete(path)).ok()
    expect(await home(alice)).toEqual([hers.id, his.id])
  })

  test('keeps out who is followed anew, and lets in who is in it no more', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    ;(await bob.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    const list = await listWith(alice, { exclusive: true }, bob)
    await home(alice)
    const his = await bob.say('his')
    ;(await bob.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).ok()
    await app.settle()
    expect([await home(alice), await timeline(alice, list)]).toEqual([[], [his.id]])
    ;(await alice.post(of(bob, 'mute'))).ok()
    ;(await alice.post(of(bob, 'unmute'))).ok()
    await app.settle()
    expect(await home(alice)).toEqual([])
    const other = await listWith(alice, { exclusive: true }, bob)
    await take(alice, list, bob)
    expect(await home(alice)).toEqual([])
    await take(alice, other, bob)
    expect(await home(alice)).toEqual([his.id])
  })
})

describe('the feed', () => {
  test('pages while statuses arrive without a gap or a repeat [ROB-12] [4-111]', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob)
    const posted: string[] = []
    for (let i = 0; i < 30; i++) posted.unshift((await bob.say(`n ${i}`)).id)
    const path = `/api/v1/timelines/list/${list.id}`
    const seen: string[] = []
    let next: string | undefined = `${path}?limit=7`
    while (next) {
      const answer: Answer = await alice.get(next)
      seen.push(...idsOf(answer.ok()))
      await bob.say('arrives meanwhile')
      if (seen.length === 14) await app.settle()
      next = answer.links['next']
    }
    expect(seen).toEqual(posted)
    const up = await alice.get(path, { min_id: posted[29], limit: 5 })
    expect(idsOf(up.ok())).toEqual(posted.slice(24, 29))
    expect(idsOf((await alice.get(up.links['prev'] as string)).ok())).toEqual(posted.slice(19, 24))
    const between = { since_id: posted[29], max_id: posted[0], limit: 5 }
    expect(idsOf((await alice.get(path, between)).ok())).toEqual(posted.slice(1, 6))
    expect((await alice.get(path, { limit: 100 })).ok()).toHaveLength(35)
  })

  test('costs as many queries for a page of 40 as for one of 20, and at most seven', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob)
    for (let i = 0; i < 41; i++) await bob.say(`@${alice.username} #tag${i} number ${i}`)
    await app.settle()
    const path = `/api/v1/timelines/list/${list.id}`
    for (let i = 0; i < 3; i++) await alice.get(`${path}?limit=40`)
    const count = async (limit: number) => (await app.countQueries(() => alice.get(path, { limit }))).length
    const [twenty, forty] = [await count(20), await count(40)]
    expect(forty).toBe(twenty)
    expect(twenty).toBeLessThanOrEqual(7)
  })

  test('is written for a feed that is there, and for all lists by one statement', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const unread = await listWith(carol, {}, bob)
    const lists = [
      await listWith(alice, {}, bob),
      await listWith(alice, {}, bob),
      await listWith(alice, {}, bob),
    ]
    for (const list of lists) await timeline(alice, list)
    await home(alice)
    await app.settle()
    await bob.say('one')
    const inserts = (await app.countQueries(() => app.settle())).filter((query) =>
      /insert into (home|list)_entries/.test(query),
    )
    expect(inserts).toHaveLength(2)
    for (const list of lists) expect(await entriesOf(list)).toHaveLength(1)
    expect(await entriesOf(unread)).toEqual([])
    expect(await timeline(carol, unread)).toHaveLength(1)
  })

  test('keeps 800 entries, and is forgotten with its list or while its owner stays away', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const [list, doomed] = [await listWith(alice, {}, bob), await listWith(alice, {}, bob)]
    const kept = await bob.say('kept')
    await app.settle()
    expect([await timeline(alice, list), await timeline(alice, doomed)]).toEqual([[kept.id], [kept.id]])
    const old = Array.from({ length: 850 }, (_, i) => ({
      list_id: list.id,
      status_id: asId<StatusId>(String(i + 1)),
    }))
    await app.ctx.db.insertInto('list_entries').values(old).execute()
    ;(await alice.delete(`/api/v1/lists/${doomed.id}`)).ok()
    expect(await entriesOf(doomed)).toEqual([])
    await trimListFeeds(app.ctx)
    expect(await entriesOf(list)).toHaveLength(800)
    app.clock.advance(20 * 86_400_000)
    await trimListFeeds(app.ctx)
    expect(await entriesOf(list)).toEqual([])
    expect(await timeline(alice, list)).toEqual([kept.id])
  })

  test('built by many at once is built once, and right', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    const list = await listWith(alice, {}, bob)
    const posted = [await bob.say('one'), await bob.say('two')].map((status) => status.id).toReversed()
    const reads = await Promise.all(Array.from({ length: 6 }, () => timeline(alice, list)))
    expect(reads).toEqual(reads.map(() => posted))
  })

  test('is written anew when an operator wants it, wrong as it may be', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    const list = await listWith(alice, {}, bob)
    const [his, hers] = [await bob.say('his'), await carol.say('hers')]
    expect(await timeline(alice, list)).toEqual([his.id])
    await app.ctx.db
      .insertInto('list_entries')
      .values({ list_id: list.id, status_id: asId<StatusId>(hers.id) })
      .execute()
    expect(await timeline(alice, list)).toEqual([hers.id, his.id])
    await rebuildLists(app.ctx, alice.accountId)
    expect(await timeline(alice, list)).toEqual([his.id])
  })

  test('is right in the end, whatever happened at the same time', async () => {
    const [alice, ...members] = (await people('alice', 'm1y', 'm2y', 'm3y', 'm4y')) as [Person, ...Person[]]
    const list = await listWith(alice, { exclusive: true }, ...members)
    const shake = async (member: Person, step: number) => {
      await member.say(`step ${step}`)
      if (step % 3 === 0) await take(alice, list, member)
      if (step % 3 === 1) await alice.post(of(member, 'unfollow'))
      if (step % 3 === 2) await alice.post(of(member, 'mute'))
      await Promise.all([timeline(alice, list), home(alice), member.say(`then ${step}`)])
      if (step % 3 === 1) await alice.follow(member)
      if (step % 3 < 2) await put(alice, list, member)
      if (step % 3 === 2) await alice.post(of(member, 'unmute'))
    }
    for (let step = 0; step < 6; step++) {
      await Promise.all([app.settle(), ...members.map((member, i) => shake(member, step + i))])
    }
    await app.settle()
    const [listed, athome] = [await timeline(alice, list), await home(alice)]
    await sql`truncate list_entries, list_feeds, home_entries, home_feeds`.execute(app.ctx.db)
    expect(await timeline(alice, list)).toEqual(listed)
    expect(await home(alice)).toEqual(athome)
    expect([listed.length, athome]).toEqual([20, []])
  })
})
