import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#db/migrations/index.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { readTables } from '../tables.ts'
import { describeAll, formerProblems, readFormer, tablesOf, type FormerProgram } from './former.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
let former: FormerProgram

const problems = async (more: { number: number; contracts?: true }[] = []) =>
  formerProblems(client, former, {
    tables: await readTables(client),
    migrations: [{ number: 3 }, ...more],
  })

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create table shelves (id bigint primary key, label text not null, room text)')
  const texts = [
    'select label, room from shelves where id = $1',
    'insert into shelves (id, label) values ($1, $2)',
  ]
  former = {
    version: '1.2.0',
    schema: 3,
    statements: await describeAll(client, texts),
    tables: { shelves: tablesOf(await readTables(client))['shelves'] ?? {} },
  }
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('a schema that only has more answers the former program as before', async () => {
  await client.query('alter table shelves add width int; create table books (id bigint)')
  expect(await problems()).toEqual([])
})

test('a column of another type is told, with each statement that it is in', async () => {
  await client.query('alter table shelves alter label type bigint using 0')
  const begin = 'the program of 1.2.0 still runs beside this one, and'
  expect(await problems()).toEqual([
    `${begin} knows shelves.label as text: it is int8`,
    `${begin} is answered in other types: select label, room from shelves where id = $1`,
    `${begin} is answered in other types: insert into shelves (id, label) values ($1, $2)`,
  ])
})

test('a column that is gone is told, unless a migration says that it contracts', async () => {
  await client.query('alter table shelves drop room')
  expect(await problems()).toContain(
    'the program of 1.2.0 still runs beside this one, and asks what the database now refuses: ' +
      'column "room" does not exist: select label, room from shelves where id = $1',
  )
  expect(await problems([{ number: 4, contracts: true }])).toEqual([])
})

test('what is written down is of the newest version that the changelog names', () => {
  const { version, schema, statements } = readFormer()
  const changelog = readFileSync(path.resolve(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  expect(/^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1]).toBe(version)
  expect(migrations.some(({ number }) => number === schema)).toBe(true)
  expect(statements.length).toBeGreaterThan(1_000)
})
