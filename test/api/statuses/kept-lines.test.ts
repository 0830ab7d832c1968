// What of statuses and their authors is kept in memory: the same by every way of asking, and never older than what was
// committed, in any process.
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '#app/context.ts'
import { loadStatusStatesOfMany } from '#domain/content/statuses/load-states-of-many.ts'
import { loadStatusStates } from '#domain/content/statuses/load-viewer-state.ts'
import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'
import { startTwoProcesses, type TwoProcesses } from '#test/app/two-processes.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { until } from '#test/run/patience.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

let two: TwoProcesses
let here: App
let there: App
beforeAll(async () => {
  two = await startTwoProcesses()
  ;({ here, there } = two)
})
afterAll(() => two?.close())

const visibilities: StatusVisibility[] = ['public', 'unlisted', 'private', 'direct']
const index = fc.integer({ min: 0, max: 3 })
const pair = fc.tuple(index, index)
const groups = fc.uniqueArray(fc.constantFrom('public', 'followers', 'following'), { maxLength: 2 })
const maybe = (list: typeof groups) => fc.option(list, { nil: null, freq: 2 })
const number = fc.integer({ min: 0, max: 5 })
const deed = fc.tuple(index, number)

const world = fc.record({
  statuses: fc.array(
    fc.record({
      author: index,
      visibility: fc.constantFrom(...visibilities, 'public' as const, 'unlisted' as const),
      localOnly: fc.boolean(),
      deleted: fc.constantFrom(true, false, false, false),
      quoteAutomatic: groups,
      quoteManual: groups,
      replyAutomatic: maybe(groups),
      replyManual: maybe(groups),
      /** An earlier one that it boosts. */
      boosts: fc.option(number, { nil: null }),
      mentions: fc.uniqueArray(index, { maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  follows: fc.uniqueArray(pair, { selector: String, maxLength: 5 }),
  blocks: fc.uniqueArray(pair, { selector: String, maxLength: 2 }),
  favourites: fc.uniqueArray(deed, { selector: String, maxLength: 6 }),
  bookmarks: fc.uniqueArray(deed, { selector: String, maxLength: 4 }),
  mutes: fc.uniqueArray(deed, { selector: String, maxLength: 4 }),
  pins: fc.uniqueArray(number, { maxLength: 3 }),
  suspended: fc.option(index, { nil: null, freq: 4 }),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** Makes it, of these people, and nothing besides. Returns the ids of its statuses. */
async function lay({ ctx }: App, people: readonly AccountId[], made: World): Promise<StatusId[]> {
  const ids: StatusId[] = []
  await ctx.transaction(async (tx) => {
    for (const table of ['follows', 'blocks', 'favourites', 'bookmarks', 'conversation_mutes'])
      await sql`delete from ${sql.table(table)} where account_id = any(${people}::bigint[])`.execute(tx.db)
    await sql`delete from statuses where account_id = any(${people}::bigint[])`.execute(tx.db)
    const suspended = made.suspended === null ? null : people[made.suspended]
    await sql`update accounts set suspended_at = case when id = ${suspended} then now() end
      where id = any(${people}::bigint[])`.execute(tx.db)
    const boosted = new Set<string>()
    for (const status of made.statuses) {
      const id = tx.newId<StatusId>()
      const boosts = status.boosts === null ? null : (ids[status.boosts] ?? null)
      const key = `${boosts} ${status.author}`
      const reblogOf = boosted.has(key) ? null : boosts
      boosted.add(key)
      await sql`insert into conversations (id) values (${id})`.execute(tx.db)
      await sql`
        insert into statuses (id, account_id, visibility, local_only, reblog_of_id, conversation_id, deleted_at,
          quote_automatic, quote_manual, reply_automatic, reply_manual)
        values (${id}, ${people[status.author]}, ${status.visibility}, ${status.localOnly}, ${reblogOf}, ${id},
          ${status.deleted ? new Date() : null}, ${status.quoteAutomatic}::text[], ${status.quoteManual}::text[],
          ${status.replyAutomatic}::text[], ${status.replyManual}::text[])`.execute(tx.db)
      for (const one of status.mentions)
        await sql`insert into mentions (status_id, account_id) values (${id}, ${people[one]})`.execute(tx.db)
      ids.push(id)
    }
    for (const table of ['follows', 'blocks'] as const)
      for (const [a, b] of made[table].filter(([one, other]) => one !== other))
        await sql`insert into ${sql.table(table)} (id, account_id, target_account_id)
          values (${tx.newId()}, ${people[a]}, ${people[b]})`.execute(tx.db)
    for (const table of ['favourites', 'bookmarks'] as const)
      for (const [a, n] of made[table].filter(([, one]) => ids[one] !== undefined))
        await sql`insert into ${sql.table(table)} (id, account_id, status_id)
          values (${tx.newId()}, ${people[a]}, ${ids[n]})`.execute(tx.db)
    for (const [a, n] of made.mutes.filter(([, one]) => ids[one] !== undefined))
      await sql`insert into conversation_mutes (account_id, conversation_id)
        values (${people[a]}, ${ids[n]}) on conflict do nothing`.execute(tx.db)
    for (const n of made.pins.filter((one) => ids[one] !== undefined))
      await sql`insert into status_pins (id, account_id, status_id)
        values (${tx.newId()}, ${people[(made.statuses[n] as World['statuses'][number]).author]}, ${ids[n]})`.execute(
        tx.db,
      )
  })
  return ids
}

describe('what people see of statuses', () => {
  test('is the same asked for one person as for many, whatever is kept', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, async () => (await two.person('p')).accountId))
    await fc.assert(
      fc.asyncProperty(world, fc.integer({ min: 0, max: 6 }), async (made, first) => {
        const ids = await lay(here, people, made)
        const many = await loadStatusStatesOfMany(there.ctx, people, ids)
        for (const viewer of people) {
          const expected = new Map(many.get(viewer)?.states)
          // Kept in part, and then as a whole.
          await loadStatusStates(here.ctx, viewer, ids.slice(first))
          expect(await loadStatusStates(here.ctx, viewer, ids)).toEqual(expected)
          // What they did is kept from the second time on.
          expect(await loadStatusStates(here.ctx, viewer, ids)).toEqual(expected)
          two.queries.length = 0
          expect(await loadStatusStates(here.ctx, viewer, ids)).toEqual(expected)
          expect(two.queries.length).toBeLessThanOrEqual(2)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('what is kept', () => {
  let author: Person
  let reader: Person
  let remote: AccountId
  let status: StatusId
  let remoteStatus: StatusId

  beforeAll(async () => {
    ;[author, reader] = [await two.person('author'), await two.person('reader')]
    remote = (await remoteAccount(here.ctx)).accountId
    status = asId<StatusId>((await author.say('Shown in every process')).id)
    remoteStatus = asId<StatusId>((await author.say('As if from elsewhere')).id)
    await sql`update statuses set account_id = ${remote}, local = false where id = ${remoteStatus}`.execute(
      here.ctx.db,
    )
  })

  const look = (app: App) => loadStatusStates(app.ctx, reader.accountId, [status, remoteStatus])

  const changes: Record<string, () => ReturnType<typeof sql>> = {
    'an edit': () => sql`update statuses set version = version + 1 where id = ${status}`,
    'a first favourite': () =>
      sql`insert into status_stats (status_id, favourites_count) values (${remoteStatus}, 1)`,
    'a further one': () =>
      sql`update status_stats set favourites_count = 2 where status_id = ${remoteStatus}`,
    'counters that go': () => sql`delete from status_stats where status_id = ${remoteStatus}`,
    'a profile of here': () => sql`update accounts set version = version + 1 where id = ${author.accountId}`,
    'a profile of elsewhere': () => sql`update accounts set version = version + 1 where id = ${remote}`,
    'a follower': () =>
      sql`insert into account_stats (account_id, followers_count) values (${remote}, 1)
        on conflict (account_id) do update set followers_count = account_stats.followers_count + 1`,
    'an author who waits': () =>
      sql`update users set approved = false where account_id = ${author.accountId}`,
    'an author who is let in': () =>
      sql`update users set approved = true where account_id = ${author.accountId}`,
    'fewer replies taken': () => sql`update statuses set reply_automatic = '{}' where id = ${status}`,
    'an author of here who is limited': () =>
      sql`update accounts set silenced_at = now() where id = ${author.accountId}`,
    'one of elsewhere who is limited': () =>
      sql`update accounts set silenced_at = now() where id = ${remote}`,
    'a suspension elsewhere': () => sql`update accounts set suspended_at = now() where id = ${remote}`,
    'its end': () => sql`update accounts set suspended_at = null where id = ${remote}`,
    'a deletion': () => sql`update statuses set deleted_at = now() where id = ${status}`,
    'a row that goes': () => sql`delete from statuses where id = ${remoteStatus}`,
  }

  test.each(Object.keys(changes))('is dropped everywhere by %s', async (name) => {
    const before = await look(here)
    expect(await look(there)).toEqual(before)
    const change = changes[name] as () => ReturnType<typeof sql>
    await here.ctx.transaction((tx) => change().execute(tx.db))
    const after = await look(here)
    expect(await look(there)).toEqual(after)
    expect(after).not.toEqual(before)
  })

  test('is dropped soon by what another program changes', async () => {
    const { id } = await author.say('Changed by hand')
    const versionIn = async (app: App) =>
      (await loadStatusStates(app.ctx, null, [asId<StatusId>(id)])).get(asId<StatusId>(id))?.line.version
    const before = Number(await versionIn(there))
    const psql = new pg.Client({ connectionString: two.databaseUrl })
    await psql.connect()
    await psql
      .query('update statuses set version = version + 1 where id = $1', [id])
      .finally(() => psql.end())
    await until(
      async () => (await versionIn(there)) !== before,
      () => 'it has heard',
    )
    expect(await versionIn(there)).toBe(before + 1)
  })

  test('is dropped at once by more changes than are told one by one, and in time where nothing is told', async () => {
    const [many, lost] = [await author.say('One of many'), await author.say('Lost on the way')]
    const ids = [many, lost].map(({ id }) => asId<StatusId>(id))
    const versions = async (app: App) => {
      const states = await loadStatusStates(app.ctx, null, ids)
      return ids.map((id) => states.get(id)?.line.version)
    }
    await versions(there)
    await sql`
      insert into statuses (id, account_id, visibility) select i, ${author.accountId}, 'public' from generate_series(1, 600) i`.execute(
      here.ctx.db,
    )
    await sql`update statuses set version = version + 1 where account_id = ${author.accountId}`.execute(
      here.ctx.db,
    )
    expect(await versions(there)).toEqual(await versions(here))
    const known = await versions(there)
    two.cut(true)
    await sql`update statuses set version = version + 1 where id = ${ids[1]}`.execute(here.ctx.db)
    two.cut(false)
    expect(await versions(there)).toEqual(known)
    two.clock.advance(5_000)
    expect(await versions(there)).toEqual(await versions(here))
    expect(await versions(there)).not.toEqual(known)
  })
})
