import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { discoverable } from '#test/people/trending.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/directory'
let away: { accountId: AccountId }
let one: Person
let two: Person

const listed = async (client: Client = app.anonymous, query: Record<string, unknown> = {}) =>
  (await client.get(path, query)).ok().map((account: Json) => account.id)

const update = (accountId: AccountId, values: Record<string, unknown>) =>
  app.ctx.db
    .updateTable('accounts')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .execute()

beforeAll(async () => {
  away = await remoteAccount(app.ctx, 'away.example')
  await update(away.accountId, { discoverable: true })
  ;[one, two] = [await discoverable(app, 'one'), await discoverable(app, 'two')]
  await two.say('first')
  app.clock.advance(minutes(1))
  await one.say('second')
  await app.ctx.db
    .insertInto('account_stats')
    .values({
      account_id: away.accountId,
      statuses_count: 3,
      last_status_at: new Date(app.clock.now() + 60_000),
    })
    .execute()
})

describe('the profile directory [4-58]', () => {
  test('has who wrote last first, as accounts', async () => {
    expect(await listed()).toEqual([away.accountId, one.accountId, two.accountId])
    expect(await listed(one)).toEqual([away.accountId, one.accountId, two.accountId])
    const [first] = (await app.anonymous.get(path, { limit: 1, offset: 1 })).ok()
    expect(first).toMatchObject({ username: one.username, discoverable: true, statuses_count: 1 })
  })

  test('is filtered by place, and ordered by age when asked to [4-106]', async () => {
    expect(await listed(app.anonymous, { order: 'new' })).toEqual([
      two.accountId,
      one.accountId,
      away.accountId,
    ])
    expect(await listed(app.anonymous, { order: 'active' })).toEqual(await listed())
    expect(await listed(app.anonymous, { order: 'odd' })).toEqual(await listed())
    expect(await listed(app.anonymous, { local: true })).toEqual([one.accountId, two.accountId])
    expect(await listed(app.anonymous, { local: '1', order: 'new' })).toEqual([two.accountId, one.accountId])
  })

  test('has limit and offset', async () => {
    const all = await listed()
    expect(await listed(app.anonymous, { limit: 2 })).toEqual(all.slice(0, 2))
    expect(await listed(app.anonymous, { limit: 2, offset: 2 })).toEqual(all.slice(2))
    expect(await listed(app.anonymous, { offset: 999_999_999 })).toEqual([])
    expect(await listed(app.anonymous, { limit: 'x', offset: '-' })).toEqual(all)
  })

  test('leaves out who is limited, gone, silent or does not want to be found [ACC-4] [ACC-14]', async () => {
    const before = await listed()
    const changes: Record<string, unknown>[] = [
      { silenced_at: new Date() },
      { suspended_at: new Date() },
      { deleted_at: new Date() },
      { moved_to_account_id: one.accountId },
      { discoverable: false },
      { discoverable: null },
    ]
    for (const change of changes) {
      const person = await discoverable(app, 'left')
      await person.say('here')
      expect((await listed())[1]).toBe(person.accountId)
      await update(person.accountId, change)
      expect([change, await listed()]).toEqual([change, before])
      expect(await listed(person, { order: 'new' })).not.toContain(person.accountId)
    }
    await discoverable(app, 'silent')
    const deleting = await discoverable(app, 'deleting')
    const { id } = await deleting.say('soon gone')
    ;(await deleting.delete(`/api/v1/statuses/${id}`)).ok()
    expect(await listed()).toEqual(before)
  })

  test('leaves out whom the viewer blocks, mutes, hides or is blocked by [ACC-4]', async () => {
    const reader = await app.person('reader')
    const all = await listed(reader)
    for (const [from, to, verb] of [
      [reader, one, 'block'],
      [reader, one, 'mute'],
      [one, reader, 'block'],
    ] as const) {
      ;(await from.post(`/api/v1/accounts/${to.accountId}/${verb}`)).ok()
      expect(await listed(reader)).toEqual([away.accountId, two.accountId])
      ;(await from.post(`/api/v1/accounts/${to.accountId}/un${verb}`)).ok()
    }
    ;(await reader.post('/api/v1/domain_blocks', { domain: 'away.example' })).ok()
    expect(await listed(reader)).toEqual([one.accountId, two.accountId])
    ;(await reader.delete('/api/v1/domain_blocks', { domain: 'away.example' })).ok()
    expect(await listed(reader)).toEqual(all)
  })
})

test('any good token will do, a bad one will not', async () => {
  expect((await (await app.withScopes(one, ['push'])).get(path)).status).toBe(200)
  expect((await app.fetch(path, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
})

test('queries do not grow with the list', async () => {
  const count = async (limit: number) => {
    const queries = await app.countQueries(() => listed(one, { limit }))
    return queries.filter((query) => !query.includes('from settings')).length
  }
  await count(3)
  expect(await count(3)).toBe(await count(1))
})

test('404 when the server has none', async () => {
  await setSetting(app.ctx, 'profile_directory', false)
  expect((await app.anonymous.get(path)).status).toBe(404)
  await setSetting(app.ctx, 'profile_directory', true)
  expect((await app.anonymous.get(path)).status).toBe(200)
})
