import { sql } from 'kysely'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canSee, visibleTo, type StatusVisibility } from '#domain/content/statuses/visibility.ts'
import { insertStatus } from '#domain/content/statuses/publish/insert-status.ts'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { BlockId, FollowId, StatusId } from '#lib/id.ts'

const app = useApp()
const visibilities = ['public', 'unlisted', 'private', 'direct'] as const

describe('who sees a status', () => {
  test('every route answers for a hidden status as for a missing one [ACC-1]', async () => {
    const [alice, friend, stranger] = [
      await app.person('alice'),
      await app.person('friend'),
      await app.person('stranger'),
    ]
    const [blocked, ex] = [await app.person('blocked'), await app.person('ex')]
    await friend.follow(alice)
    await ex.follow(alice)
    await ex.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
    await blocked.follow(alice)
    ;(await alice.post(`/api/v1/accounts/${blocked.accountId}/block`)).ok()
    const { id } = await alice.say('for followers', { visibility: 'private' })
    const reads = ['', '/context', '/favourited_by', '/reblogged_by']
    expect((await friend.get(`/api/v1/statuses/${id}`)).status).toBe(200)
    for (const client of [app.anonymous, stranger, blocked, ex]) {
      for (const path of reads) {
        const hidden = await client.get(`/api/v1/statuses/${id}${path}`)
        const missing = await client.get(`/api/v1/statuses/1${path}`)
        expect([path, hidden.status, hidden.body]).toEqual([path, 404, missing.body])
      }
      expect((await client.get('/api/v1/statuses', { id: [id] })).ok()).toEqual([])
    }
  })

  test('a direct post does not show on the profile of its author', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const look = async () => {
      const account = (await bob.get(`/api/v1/accounts/${alice.accountId}`)).ok()
      return [account.statuses_count, account.last_status_at]
    }
    await alice.say(`for @${bob.username}`, { visibility: 'direct' })
    expect(await look()).toEqual([0, null])
    await alice.say('for all')
    const before = await look()
    app.clock.advance(86_400_000)
    await alice.say(`more for @${bob.username}`, { visibility: 'direct' })
    expect(await look()).toEqual(before)
  })

  test('nobody acts on what they cannot see [ACC-2]', async () => {
    const [alice, eve] = [await app.person('alice'), await app.person('eve')]
    const { id } = await alice.say('for followers', { visibility: 'private' })
    const verbs = [
      'favourite',
      'unfavourite',
      'reblog',
      'unreblog',
      'bookmark',
      'unbookmark',
      'pin',
      'unpin',
      'mute',
      'unmute',
    ]
    for (const verb of verbs) {
      const answer = await eve.post(`/api/v1/statuses/${id}/${verb}`)
      expect([verb, answer.status, answer.body]).toEqual([verb, 404, { error: 'Record not found' }])
    }
    expect((await eve.post('/api/v1/statuses', { status: 'hm', in_reply_to_id: id })).status).toBe(404)
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${id}`)).ok()).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      replies_count: 0,
    })
  })

  test('a hidden and a missing id get the same answer in five languages [ACC-8]', async () => {
    const [alice, eve] = [await app.person('alice'), await app.person('eve')]
    const { id } = await alice.say('hidden', { visibility: 'direct' })
    for (const language of ['en', 'de', 'fr', 'ja', 'ar']) {
      const ask = async (one: string) => {
        const answer = await app.fetch(`/api/v1/statuses/${one}`, {
          headers: { authorization: `Bearer ${eve.token}`, 'accept-language': language },
        })
        return [answer.status, await answer.text()]
      }
      expect(await ask(id)).toEqual(await ask('12345'))
    }
  })

  test('the predicate and the SQL agree on any graph of people and statuses', async () => {
    const near = await Promise.all(Array.from({ length: 4 }, () => app.person('p')))
    const people = [...near, await remoteAccount(app.ctx)]
    const index = fc.integer({ min: 0, max: 4 })
    const pair = fc.tuple(index, index).filter(([a, b]) => a !== b)
    const graph = fc.record({
      follows: fc.uniqueArray(pair, { selector: String, maxLength: 8 }),
      blocks: fc.uniqueArray(pair, { selector: String, maxLength: 3 }),
      suspended: fc.uniqueArray(index, { maxLength: 1 }),
      statuses: fc.array(
        fc.record({
          author: fc.integer({ min: 0, max: 3 }),
          localOnly: fc.boolean(),
          visibility: fc.constantFrom(...visibilities),
          mentions: fc.uniqueArray(index, { maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(graph, async (made) => {
        const ids = await lay(people, made)
        for (const viewer of [null, 0, 1, 2, 3, 4]) {
          const viewerId = viewer === null ? null : accountOf(people, viewer)
          const { rows } = await sql<{ id: string }>`
            select s.id from statuses s where s.id = any(${ids}::bigint[]) and ${visibleTo(viewerId, 's')}`.execute(
            app.ctx.db,
          )
          const expected = made.statuses.flatMap((status, i) =>
            canSee(factsOf(people, made, status, viewer)) ? [ids[i]] : [],
          )
          expect(rows.map((row) => row.id).toSorted()).toEqual(expected.toSorted())
        }
      }),
      { numRuns: 40 },
    )
  })
})

interface Graph {
  follows: [number, number][]
  blocks: [number, number][]
  suspended: number[]
  statuses: { author: number; localOnly: boolean; visibility: StatusVisibility; mentions: number[] }[]
}

type Known = Pick<Person, 'accountId'>
const accountOf = (people: Known[], index: number) => (people[index] as Known).accountId

async function lay(people: Known[], graph: Graph): Promise<string[]> {
  const ids = people.map((person) => person.accountId)
  return app.ctx.transaction(async (tx) => {
    for (const table of ['follows', 'blocks'] as const) {
      await tx.db.deleteFrom(table).where('account_id', 'in', ids).execute()
      for (const [a, b] of graph[table]) {
        const row = {
          id: tx.newId<BlockId & FollowId>(),
          account_id: accountOf(people, a),
          target_account_id: accountOf(people, b),
        }
        await tx.db.insertInto(table).values(row).execute()
      }
    }
    await tx.db.updateTable('accounts').set({ suspended_at: null }).where('id', 'in', ids).execute()
    const suspended = graph.suspended.map((one) => accountOf(people, one))
    if (suspended.length > 0) {
      await tx.db
        .updateTable('accounts')
        .set({ suspended_at: new Date() })
        .where('id', 'in', suspended)
        .execute()
    }
    const made: string[] = []
    for (const status of graph.statuses) made.push(await layStatus(tx, people, status))
    return made
  })
}

async function layStatus(
  tx: Parameters<typeof insertStatus>[0],
  people: Known[],
  status: Graph['statuses'][number],
) {
  const id = tx.newId<StatusId>()
  await insertStatus(tx, {
    id,
    accountId: accountOf(people, status.author),
    text: 'x',
    content: '<p>x</p>',
    spoilerText: '',
    visibility: status.visibility as 'public',
    sensitive: false,
    language: 'en',
    parent: null,
    applicationId: null,
    contentType: 'text/plain',
    localOnly: status.localOnly,
    mediaIds: [],
    mentioned: [],
    quoteAutomatic: [],
    replyAutomatic: null,
  })
  for (const one of status.mentions) {
    await tx.db
      .insertInto('mentions')
      .values({ status_id: id, account_id: accountOf(people, one) })
      .execute()
  }
  return id
}

function factsOf(people: Known[], graph: Graph, status: Graph['statuses'][number], viewer: number | null) {
  const has = (list: [number, number][], a: number | null, b: number | null) =>
    list.some(([x, y]) => x === a && y === b)
  return {
    viewerId: viewer === null ? null : accountOf(people, viewer),
    authorId: accountOf(people, status.author),
    visibility: status.visibility,
    authorAvailable: !graph.suspended.includes(status.author),
    blockedByAuthor: has(graph.blocks, status.author, viewer),
    followsAuthor: has(graph.follows, viewer, status.author),
    mentioned: viewer !== null && status.mentions.includes(viewer),
    localOnly: status.localOnly,
    viewerIsLocal: viewer !== null && viewer < 4,
  }
}
