// Pages of which an index is walked, and what is kept of statuses and accounts decides who sees what: the same as the
// database finds by its conditions, however much of a list somebody does not see.
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { notificationSource } from '#domain/reading/notifications/queries.ts'
import { listAccountStatuses } from '#domain/reading/timelines/account.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { PageRequest } from '#lib/page.ts'
import type { AccountId, StatusId, TagId } from '#lib/id.ts'

const app = useApp()
let people: Person[]
/** Those, and one of another server. */
let accounts: AccountId[]

beforeAll(async () => {
  people = await Promise.all(['ann', 'ben', 'cat'].map((name) => app.person(name)))
  const { accountId } = await remoteAccount(app.ctx, 'elsewhere.example')
  accounts = [...people.map((one) => one.accountId), accountId]
})

const local = fc.integer({ min: 0, max: 2 })
const anybody = fc.integer({ min: 0, max: 3 })
const pair = fc.tuple(local, anybody)
const pairs = fc.uniqueArray(pair, { selector: String, maxLength: 2 })

const world = fc.record({
  statuses: fc.array(
    fc.record({
      // One writes most, so that her pages are long.
      author: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: anybody }),
      visibility: fc.constantFrom('public', 'public', 'public', 'unlisted', 'private', 'direct'),
      localOnly: fc.constantFrom(true, false, false, false),
      deleted: fc.constantFrom(true, false, false, false),
      boosts: fc.option(fc.nat(), { nil: null, freq: 2 }),
      mentions: fc.option(local, { nil: null, freq: 4 }),
    }),
    { minLength: 4, maxLength: 30 },
  ),
  follows: fc.uniqueArray(pair, { selector: String, maxLength: 4 }),
  blocks: fc.uniqueArray(fc.tuple(anybody, anybody), { selector: String, maxLength: 3 }),
  /** Hours for which they last; null: for good. */
  mutes: fc.uniqueArray(
    fc.record({ of: pair, hours: fc.constantFrom(null, 1, -1), notifications: fc.boolean() }),
    { selector: ({ of }) => String(of), maxLength: 5 },
  ),
  hidesServer: fc.uniqueArray(local, { maxLength: 1 }),
  limited: fc.option(anybody, { nil: null, freq: 3 }),
  suspended: fc.option(anybody, { nil: null, freq: 4 }),
  notified: pairs,
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

const cleared = [
  'follows',
  'blocks',
  'mutes',
  'account_domain_blocks',
  'notifications',
  'status_pins',
  'statuses',
]

/** Makes it, and nothing besides. */
async function lay(made: World): Promise<StatusId[]> {
  return app.ctx.transaction(async (tx) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(tx.db)
    for (const table of cleared)
      await run(sql`delete from ${sql.table(table)} where account_id = any(${accounts}::bigint[])`)
    const at = (place: number | null) => (place === null ? null : accounts[place])
    await run(sql`
      update accounts set silenced_at = case when id = ${at(made.limited)} then now() end,
        suspended_at = case when id = ${at(made.suspended)} then now() end
      where id = any(${accounts}::bigint[])`)
    const tagId = tx.newId<TagId>()
    await run(
      sql`insert into tags (id, name, display_name) values (${tagId}, 'walked', 'walked') on conflict do nothing`,
    )
    const ids: StatusId[] = []
    const boosted = new Set<string>()
    const isBoost = new Set<StatusId>()
    for (const { author, boosts, ...status } of made.statuses) {
      const id = tx.newId<StatusId>()
      const wanted = boosts === null ? null : (ids[boosts % ids.length] ?? null)
      // Boosts themselves are not boosted.
      const original = wanted !== null && isBoost.has(wanted) ? null : wanted
      const key = `${author} ${original}`
      const reblogOf = boosted.has(key) ? null : original
      boosted.add(key)
      if (reblogOf !== null) isBoost.add(id)
      await run(sql`insert into conversations (id) values (${id})`)
      await run(sql`
        insert into statuses (id, account_id, visibility, local_only, local, uri, reblog_of_id, conversation_id, deleted_at)
        values (${id}, ${at(author)}, ${status.visibility}, ${status.localOnly}, ${author < 3},
          ${author < 3 ? null : `https://elsewhere.example/${id}`}, ${reblogOf}, ${id}, ${status.deleted ? new Date() : null})`)
      if (status.mentions !== null)
        await run(sql`insert into mentions (status_id, account_id) values (${id}, ${at(status.mentions)})`)
      if (reblogOf === null)
        await run(
          sql`insert into status_tags (tag_id, status_id) select id, ${id} from tags where name = 'walked'`,
        )
      ids.push(id)
    }
    for (const table of ['follows', 'blocks'] as const)
      for (const [one, other] of made[table].filter(([a, b]) => a !== b))
        await run(sql`insert into ${sql.table(table)} (id, account_id, target_account_id)
          values (${tx.newId()}, ${at(one)}, ${at(other)})`)
    for (const { of, hours, notifications } of made.mutes.filter(({ of: [a, b] }) => a !== b))
      await run(sql`insert into mutes (id, account_id, target_account_id, hide_notifications, expires_at)
        values (${tx.newId()}, ${at(of[0])}, ${at(of[1])}, ${notifications},
          ${hours === null ? null : new Date(app.ctx.clock.now() + hours * 3_600_000)})`)
    for (const one of made.hidesServer)
      await run(sql`insert into account_domain_blocks (id, account_id, domain)
        values (${tx.newId()}, ${at(one)}, 'elsewhere.example')`)
    // Everybody of here is told of all posts of others, boosts left out, and of some who follow them.
    for (const [place, id] of ids.entries())
      await run(sql`
        insert into notifications (id, account_id, from_account_id, type, status_id, group_key)
        select n.id, a.id, ${at(made.statuses[place]!.author)}, 'status', ${id}, n.id::text
        from unnest(${accounts.slice(0, 3)}::bigint[]) a (id)
        cross join lateral (select nextval('notification_ids') as id where a.id is not null) n
        join statuses s on s.id = ${id} and s.reblog_of_id is null
        where a.id <> ${at(made.statuses[place]!.author)}`)
    for (const [one, other] of made.notified.filter(([a, b]) => a !== b))
      await run(sql`
        insert into notifications (id, account_id, from_account_id, type, group_key)
        values (nextval('notification_ids'), ${at(one)}, ${at(other)}, 'follow', 'follow')`)
    return ids
  })
}

