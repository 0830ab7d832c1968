// Work that makes very many events lets those of people go first (src/db/pace-events.ts).
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimEvents, removeEvents } from '#db/outbox.ts'
import { createEventPace } from '#db/pace-events.ts'
import { purgeAccount } from '#domain/maintenance/deletion/purge-account.ts'
import { useApp } from '#test/app/app.ts'
import { drainOutbox } from '#worker/outbox.ts'

const app = useApp()

const countWaiting = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from outbox where failed_at is null`.execute(
      app.ctx.db,
    )
  ).rows[0]!.n

/** Makes `count` events; returns their ids. */
async function makeEvents(count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into outbox (event) select '{"type":"files.abandoned"}' from generate_series(1, ${count}) returning id`.execute(
    app.ctx.db,
  )
  return rows.map(({ id }) => id)
}

test('few events are nothing to wait for', async () => {
  await app.settle()
  await makeEvents(50)
  await createEventPace(app.ctx)()
  expect(await countWaiting()).toBe(50)
})

test('many are waited for as long as somebody works on them', async () => {
  await app.settle()
  const ids = await makeEvents(150)
  const now = app.clock.now()
  await claimEvents(app.ctx.db, { now, until: now + 60_000, limit: 50 })
  const told: string[] = []
  const paced = createEventPace(app.ctx)().then(() => told.push('few'))
  for (let i = 0; i < 20; i++) await countWaiting()
  told.push('many')
  await removeEvents(app.ctx.db, ids.slice(0, 60))
  await paced
  expect(told).toEqual(['many', 'few'])
})

test('work goes on in the end where events never become few', async () => {
  await app.settle()
  const ids = await makeEvents(150)
  const now = app.clock.now()
  await claimEvents(app.ctx.db, { now, until: now + 60_000, limit: 50 })
  await createEventPace(app.ctx, 200)()
  expect(await countWaiting()).toBe(150)
  await removeEvents(app.ctx.db, ids)
})

test('nobody is waited for where nobody works on events, as while the server is stopped', async () => {
  await app.settle()
  await makeEvents(150)
  const pace = createEventPace(app.ctx)
  await pace()
  await pace()
  expect(await countWaiting()).toBe(150)
})

test('the end of an account with very many followers holds nobody up', async () => {
  const star = await app.person('star')
  await app.settle()
  await sql`
    with followers as (
      insert into accounts (id, username) select n, 'follower' || n from generate_series(1, 700) n returning id)
    insert into follows (id, account_id, target_account_id)
    select id, id, ${star.accountId} from followers`.execute(app.ctx.db)
  await sql`update accounts set deleted_at = now() where id = ${star.accountId}`.execute(app.ctx.db)
  let isDone = false
  const purged = purgeAccount(app.ctx, star.accountId).finally(() => (isDone = true))
  let most = 0
  while (!isDone) {
    most = Math.max(most, await countWaiting())
    await drainOutbox(app.ctx)
  }
  await purged
  expect(most).toBeGreaterThan(50)
  expect(most).toBeLessThan(300)
  await app.settle()
  expect(await countWaiting()).toBe(0)
})
