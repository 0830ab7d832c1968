import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mergeAccepted } from '#domain/reading/notifications/answer-requests.ts'
import { trimNotifications } from '#domain/reading/notifications/trim.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/notifications/requests'

/** Somebody who wants to hear only of those they follow. */
async function choosy(): Promise<Person> {
  const person = await app.person('reader')
  ;(await person.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })).ok()
  return person
}

async function requestsOf(person: Person, query: Record<string, unknown> = {}): Promise<Json[]> {
  await app.settle()
  return (await person.get(path, query)).ok()
}

async function kindsOf(person: Person, query: Record<string, unknown> = {}): Promise<string[]> {
  await app.settle()
  const found: Json[] = (await person.get('/api/v1/notifications', query)).ok()
  return found.map((one) => one.type)
}

const knock = (sender: Person, reader: Person, text = 'hi') => sender.say(`@${reader.username} ${text}`)
const suspend = (accountId: AccountId, since: Date | null) =>
  sql`update accounts set suspended_at = ${since}, version = version + 1 where id = ${accountId}`.execute(
    app.ctx.db,
  )

describe('a request', () => {
  test('gathers what is set aside of one sender, with the latest message', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    const first = await knock(sender, reader)
    const [request] = await requestsOf(reader)
    expect(request).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      notifications_count: '1',
      account: { id: sender.accountId },
      last_status: { id: first.id },
    })
    const second = await knock(sender, reader, 'hello?')
    await app.settle()
    await sender.follow(reader)
    const [later, ...more] = await requestsOf(reader)
    expect(more).toEqual([])
    expect(later).toMatchObject({
      id: request.id,
      created_at: request.created_at,
      notifications_count: '3',
      last_status: { id: second.id },
    })
    expect(Date.parse(later.updated_at)).toBeGreaterThan(Date.parse(request.updated_at))
    expect((await reader.get(`${path}/${request.id}`)).ok()).toEqual(later)
    expect(await kindsOf(reader)).toEqual([])
    expect(await kindsOf(reader, { include_filtered: true })).toEqual(['follow', 'mention', 'mention'])
    expect(await kindsOf(reader, { account_id: sender.accountId })).toEqual(['follow', 'mention', 'mention'])
    expect((await reader.get('/api/v1/notifications/unread_count')).ok()).toEqual({ count: 0 })
  })

  test('of somebody who never wrote has no message', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await sender.follow(reader)
    expect((await requestsOf(reader))[0]).toMatchObject({ notifications_count: '1', last_status: null })
  })

  test('counts down with what is taken back, and ends with the last', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    const post = await reader.say('mine')
    const first = await knock(sender, reader)
    // Events that are carried out together are told in no certain order.
    await app.settle()
    app.clock.advance(1000)
    const second = await knock(sender, reader, 'again')
    ;(await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    const facts = async () =>
      (await requestsOf(reader)).map((one) => [one.notifications_count, one.last_status?.id ?? null])
    expect(await facts()).toEqual([['3', second.id]])
    ;(await sender.post(`/api/v1/statuses/${post.id}/unfavourite`)).ok()
    expect(await facts()).toEqual([['2', second.id]])
    ;(await sender.delete(`/api/v1/statuses/${second.id}`)).ok()
    expect(await facts()).toEqual([['1', first.id]])
    ;(await sender.delete(`/api/v1/statuses/${first.id}`)).ok()
    expect(await facts()).toEqual([])
    app.clock.advance(hours(2))
    await trimNotifications(app.ctx)
    const left = await sql`select 1 from notification_requests where account_id = ${reader.accountId}`
    expect((await left.execute(app.ctx.db)).rows).toEqual([])
  })

  test('the same act told twice counts once', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    const { id } = await knock(sender, reader)
    await app.settle()
    await app.ctx.transaction((tx) => tx.emit({ type: 'status.created', statusId: asId<StatusId>(id) }))
    expect((await requestsOf(reader))[0].notifications_count).toBe('1')
  })

  test('is gone while its sender is suspended or muted, and for good when they are blocked [ACC-12]', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    const count = async () => [
      (await requestsOf(reader)).length,
      (await reader.get('/api/v2/notifications/policy')).ok().summary.pending_requests_count,
    ]
    expect(await count()).toEqual([1, 1])
    const [{ id }] = (await requestsOf(reader)) as [Json]
    await suspend(sender.accountId, new Date())
    expect(await count()).toEqual([0, 0])
    expect((await reader.get(`${path}/${id}`)).status).toBe(404)
    await suspend(sender.accountId, null)
    expect(await count()).toEqual([1, 1])
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/mute`)).ok()
    expect(await count()).toEqual([0, 0])
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/unmute`)).ok()
    expect(await count()).toEqual([1, 1])
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/block`)).ok()
    await app.settle()
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/unblock`)).ok()
    expect(await count()).toEqual([0, 0])
  })

  test('says nothing of a message that the reader may not see any more', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    await app.settle()
    await sql`insert into blocks (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${sender.accountId}, ${reader.accountId})`.execute(app.ctx.db)
    expect((await requestsOf(reader))[0].last_status).toBeNull()
  })

  test('of which a filter hides the only message is not shown [ACC-13]', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader, 'buy petrichor')
    expect(await requestsOf(reader)).toHaveLength(1)
    const filter = { title: 'x', context: ['notifications'], filter_action: 'hide' }
    const keywords_attributes = [{ keyword: 'petrichor', whole_word: false }]
    ;(await reader.post('/api/v2/filters', { ...filter, keywords_attributes })).ok()
    expect(await requestsOf(reader)).toEqual([])
    await sender.follow(reader)
    expect((await requestsOf(reader))[0]).toMatchObject({ notifications_count: '2', last_status: null })
  })
})

