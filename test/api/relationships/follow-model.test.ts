// Rows and counters of follows against a simple model, and under load from many at once.
import { sql } from 'kysely'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { asId, type AccountId } from '#lib/id.ts'

const app = useApp()

const verbs = [
  'follow',
  'unfollow',
  'block',
  'unblock',
  'remove',
  'authorize',
  'reject',
  'lock',
  'unlock',
] as const
type Step = { verb: (typeof verbs)[number]; from: number; to: number }
const size = 4

interface Model {
  follows: Set<string>
  requests: Set<string>
  blocks: Set<string>
  locked: Set<number>
}

const key = (from: number, to: number) => `${from}>${to}`

function apply(model: Model, { verb, from, to }: Step): void {
  const [forth, back] = [key(from, to), key(to, from)]
  if (verb === 'lock') model.locked.add(from)
  if (verb === 'unlock') model.locked.delete(from)
  if (from === to) return
  if (verb === 'follow' && !model.blocks.has(forth) && !model.blocks.has(back) && !model.follows.has(forth)) {
    if (!model.requests.has(forth)) (model.locked.has(to) ? model.requests : model.follows).add(forth)
  }
  if (verb === 'unfollow' || verb === 'block')
    for (const set of [model.follows, model.requests]) set.delete(forth)
  if (verb === 'block') for (const set of [model.follows, model.requests]) set.delete(back)
  if (verb === 'block') model.blocks.add(forth)
  if (verb === 'unblock') model.blocks.delete(forth)
  if (verb === 'remove') model.follows.delete(back)
  if (verb === 'authorize' && model.requests.delete(back)) model.follows.add(back)
  if (verb === 'reject') model.requests.delete(back)
}

async function perform(people: readonly Person[], { verb, from, to }: Step): Promise<void> {
  const [me, other] = [people[from]!, people[to]!.accountId]
  if (verb === 'lock' || verb === 'unlock') {
    await sql`update accounts set locked = ${verb === 'lock'} where id = ${me.accountId}`.execute(app.ctx.db)
  } else if (verb === 'authorize' || verb === 'reject')
    await me.post(`/api/v1/follow_requests/${other}/${verb}`)
  else await me.post(`/api/v1/accounts/${other}/${verb === 'remove' ? 'remove_from_followers' : verb}`)
}

async function readPairs(people: readonly Person[], table: string): Promise<Set<string>> {
  const index = new Map(people.map((person, i) => [person.accountId, i]))
  const { rows } = await sql<{ account_id: string; target_account_id: string }>`
    select account_id, target_account_id from ${sql.table(table)}
    where account_id = any(${people.map((person) => person.accountId)}::bigint[])`.execute(app.ctx.db)
  return new Set(
    rows.map((row) =>
      key(index.get(asId<AccountId>(row.account_id))!, index.get(asId<AccountId>(row.target_account_id))!),
    ),
  )
}

/** Accounts whose counters differ from their rows. */
async function wrongCounters(people: readonly Person[]): Promise<unknown[]> {
  const { rows } = await sql`
    select account_id, followers_count, following_count from account_stats s
    where account_id = any(${people.map((person) => person.accountId)}::bigint[]) and (
      followers_count <> (select count(*) from follows f where f.target_account_id = s.account_id)
      or following_count <> (select count(*) from follows f where f.account_id = s.account_id))`.execute(
    app.ctx.db,
  )
  return rows
}

const crowd = () => Promise.all(Array.from({ length: size }, () => app.person('model')))
const step = fc.record({ verb: fc.constantFrom(...verbs), from: fc.nat(size - 1), to: fc.nat(size - 1) })

describe('follows', () => {
  test('are as a simple model says after any sequence of steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const people = await crowd()
        const model: Model = { follows: new Set(), requests: new Set(), blocks: new Set(), locked: new Set() }
        for (const one of steps) {
          apply(model, one)
          await perform(people, one)
        }
        expect(await readPairs(people, 'follows')).toEqual(model.follows)
        expect(await readPairs(people, 'follow_requests')).toEqual(model.requests)
        expect(await readPairs(people, 'blocks')).toEqual(model.blocks)
        expect(await wrongCounters(people)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('counters equal rows after many steps at once, and nothing fails or stands beside a block [ROB-14]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const people = await crowd()
        await Promise.all(steps.map((one) => perform(people, one)))
        expect(await wrongCounters(people)).toEqual([])
        const [follows, blocks] = [await readPairs(people, 'follows'), await readPairs(people, 'blocks')]
        for (const pair of blocks) {
          expect(follows).not.toContain(pair)
          expect(follows).not.toContain(pair.split('>').toReversed().join('>'))
        }
      }),
      { numRuns: 10 },
    )
    expect(app.logLines.filter((line) => line.level === 'error')).toEqual([])
  })
})
