import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { discardFailedWork, listFailedWork, retryFailedWork } from './failed-work.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const app = useApp()
const list = async () => (await listFailedWork(app.ctx.db)).map(({ id }) => id)

async function failEvents(count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into outbox (event, attempts, failed_at, error, created_at)
    select '{"type": "status.pinned", "accountId": "1"}', 6, now(), 'it was too much', now() from generate_series(1, ${count}::int)
    returning 'event-' || id as id`.execute(app.ctx.db)
  return rows.map((row) => row.id)
}

async function failJob(attempts: number): Promise<string> {
  const payload = { event: { type: 'status.pinned', accountId: '1', statusId: '1' }, effect: 'deliver-pin' }
  const made = await sql<{ id: string }>`
    select id from graphile_worker.add_job('effect', ${JSON.stringify(payload)}::json, max_attempts := 3)`.execute(
    app.ctx.db,
  )
  const { id } = made.rows[0]!
  await sql`
    update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${'first\nsecond'}
    where id = ${id}`.execute(app.ctx.db)
  return `job-${id}`
}

test('what was given up is listed, and what will be tried again is not', async () => {
  const [event] = await failEvents(1)
  const job = await failJob(3)
  await failJob(2)
  await app.ctx.transaction((tx) =>
    tx.emit({ type: 'status.pinned', accountId: asId<AccountId>('1'), statusId: asId<StatusId>('1') }),
  )
  const found = await listFailedWork(app.ctx.db)
  expect(found.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    {
      id: event,
      name: 'status.pinned',
      effect: null,
      attempts: 6,
      error: 'it was too much',
      failedAt: expect.any(Date),
    },
    {
      id: job,
      name: 'status.pinned',
      effect: 'deliver-pin',
      attempts: 3,
      error: 'first\nsecond',
      failedAt: expect.any(Date),
    },
  ])
})

test('retried work runs again and is gone', async () => {
  const ids = [...(await failEvents(2)), await failJob(3)]
  expect(await retryFailedWork(app.ctx.db, [ids[0]!, ids[2]!, 'event-999999', 'job-999999'])).toBe(2)
  expect(await list()).toEqual(expect.arrayContaining([ids[1]]))
  expect(await list()).not.toEqual(expect.arrayContaining([ids[0]]))
  expect(await list()).not.toEqual(expect.arrayContaining([ids[2]]))
  await app.settle()
  const { rows } = await sql`
    select id from outbox where failed_at is null union all select id from graphile_worker.jobs where 'job-' || id = ${ids[2]}`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([])
})

test('discarded work is gone, and only that', async () => {
  const ids = [...(await failEvents(2)), await failJob(3), await failJob(3)]
  expect(await discardFailedWork(app.ctx.db, [ids[0]!, ids[2]!])).toBe(2)
  const left = await list()
  expect(ids.filter((id) => left.includes(id))).toEqual([ids[1], ids[3]])
  expect(await discardFailedWork(app.ctx.db, [ids[0]!])).toBe(0)
  expect(await discardFailedWork(app.ctx.db, [])).toBe(0)
})

test('work that waits is not touched', async () => {
  const job = await failJob(1)
  expect(await discardFailedWork(app.ctx.db, [job])).toBe(0)
  expect(await retryFailedWork(app.ctx.db, [job])).toBe(0)
})
