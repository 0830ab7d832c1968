// What the cron table removes after a while.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { purgeDeletedStatuses, purgeIdempotencyKeys } from '#domain/content/statuses/purge.ts'
import { trimHomeFeeds } from '#domain/reading/timelines/home-feed.ts'
import { useApp } from '#test/app/app.ts'
import { days } from '#test/app/clock.ts'

const app = useApp()

async function count(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(app.ctx.db)).rows[0]?.n ?? 0
}

test('deleted statuses go for good after 30 days, with what hangs on them', async () => {
  const [author, fan] = [await app.person(), await app.person()]
  const kept = await author.say('kept')
  const gone = await author.say('gone #purge')
  const reply = await fan.say(`@${author.username} why?`, { in_reply_to_id: gone.id })
  ;(await fan.post(`/api/v1/statuses/${gone.id}/favourite`)).ok()
  ;(await fan.post(`/api/v1/statuses/${gone.id}/reblog`)).ok()
  ;(await author.delete(`/api/v1/statuses/${gone.id}`)).ok()
  await app.settle()
  app.clock.advance(days(29))
  expect(await purgeDeletedStatuses(app.ctx)).toBe(0)
  app.clock.advance(days(2))
  await purgeDeletedStatuses(app.ctx)
  const left = sql<{ n: number }>`
    select (select count(*) from statuses where id = ${gone.id} or reblog_of_id = ${gone.id})
      + (select count(*) from favourites where status_id = ${gone.id})
      + (select count(*) from status_tags where status_id = ${gone.id}) as n`
  expect(Number(await count(left))).toBe(0)
  expect((await app.anonymous.get(`/api/v1/statuses/${kept.id}`)).status).toBe(200)
  expect((await app.anonymous.get(`/api/v1/statuses/${reply.id}`)).ok().in_reply_to_id).toBeNull()
})

test('idempotency keys are forgotten after a day', async () => {
  const person = await app.person()
  await person.post('/api/v1/statuses', { status: 'once' }, { 'idempotency-key': 'old' })
  app.clock.advance(days(2))
  await person.post('/api/v1/statuses', { status: 'twice' }, { 'idempotency-key': 'new' })
  await purgeIdempotencyKeys(app.ctx)
  const { rows } = await sql<{ key: string }>`
    select key from idempotency_keys where account_id = ${person.accountId}`.execute(app.ctx.db)
  expect(rows).toEqual([{ key: 'new' }])
})

test('feeds are written from the first day, and forgotten of those who never came', async () => {
  const [person, friend] = [await app.person(), await app.person()]
  await person.follow(friend)
  const post = await friend.say('hello')
  await app.settle()
  const entries = sql<{
    n: number
  }>`select count(*)::int as n from home_entries where account_id = ${person.accountId}`
  expect(await count(entries)).toBe(1)
  const queries = await app.countQueries(() => person.get('/api/v1/timelines/home'))
  expect(queries.filter((query) => /insert into "?home_/.test(query))).toEqual([])
  await app.ctx.db
    .updateTable('users')
    .set({ last_active_at: null })
    .where('account_id', '=', person.accountId)
    .execute()
  app.clock.advance(days(30))
  await trimHomeFeeds(app.ctx)
  expect(await count(entries)).toBe(0)
  const home = (await person.get('/api/v1/timelines/home')).ok()
  expect(home.map((status: { id: string }) => status.id)).toEqual([post.id])
})

test('feeds of people who stay away are forgotten, and built again on their return', async () => {
  const [person, friend] = [await app.person(), await app.person()]
  await person.follow(friend)
  const post = await friend.say('hello')
  await app.settle()
  expect((await person.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
  const entries = sql<{
    n: number
  }>`select count(*)::int as n from home_entries where account_id = ${person.accountId}`
  await trimHomeFeeds(app.ctx)
  expect(await count(entries)).toBe(1)
  app.clock.advance(days(30))
  await trimHomeFeeds(app.ctx)
  expect(await count(entries)).toBe(0)
  const home = (await person.get('/api/v1/timelines/home')).ok()
  expect(home.map((status: { id: string }) => status.id)).toEqual([post.id])
})