const asked = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  by: fc.constantFrom('max_id', 'min_id', 'since_id', null),
  cursor: fc.integer({ min: 0, max: 29 }),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

function pageOf({ limit, by, cursor }: Asked, ids: readonly string[]) {
  const at = ids[cursor % Math.max(1, ids.length)] ?? '0'
  const names = { max_id: 'maxId', min_id: 'minId', since_id: 'sinceId' } as const
  const request: PageRequest = by === null ? { limit } : { limit, [names[by]]: at }
  return { request, query: by === null ? `limit=${limit}` : `limit=${limit}&${by}=${at}` }
}

const idsOf = (list: Json[]): string[] => list.map(({ id }) => id)
const read = async (client: Client, path: string) => idsOf((await client.get(path)).ok())

/** Whoever looks, as the API has them, and as the domain has them. */
const onlookers = (): [Client, AccountId | null][] => [
  ...people.map((one): [Client, AccountId] => [one, one.accountId]),
  [app.anonymous, null],
]

/** People whose logins are not suspended, and a stranger. */
const lookersOf = (made: World) => onlookers().filter((_, place) => place !== made.suspended)

test('the posts of an account, by their conditions', async () => {
  await fc.assert(
    fc.asyncProperty(world, asked, async (made, one) => {
      const ids = await lay(made)
      const { request, query } = pageOf(one, ids)
      for (const [place, accountId] of accounts.entries()) {
        if (place === made.suspended) continue
        for (const [client, viewerId] of lookersOf(made)) {
          for (const excludeReblogs of [false, true]) {
            const expected = await listAccountStatuses(
              app.ctx,
              viewerId,
              { accountId, options: { excludeReblogs } },
              request,
            )
            const path = `/api/v1/accounts/${accountId}/statuses?exclude_reblogs=${excludeReblogs}&${query}`
            expect(await read(client, path)).toEqual(expected.items)
          }
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('the posts of a hashtag, and those of everybody', async () => {
  await fc.assert(
    fc.asyncProperty(world, asked, async (made, one) => {
      const { query } = pageOf(one, await lay(made))
      // What strangers share for a second is of the world before.
      app.clock.advance(1_000)
      for (const [client] of lookersOf(made)) {
        for (const origin of ['', '&local=true', '&remote=true']) {
          // With a tag that they must have, too, the database looks through them.
          const expected = await read(client, `/api/v1/timelines/tag/walked?all[]=walked&${query}${origin}`)
          expect(await read(client, `/api/v1/timelines/tag/walked?${query}${origin}`)).toEqual(expected)
          // No other posts are there, none answers any, and all have the tag.
          expect(await read(client, `/api/v1/timelines/public?${query}${origin}`)).toEqual(expected)
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('notifications, whoever they are from and whatever they are about', async () => {
  await fc.assert(
    fc.asyncProperty(world, asked, async (made, one) => {
      await lay(made)
      for (const [place, person] of people.entries()) {
        if (place === made.suspended) continue
        const recipient = { accountId: person.accountId, permissions: 0n }
        const { rows } = await sql<{ id: string; status_id: string | null }>`
          select n.id, n.status_id ${await notificationSource(app.ctx, recipient, {})} order by n.id desc`.execute(
          app.ctx.db,
        )
        const all = rows.map(({ id }) => id)
        const { query } = pageOf(one, all)
        const { by, limit, cursor } = one
        const at = cursor % Math.max(1, all.length)
        const expected = {
          max_id: all.slice(at + 1).slice(0, limit),
          min_id: all.slice(0, at).slice(-limit),
          since_id: all.slice(0, at).slice(0, limit),
          none: all.slice(0, limit),
        }[all.length === 0 ? 'none' : (by ?? 'none')]
        expect(await read(person, `/api/v1/notifications?${query}`)).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})
