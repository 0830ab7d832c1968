import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findDisturbances, planOf } from './migration-plan.ts'
import { migrations, type Migration } from './migrations/index.ts'

/** Those up to here were written when a server was stopped for an update. */
const before = 20

const migrationOf = (statement: string, more: Partial<Migration> = {}): Migration => ({
  number: 99,
  name: 'sample',
  up: async (db) => void (await sql.raw(statement).execute(db)),
  ...more,
})

test.each(migrations.filter(({ number }) => number > before))(
  'migration $number, $name, leaves the program of the version before at work',
  async (migration) => {
    expect(await findDisturbances(migration)).toEqual([])
  },
)

test.each([
  'alter table statuses add colour text',
  "alter table statuses add colour text not null default ''",
  'create table colours (id bigint primary key); create index colours_id on colours (id)',
  'create index incoming_activities_colour on incoming_activities (colour)',
  'create index concurrently statuses_colour on statuses (colour)',
  'alter table statuses add constraint short check (length(text) < 9) not valid',
  'alter table statuses alter column text drop not null',
])('%s: disturbs nobody', async (statement) => {
  expect(await findDisturbances(migrationOf(statement))).toEqual([])
})

test.each([
  ['alter table statuses drop column text', 'one version later'],
  ['alter table statuses drop text', 'one version later'],
  ['drop table polls', 'one version later'],
  ['alter table statuses rename column text to words', 'add the new name'],
  ['alter table statuses alter column text type varchar(9)', 'rewrites the table'],
  ['alter table statuses alter column text set not null', 'not valid'],
  ['alter table statuses add colour text not null', 'give the column a default'],
  ['create index statuses_colour on statuses (colour)', 'concurrently'],
  ['alter table statuses add constraint short check (length(text) < 9)', 'not valid'],
])('%s: is refused', async (statement, reason) => {
  expect(await findDisturbances(migrationOf(statement))).toEqual([expect.stringContaining(reason)])
})

test('a migration that contracts may drop what nobody uses any more, and nothing else', async () => {
  const contracts = { contracts: true } as const
  expect(await findDisturbances(migrationOf('alter table statuses drop column text', contracts))).toEqual([])
  expect(await findDisturbances(migrationOf('create index x on statuses (id)', contracts))).toHaveLength(1)
})

test('statements of all migrations are told apart by the table and the work that they are', async () => {
  const all = (await Promise.all(migrations.map(planOf))).flat()
  expect(all.length).toBeGreaterThan(100)
  const index = await planOf(migrationOf('create index x on statuses (id)'))
  expect(index).toEqual([{ text: 'create index x on statuses (id)', table: 'statuses', work: 'index' }])
})
