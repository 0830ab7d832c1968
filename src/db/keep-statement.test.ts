import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { CompiledQuery, QueryExecutorProvider } from 'kysely'
import { expect, test } from 'vitest'
import { keepStatement } from './keep-statement.ts'

const asked: { text: string; values: readonly unknown[] }[] = []
const db = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createDriver: () =>
      Object.assign(new DummyDriver(), {
        acquireConnection: async () => ({
          async executeQuery({ sql: text, parameters }: CompiledQuery) {
            asked.push({ text, values: parameters })
            return { rows: [] }
          },
          async *streamQuery() {},
        }),
      }),
  },
})

test('a kept statement is put together once for each form, and asked with what it is given', async () => {
  let built = 0
  const ask = keepStatement((to: QueryExecutorProvider, viewer: string | null, ids: readonly string[]) => {
    built++
    const mine = viewer === null ? sql`false` : sql`a.id = ${viewer}`
    return sql`select ${mine}, ${'fixed'} from a where a.id = any(${ids}) or a.id = ${viewer}`.execute(to)
  })
  for (const [viewer, ids] of [
    ['1', ['2', '3']],
    ['4', []],
    [null, ['5']],
    [null, ['6']],
  ] as const) {
    await ask(db, viewer, ids)
  }
  expect(built).toBe(2)
  const [first, second, third, fourth] = asked
  expect(first?.values).toEqual(['1', 'fixed', ['2', '3'], '1'])
  expect(second).toEqual({ text: first?.text, values: ['4', 'fixed', [], '4'] })
  expect(third?.values).toEqual(['fixed', ['5'], null])
  expect(fourth).toEqual({ text: third?.text, values: ['fixed', ['6'], null] })
})

test('a list that stands at several places is sent once', async () => {
  asked.length = 0
  const ask = keepStatement(
    (to: QueryExecutorProvider, viewer: string, ids: readonly string[], others: readonly string[]) =>
      sql`select ${viewer}, a = any(${ids}::bigint[]), b = any(${others}::bigint[]), c = any(${ids}::bigint[]), ${viewer}`.execute(
        to,
      ),
  )
  await ask(db, '1', ['2'], ['3'])
  await ask(db, '4', ['5'], ['5'])
  expect(asked[0]).toEqual({
    text: 'select $1, a = any($2::bigint[]), b = any($3::bigint[]), c = any($2::bigint[]), $4',
    values: ['1', ['2'], ['3'], '1'],
  })
  expect(asked[1]?.values).toEqual(['4', ['5'], ['5'], '4'])
})

test('numbers and times are arguments too', async () => {
  asked.length = 0
  const ask = keepStatement((to: QueryExecutorProvider, since: Date, limit: number, least: number) =>
    sql`select 1 where ${since} < now() and 7 < ${least} limit ${limit}`.execute(to),
  )
  const [early, late] = [new Date(1), new Date(2)]
  await ask(db, early, 20, 0)
  await ask(db, late, 40, 1)
  expect(asked.map(({ values }) => values)).toEqual([
    [early, 0, 20],
    [late, 1, 40],
  ])
})

test.each<[string, unknown, (string[] | number)?]>([
  ['a time', (to: QueryExecutorProvider) => sql`select ${new Date()}`.execute(to)],
  [
    'what is made of a number',
    (to: QueryExecutorProvider, limit: number) => sql`select 1 limit ${limit + 1}`.execute(to),
    20,
  ],
  [
    'a part of a list',
    (to: QueryExecutorProvider, ids: readonly string[]) => sql`select ${ids[0]}`.execute(to),
  ],
  [
    'a copy of a list',
    (to: QueryExecutorProvider, ids: readonly string[]) => sql`select ${[...ids]}`.execute(to),
  ],
])('%s that is made while it is put together is refused', (_name, build, argument = ['1']) => {
  const ask = keepStatement(
    build as (to: QueryExecutorProvider, argument: string[] | number) => Promise<{ rows: never[] }>,
  )
  expect(() => ask(db, argument)).toThrow('has to be an argument')
})
