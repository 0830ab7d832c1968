// One's own account is kept in memory between two looks at it, and never older than what was committed, in any process.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '#app/context.ts'
import { startTwoProcesses, type TwoProcesses } from '#test/app/two-processes.ts'
import type { Person } from '#test/people/people.ts'
import { until } from '#test/run/patience.ts'
import { viewCredentialAccount } from '#views/identity/credential-account.ts'

let two: TwoProcesses
let owner: Person
let other: Person
beforeAll(async () => {
  two = await startTwoProcesses()
  ;[owner, other] = [await two.person('owner'), await two.person('other')]
  await owner.patch('/api/v1/accounts/update_credentials', { locked: true })
})
afterAll(() => two?.close())

const look = ({ ctx }: App) => viewCredentialAccount(ctx, owner.accountId)
const waiting = async (app: App) => (await look(app)).source.follow_requests_count
const ask = () => other.post(`/api/v1/accounts/${owner.accountId}/follow`)
const answer = (how: 'authorize' | 'reject') =>
  owner.post(`/api/v1/follow_requests/${other.accountId}/${how}`)

/** In this order; each changes what the owner sees. */
const deeds: Record<string, () => Promise<{ ok(): unknown }>> = {
  'somebody who asks to follow': ask,
  'somebody who asks no longer': () => other.post(`/api/v1/accounts/${owner.accountId}/unfollow`),
  'somebody who asks again': ask,
  'one who is refused': () => answer('reject'),
  'one who asks once more': ask,
  'one who is let in': () => answer('authorize'),
  'a follower who goes': () => owner.post(`/api/v1/accounts/${other.accountId}/remove_from_followers`),
  'one who asks a last time': ask,
  'one who is blocked': () => owner.post(`/api/v1/accounts/${other.accountId}/block`),
  'a status': () => owner.post('/api/v1/statuses', { status: 'Counted at once' }),
  'a new name': () => owner.patch('/api/v1/accounts/update_credentials', { display_name: 'Another' }),
  'a new preference': () =>
    owner.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'unlisted' } }),
}

describe('what people see of their own account', () => {
  test.each(Object.keys(deeds))('changes everywhere with %s', async (name) => {
    const before = await look(two.here)
    expect(await look(two.there)).toEqual(before)
    ;(await (deeds[name] as () => Promise<{ ok(): unknown }>)()).ok()
    const after = await look(two.here)
    expect(after).not.toEqual(before)
    expect(await look(two.there)).toEqual(after)
  })

  test('is asked of the database once', async () => {
    await look(two.here)
    two.queries.length = 0
    ;(await owner.get('/api/v1/accounts/verify_credentials')).ok()
    ;(await owner.get('/api/v1/accounts/verify_credentials')).ok()
    expect(two.queries.filter((text) => /follow_requests_count/.test(text))).toEqual([])
  })

  test('changes soon with what another program does', async () => {
    const third = await two.person('third')
    ;(await third.post(`/api/v1/accounts/${owner.accountId}/follow`)).ok()
    expect(await waiting(two.there)).toBe(1)
    const psql = new pg.Client({ connectionString: two.databaseUrl })
    await psql.connect()
    await psql
      .query('delete from follow_requests where account_id = $1', [third.accountId])
      .finally(() => psql.end())
    await until(
      async () => (await waiting(two.there)) === 0,
      () => 'it has heard',
    )
    expect(await waiting(two.there)).toBe(0)
  })

  test('is in time where nothing is told', async () => {
    const late = await two.person('late')
    expect(await waiting(two.there)).toBe(0)
    two.cut(true)
    ;(await late.post(`/api/v1/accounts/${owner.accountId}/follow`)).ok()
    two.cut(false)
    expect([await waiting(two.here), await waiting(two.there)]).toEqual([1, 0])
    two.clock.advance(5_000)
    expect(await waiting(two.there)).toBe(1)
  })
})