describe('accepting', () => {
  test('brings what was set aside, and lets the sender through from then on', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    const [{ id }] = (await requestsOf(reader)) as [Json]
    const merged = async () => (await reader.get(`${path}/merged`)).ok().merged
    expect(await merged()).toBe(true)
    expect((await reader.post(`${path}/${id}/accept`)).ok()).toEqual({})
    expect(await merged()).toBe(false)
    expect((await reader.get(path)).ok()).toEqual([])
    expect(await kindsOf(reader)).toEqual(['mention'])
    expect(await merged()).toBe(true)
    await knock(sender, reader, 'again')
    expect(await kindsOf(reader)).toEqual(['mention', 'mention'])
    expect(await requestsOf(reader)).toEqual([])
    expect((await reader.post(`${path}/${id}/accept`)).status).toBe(404)
  })

  test('says on the event bus of jobs when all is there, also when it runs again', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    const [{ id }] = (await requestsOf(reader)) as [Json]
    ;(await reader.post(`${path}/${id}/accept`)).ok()
    const pair = { accountId: reader.accountId, fromAccountId: sender.accountId }
    for (let i = 0; i < 2; i++) {
      await mergeAccepted(app.ctx, pair)
      const { rows } = await sql<{ event: Json }>`
        select event from outbox where event ->> 'type' = 'notifications.merged'`.execute(app.ctx.db)
      expect(rows.map((row) => row.event)).toContainEqual({
        type: 'notifications.merged',
        accountId: reader.accountId,
      })
    }
    expect(await kindsOf(reader)).toEqual(['mention'])
  })

  test('while more comes in loses nothing', async () => {
    const reader = await choosy()
    for (let round = 0; round < 6; round++) {
      const sender = await app.person('sender')
      await knock(sender, reader)
      const [{ id }] = (await requestsOf(reader)) as [Json]
      await knock(sender, reader, 'at the same time')
      await Promise.all([app.settle(), reader.post(`${path}/${id}/accept`), app.settle()])
      expect(await kindsOf(reader, { account_id: sender.accountId })).toEqual(['mention', 'mention'])
      const aside: Json[] = (await reader.get('/api/v1/notifications', { include_filtered: true })).ok()
      expect(aside.filter((one) => one.filtered)).toEqual([])
      expect(await requestsOf(reader)).toEqual([])
    }
  })

  test('is forgotten with a block of the sender or of their domain', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    const remote = await remoteAccount(app.ctx, 'forgotten.example')
    const permit = (from: string) =>
      app.ctx.db
        .insertInto('notification_permissions')
        .values({ account_id: reader.accountId, from_account_id: asId<AccountId>(from) })
        .execute()
    await permit(sender.accountId)
    await permit(remote.accountId)
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/block`)).ok()
    ;(await reader.post('/api/v1/domain_blocks', { domain: remote.domain })).ok()
    await app.settle()
    const { rows } =
      await sql`select 1 from notification_permissions where account_id = ${reader.accountId}`.execute(
        app.ctx.db,
      )
    expect(rows).toEqual([])
  })
})

describe('dismissing', () => {
  test('throws away what is set aside; what comes later asks anew', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    const [{ id }] = (await requestsOf(reader)) as [Json]
    expect((await reader.post(`${path}/${id}/dismiss`)).ok()).toEqual({})
    expect((await reader.get(path)).ok()).toEqual([])
    expect((await reader.post(`${path}/${id}/dismiss`)).status).toBe(404)
    await knock(sender, reader, 'still here')
    const again = await requestsOf(reader)
    expect(again.map((one) => one.notifications_count)).toEqual(['1'])
    expect(again[0].id).not.toBe(id)
    expect(await kindsOf(reader, { include_filtered: true })).toEqual(['mention'])
  })
})

describe('many at once', () => {
  test('are accepted or dismissed; what is unknown or of others is left alone [ACC-7]', async () => {
    const [reader, other] = [await choosy(), await choosy()]
    const senders = await Promise.all([1, 2, 3].map(() => app.person('sender')))
    for (const sender of senders) await knock(sender, reader)
    await knock(senders[0] as Person, other)
    const ids = (await requestsOf(reader)).map((one) => one.id)
    const [{ id: foreign }] = (await requestsOf(other)) as [Json]
    expect((await reader.post(`${path}/accept`, { id: [ids[0], foreign, '1', 'x'] })).ok()).toEqual({})
    expect((await reader.post(`${path}/dismiss`, { id: [ids[1]] })).ok()).toEqual({})
    expect((await requestsOf(reader)).map((one) => one.id)).toEqual([ids[2]])
    expect(await kindsOf(reader)).toEqual(['mention'])
    expect(await requestsOf(other)).toHaveLength(1)
  })

  test.each([
    ['accept', ['mention', 'mention', 'mention']],
    ['dismiss', []],
  ])('%s without ids answers all that wait, and none of others', async (verb, expected) => {
    const [reader, other] = [await choosy(), await choosy()]
    const senders = await Promise.all([1, 2, 3].map(() => app.person('sender')))
    for (const sender of senders) await knock(sender, reader)
    await knock(senders[0] as Person, other)
    const none = await reader.post(`${path}/${verb}`, { id: [] })
    expect([none.ok(), await requestsOf(reader)]).toEqual([{}, expect.objectContaining({ length: 3 })])
    expect((await reader.post(`${path}/${verb}`)).ok()).toEqual({})
    expect(await requestsOf(reader)).toEqual([])
    expect(await kindsOf(reader)).toEqual(expected)
    expect(await kindsOf(reader, { include_filtered: true })).toEqual(expected)
    expect(await requestsOf(other)).toHaveLength(1)
    expect((await reader.post(`${path}/${verb}`)).ok()).toEqual({})
  })

  test('more than one transaction takes are answered too', async () => {
    const reader = await choosy()
    await sql`
      with made as (
        insert into accounts (id, username, domain)
        select (select max(id) from accounts) + i, 'many' || i, 'many.example' from generate_series(1, 250) i returning id)
      insert into notification_requests (id, account_id, from_account_id)
      select id, ${reader.accountId}, id from made`.execute(app.ctx.db)
    expect((await reader.post(`${path}/accept`)).ok()).toEqual({})
    const { rows } = await sql`
      select 1 from notification_permissions where account_id = ${reader.accountId}`.execute(app.ctx.db)
    expect(rows).toHaveLength(250)
  })
})

describe('the list', () => {
  test('pages, newest first, by a constant number of queries', async () => {
    const reader = await choosy()
    const senders = await Promise.all(Array.from({ length: 24 }, () => app.person('sender')))
    for (const sender of senders) await knock(sender, reader)
    const all = (await requestsOf(reader)).map((one) => one.id)
    expect(all).toHaveLength(24)
    expect(all).toEqual(all.toSorted((a, b) => Number(BigInt(b) - BigInt(a))))
    const first = await reader.get(path, { limit: 10 })
    const second = await reader.get(first.links['next'] as string)
    expect([...first.body, ...second.body].map((one) => one.id)).toEqual(all.slice(0, 20))
    const back = await reader.get(second.links['prev'] as string)
    expect(back.body).toEqual(first.body)
    expect((await requestsOf(reader, { since_id: all[3] })).map((one) => one.id)).toEqual(all.slice(0, 3))
    const page = (limit: number) => async () =>
      expect((await reader.get(path, { limit })).ok()).toHaveLength(limit)
    // Settings are read again every second.
    const count = async (limit: number) =>
      (await app.countQueries(page(limit))).filter((query) => !query.includes('from settings')).length
    await page(24)()
    const few = await count(12)
    expect(await count(24)).toBe(few)
    expect(few).toBeLessThanOrEqual(4)
  })

  test('those of others are not found [ACC-7] [ACC-8]', async () => {
    const [reader, sender] = [await choosy(), await app.person('sender')]
    await knock(sender, reader)
    const [{ id }] = (await requestsOf(reader)) as [Json]
    const missing = await sender.get(`${path}/1`)
    expect(missing.status).toBe(404)
    for (const answer of [
      await sender.get(`${path}/${id}`),
      await sender.post(`${path}/${id}/accept`),
      await sender.post(`${path}/${id}/dismiss`),
      await sender.get(`${path}/nonsense`),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    expect(await requestsOf(reader)).toHaveLength(1)
  })

  test('wants a token with the right scope', async () => {
    const person = await app.person()
    const wrong = await app.withScopes(person, ['read:statuses', 'write:statuses', 'follow'])
    for (const end of ['', '/merged', '/1']) {
      expect((await app.anonymous.get(path + end)).status).toBe(401)
      expect((await wrong.get(path + end)).status).toBe(403)
    }
    for (const end of ['/accept', '/dismiss', '/1/accept', '/1/dismiss']) {
      expect((await app.anonymous.post(path + end)).status).toBe(401)
      expect((await wrong.post(path + end)).status).toBe(403)
    }
  })
})
