import { describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { refreshPopular } from '#domain/reading/suggestions/popular.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { discoverable } from '#test/people/trending.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()

const suggested = async (client: Client, query: Record<string, unknown> = {}): Promise<Json[]> =>
  (await client.get('/api/v2/suggestions', query)).ok()
const ids = async (client: Client, query: Record<string, unknown> = {}) =>
  (await suggested(client, query)).map((one) => one.account.id)

/** Somebody who follows a friend, who follows each of these. */
async function friendOf(
  others: readonly { accountId: AccountId }[],
): Promise<{ me: Person; friend: Person }> {
  const [me, friend] = [await app.person('me'), await app.person('friend')]
  await me.follow(friend)
  for (const { accountId } of others) (await friend.post(`/api/v1/accounts/${accountId}/follow`)).ok()
  return { me, friend }
}

const update = (accountId: AccountId, values: Record<string, unknown>) =>
  app.ctx.db
    .updateTable('accounts')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .execute()

describe('where suggestions come from', () => {
  test('friends of friends, in both versions [4-50]', async () => {
    const carol = await discoverable(app, 'carol')
    const { me } = await friendOf([carol])
    const [only, ...rest] = await suggested(me)
    expect(rest).toEqual([])
    expect(only).toMatchObject({
      source: 'past_interactions',
      sources: ['friends_of_friends'],
      account: { id: carol.accountId, username: carol.username },
    })
    const [older, ...others] = (await me.get('/api/v1/suggestions')).ok()
    expect(others).toEqual([])
    expect(older).toEqual(only.account)
  })

  test('those whom the followers of whom one has just followed follow too', async () => {
    const [me, found, fan, alike] = [
      await app.person('me'),
      await app.person('found'),
      await app.person('fan'),
      await discoverable(app, 'alike'),
    ]
    await fan.follow(found)
    await fan.follow(alike)
    await me.follow(found)
    expect(await suggested(me)).toMatchObject([
      { sources: ['similar_to_recently_followed'], account: { id: alike.accountId } },
    ])
  })

  test('hidden networks are not looked at [ACC-4]', async () => {
    const carol = await discoverable(app, 'carol')
    const { me, friend } = await friendOf([carol])
    await update(friend.accountId, { hide_collections: true })
    expect(await ids(me)).toEqual([])
  })

  test('those whom the server features, the popular and the liked', async () => {
    const [featured, popular, liked, me] = [
      await discoverable(app, 'featured'),
      await discoverable(app, 'popular'),
      await discoverable(app, 'liked'),
      await app.person('me'),
    ]
    const [one, two] = [await app.person('one'), await app.person('two')]
    for (const person of [one, two]) await person.follow(popular)
    const { id } = await liked.say('likeable')
    ;(await one.post(`/api/v1/statuses/${id}/favourite`)).ok()
    ;(await two.post(`/api/v1/statuses/${id}/reblog`)).ok()
    await setSetting(app.ctx, 'bootstrap_timeline_accounts', `nobody, @${featured.username}@chat.example`)
    await refreshPopular(app.ctx)
    const found = await suggested(me)
    await setSetting(app.ctx, 'bootstrap_timeline_accounts', '')
    const of = (person: Person) => found.find((one) => one.account.id === person.accountId)
    expect(found[0]).toMatchObject({ source: 'staff', sources: ['featured'] })
    expect(found[0].account.id).toBe(featured.accountId)
    expect(of(popular)).toMatchObject({ source: 'global', sources: ['most_followed'] })
    expect(of(liked)).toMatchObject({ source: 'global', sources: ['most_interactions'] })
    const rows = () => app.ctx.db.selectFrom('popular_accounts').selectAll().orderBy('account_id').execute()
    const without = async () => (await rows()).map(({ updated_at: _, ...row }) => row)
    const before = await without()
    expect(before).toContainEqual({ account_id: popular.accountId, followers: 2, fans: 0 })
    expect(before).toContainEqual({ account_id: liked.accountId, followers: 0, fans: 2 })
    await refreshPopular(app.ctx)
    expect(await without()).toEqual(before)
    await app.ctx.db.deleteFrom('popular_accounts').execute()
  })

  test('what only inactive people follow is not popular', async () => {
    const [popular, fan] = [await discoverable(app, 'popular'), await app.person('fan')]
    await fan.follow(popular)
    await app.ctx.db
      .updateTable('users')
      .set({ last_active_at: new Date(app.clock.now() - days(40)) })
      .where('id', '=', fan.userId)
      .execute()
    await refreshPopular(app.ctx)
    const rows = await app.ctx.db.selectFrom('popular_accounts').select('account_id').execute()
    expect(rows.map((row) => row.account_id)).not.toContain(popular.accountId)
    await app.ctx.db.deleteFrom('popular_accounts').execute()
  })
})

describe('who is left out [4-51] [4-53] [4-54]', () => {
  const now = () => new Date(app.clock.now())

  test.each<[string, (other: Person, me: Person) => Promise<unknown>]>([
    ['[4-51] suspended accounts', (other) => update(other.accountId, { suspended_at: now() })],
    ['ACC-16: limited accounts', (other) => update(other.accountId, { silenced_at: now() })],
    ['deleted accounts', (other) => update(other.accountId, { deleted_at: now() })],
    ['[4-53] locked accounts', (other) => update(other.accountId, { locked: true })],
    [
      '[4-53] moved accounts',
      async (other) => update(other.accountId, { moved_to_account_id: (await app.person('new')).accountId }),
    ],
    ['memorials', (other) => update(other.accountId, { memorial: true })],
    ['ACC-4: those who do not want to be found', (other) => update(other.accountId, { discoverable: false })],
    ['ACC-4: those who never said so', (other) => update(other.accountId, { discoverable: null })],
    ['[4-52] blocked accounts', (other, me) => me.post(`/api/v1/accounts/${other.accountId}/block`)],
    ['[4-52] muted accounts', (other, me) => me.post(`/api/v1/accounts/${other.accountId}/mute`)],
    ['those who block the viewer', (other, me) => other.post(`/api/v1/accounts/${me.accountId}/block`)],
    ['[4-54] accounts already followed', (other, me) => me.follow(other)],
    [
      'those who were asked',
      async (other, me) => {
        await update(other.accountId, { locked: true })
        await me.follow(other)
        await update(other.accountId, { locked: false })
      },
    ],
    ['[4-110] dismissed ones', (other, me) => me.delete(`/api/v1/suggestions/${other.accountId}`)],
    [
      'the unconfirmed',
      (other) =>
        app.ctx.db.updateTable('users').set({ confirmed_at: null }).where('id', '=', other.userId).execute(),
    ],
  ])('%s', async (_, change) => {
    const [other, stays] = [await discoverable(app, 'other'), await discoverable(app, 'stays')]
    const { me } = await friendOf([other, stays])
    expect((await ids(me)).toSorted()).toEqual([other.accountId, stays.accountId].toSorted())
    await change(other, me)
    expect(await ids(me)).toEqual([stays.accountId])
    expect((await me.get('/api/v1/suggestions')).ok().map((one: Json) => one.id)).toEqual([stays.accountId])
  })

  test('accounts of hidden domains [4-52]', async () => {
    const away = await remoteAccount(app.ctx, 'hidden.example')
    await update(away.accountId, { discoverable: true })
    const { me, friend } = await friendOf([])
    await app.ctx.db
      .insertInto('follows')
      .values({ id: app.ctx.newId(), account_id: friend.accountId, target_account_id: away.accountId })
      .execute()
    expect(await ids(me)).toEqual([away.accountId])
    ;(await me.post('/api/v1/domain_blocks', { domain: 'hidden.example' })).ok()
    expect(await ids(me)).toEqual([])
  })

  test('the viewer', async () => {
    const { me, friend } = await friendOf([])
    await update(me.accountId, { discoverable: true })
    await friend.follow(me)
    expect(await ids(me)).toEqual([])
  })
})

test('recently updated accounts come first [4-55]', async () => {
  const [old, recent, lately] = [
    await discoverable(app, 'old'),
    await discoverable(app, 'recent'),
    await discoverable(app, 'lately'),
  ]
  const { me } = await friendOf([old, recent, lately])
  const ago = (count: number) => new Date(app.clock.now() - days(count))
  await update(old.accountId, { updated_at: ago(200) })
  await update(recent.accountId, { updated_at: ago(5) })
  await update(lately.accountId, { updated_at: ago(300) })
  await lately.say('back again')
  expect(await ids(me)).toEqual([lately.accountId, recent.accountId, old.accountId])
})

test('limit and offset', async () => {
  const others: Person[] = []
  for (let n = 0; n < 3; n++) others.push(await discoverable(app, 'other'))
  const { me } = await friendOf(others)
  const all = await ids(me)
  expect(all).toHaveLength(3)
  expect(await ids(me, { limit: 2 })).toEqual(all.slice(0, 2))
  expect(await ids(me, { limit: 2, offset: 2 })).toEqual(all.slice(2))
  expect(await ids(me, { limit: 'x', offset: '-' })).toEqual(all)
})

describe('removing a suggestion [4-110]', () => {
  test('works once and again, for accounts that are there or not', async () => {
    const other = await discoverable(app, 'other')
    const { me } = await friendOf([other])
    for (const id of [other.accountId, other.accountId, '1', 'nonsense']) {
      const answer = await me.delete(`/api/v1/suggestions/${id}`)
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
    expect(await ids(me)).toEqual([])
  })

  test('is for oneself alone', async () => {
    const other = await discoverable(app, 'other')
    const { me, friend } = await friendOf([other])
    const neighbour = await app.person('neighbour')
    await neighbour.follow(friend)
    ;(await me.delete(`/api/v1/suggestions/${other.accountId}`)).ok()
    expect(await ids(neighbour)).toEqual([other.accountId])
  })
})

test('a token with the scope is needed', async () => {
  const me = await app.person('me')
  const [reading, writing] = [await app.withScopes(me, ['read:follows']), await app.withScopes(me, ['read'])]
  for (const path of ['/api/v1/suggestions', '/api/v2/suggestions']) {
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await reading.get(path)).status).toBe(403)
    expect((await writing.get(path)).status).toBe(200)
  }
  expect((await app.anonymous.delete('/api/v1/suggestions/1')).status).toBe(401)
  expect((await writing.delete('/api/v1/suggestions/1')).status).toBe(403)
})

test('queries do not grow with the list', async () => {
  const others: Person[] = []
  for (let n = 0; n < 4; n++) others.push(await discoverable(app, 'other'))
  const { me } = await friendOf(others)
  const count = async (limit: number) => {
    const queries = await app.countQueries(() => suggested(me, { limit }))
    return queries.filter((query) => !query.includes('from settings')).length
  }
  await count(4)
  expect(await count(4)).toBe(await count(1))
})
