// Notifications had ids of 63 bits once, which push messages could not hold exactly as numbers.
import { Kysely, PostgresDialect, sql } from 'kysely'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'

const name = `${inject('databases')}_notification_ids_${process.pid}`
const before = migrations.findIndex((migration) => migration.name === 'notification-ids')
let pool: pg.Pool
let db: Kysely<unknown>

beforeAll(async () => {
  await admin(inject('clusterUrl'), `create database ${name}`)
  pool = new pg.Pool({ connectionString: urlOf(inject('clusterUrl'), name), max: 2 })
  db = new Kysely({ dialect: new PostgresDialect({ pool }) })
})
afterAll(async () => {
  await db.destroy()
  await admin(inject('clusterUrl'), `drop database ${name} with (force)`)
})

const old = (n: number) => `1166504443${String(n).padStart(8, '0')}`

async function lay(): Promise<void> {
  const statements = [
    "insert into accounts (id, username, domain) values (1, 'alice', null), (2, 'bob', 'b.example'), (3, 'carol', 'b.example')",
    `insert into notifications (id, account_id, from_account_id, type, group_key, filtered) values
      (${old(30)}, 1, 3, 'mention', 'ungrouped-${old(30)}', false),
      (${old(10)}, 1, 2, 'follow', 'follow-42', false),
      (${old(20)}, 1, 2, 'mention', 'ungrouped-${old(20)}', true)`,
    // Of the first one's notifications none is left.
    `insert into notification_requests (id, account_id, from_account_id) values (${old(5)}, 1, 3), (${old(20)}, 1, 2)`,
    `insert into markers (account_id, timeline, last_read_id, version, updated_at) values
      (1, 'notifications', ${old(25)}, 1, now()), (1, 'home', ${old(25)}, 1, now()), (2, 'notifications', 7, 1, now())`,
    `insert into outbox (event) values
      ('{"type":"notification.created","notificationId":"${old(30)}","accountId":"1","kind":"mention"}'),
      ('{"type":"notification-request.dismissed","accountId":"1","fromAccountId":"2","upTo":"${old(21)}"}'),
      ('{"type":"status.created","statusId":"${old(30)}"}')`,
    `select graphile_worker.add_job('deliver-push', '{"notificationId":"${old(30)}","subscriptionId":"${old(1)}"}'),
      graphile_worker.add_job('effect', '{"effect":"x","event":{"type":"notification.created","notificationId":"${old(10)}"}}'),
      graphile_worker.add_job('effect', '{"effect":"x","event":{"type":"notification-request.dismissed","upTo":"${old(99)}"}}')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const read = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows as unknown[][]

test('notifications are numbered anew in their order, with everything that names one', async () => {
  await migrate(db, migrations.slice(0, before))
  await runMigrations({ pgPool: pool })
  await lay()
  await migrate(db)
  expect(await read('select id, type, group_key from notifications order by id')).toEqual([
    ['2', 'follow', 'follow-42'],
    ['3', 'mention', 'ungrouped-3'],
    ['4', 'mention', 'ungrouped-4'],
  ])
  expect(await read('select id, from_account_id from notification_requests order by id')).toEqual([
    ['1', '3'],
    ['3', '2'],
  ])
  expect(
    await read('select account_id, timeline, last_read_id from markers order by account_id, timeline desc'),
  ).toEqual([
    ['1', 'notifications', '3'],
    ['1', 'home', old(25)],
    ['2', 'notifications', '0'],
  ])
  const named = (column: string) =>
    `coalesce(${column} ->> 'notificationId', ${column} ->> 'upTo', ${column} ->> 'statusId')`
  expect(await read(`select ${named('event')} from outbox order by id`)).toEqual([['4'], ['3'], [old(30)]])
  expect(
    await read(`select ${named("coalesce(payload -> 'event', payload)")}, payload ->> 'subscriptionId'
      from graphile_worker._private_jobs order by id`),
  ).toEqual([
    ['4', old(1)],
    ['2', null],
    ['4', null],
  ])
})

test('the next one has the next id, and one that a double cannot hold is refused', async () => {
  const columns = "(account_id, from_account_id, type, group_key) values (1, 3, 'follow', 'follow-43')"
  expect(await read(`insert into notifications ${columns} returning id`)).toEqual([['5']])
  await expect(
    read(`insert into notifications (id, account_id, from_account_id, type, group_key)
      values (9007199254740992, 1, 3, 'status', 'x')`),
  ).rejects.toThrow('notifications_exact_id')
})
