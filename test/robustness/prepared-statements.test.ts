// Statements are prepared and described once per connection: what comes back afterwards is read as the first answer was.
import fc from 'fast-check'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createAsk, type Ask } from '#adapters/postgres/statements.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'

let made = 0
let name: string
let ask: Ask
let clients: pg.Client[]

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlOf(inject('clusterUrl'), name),
    pipeline: true,
  } as pg.ClientConfig)
  await client.connect()
  clients.push(client)
  return client
}

beforeEach(async () => {
  name = `${inject('databases')}_prepared_${process.pid}_${++made}`
  await admin(inject('clusterUrl'), `create database ${name}`)
  ask = createAsk(true)
  clients = []
})
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await admin(inject('clusterUrl'), `drop database ${name} with (force)`)
})

/** The messages by which the database says what rows are made of. */
function countDescriptions(client: pg.Client): () => number {
  let count = 0
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  connection.on('rowDescription', () => count++)
  return () => count
}

const values = (count: number, word: string | null) =>
  [
    `select n, $2::text as word, n * 2.5::float8 as half, n > 1 as large, array[n, n + 1] as list,
       jsonb_build_object('n', n) as document, timestamptz '2026-01-02T03:04:05Z' as at
     from generate_series(1, $1::int) n`,
    [count, word],
  ] as const

const rows = (count: number, word: string | null) =>
  Array.from({ length: count }, (_, index) => ({
    n: index + 1,
    word,
    half: (index + 1) * 2.5,
    large: index > 0,
    list: [index + 1, index + 2],
    document: { n: index + 1 },
    at: new Date('2026-01-02T03:04:05Z'),
  }))

test('are described with their first execution on each connection, and read the same afterwards', async () => {
  for (const client of [await connect(), await connect()]) {
    const descriptions = countDescriptions(client)
    for (const [count, word] of [
      [2, 'one'],
      [0, 'none'],
      [3, null],
      [1, 'last'],
    ] as const) {
      const answer = await ask(client, ...values(count, word))
      expect(answer).toMatchObject({ rows: rows(count, word), rowCount: count, command: 'SELECT' })
    }
    expect(descriptions()).toBe(1)
  }
})

test('are sent together before the first is answered, each with its own answer', async () => {
  const client = await connect()
  const counts = [3, 1, 0, 2]
  const answers = await Promise.all(counts.map((count) => ask(client, ...values(count, 'together'))))
  expect(answers.map((answer) => answer.rows)).toEqual(counts.map((count) => rows(count, 'together')))
})

test('that return nothing, and those that do again and again, tell how many rows they touched', async () => {
  const client = await connect()
  await client.query('create table words (word text unique)')
  const insert = (word: string) => ask(client, 'insert into words values ($1)', [word])
  for (const word of ['one', 'two'])
    expect(await insert(word)).toMatchObject({ rows: [], rowCount: 1, command: 'INSERT' })
  await expect(insert('one')).rejects.toMatchObject({ code: '23505' })
  expect(await insert('three')).toMatchObject({ rows: [], rowCount: 1 })
  const remove = (word: string) => ask(client, 'delete from words where word = $1 returning word', [word])
  expect(await remove('two')).toMatchObject({ rows: [{ word: 'two' }], rowCount: 1 })
  expect(await remove('two')).toMatchObject({ rows: [], rowCount: 0 })
})

test('that failed when they were first sent are described when they succeed', async () => {
  const client = await connect()
  const divide = (by: number) => ask(client, 'select 6 / $1::int as found', [by])
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  for (const by of [2, 3]) expect((await divide(by)).rows).toEqual([{ found: 6 / by }])
})

test('whose table was changed since are refused, and never read as it was before', async () => {
  const client = await connect()
  await client.query('create table notes (id int, note int); insert into notes values (1, 2)')
  const read = (on: pg.Client) => ask(on, 'select * from notes where id = $1', [1])
  expect((await read(client)).rows).toEqual([{ id: 1, note: 2 }])
  await client.query('alter table notes alter note type text, add more boolean default true')
  await expect(read(client)).rejects.toMatchObject({ code: '0A000' })
  expect((await read(await connect())).rows).toEqual([{ id: 1, note: '2', more: true }])
})

test('say what they were given, whatever stands in lists and whenever a time is', async () => {
  const client = await connect()
  const words = fc.oneof(
    fc.constantFrom(
      'null',
      'NULL',
      'Null',
      'nulls',
      '',
      ' ',
      'a,b',
      '{}',
      '"',
      '\\',
      'follow_request',
      'admin.report',
    ),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/\0|\p{Surrogate}/gu, '')),
    fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  )
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(words), times, async (list, time) => {
      const answer = await ask(client, 'select $1::text[] as list, $2::timestamptz as time', [list, time])
      expect(answer.rows).toEqual([{ list, time }])
    }),
  )
  const late = new Date('+020000-01-01T00:00:00Z')
  const { rows } = await ask(client, 'select extract(year from $1::timestamptz)::int as year', [late])
  expect(rows).toEqual([{ year: 20_000 }])
})
