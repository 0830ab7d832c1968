import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { checkStatements } from './check.ts'
import { lockProblems, starProblems } from './compare.ts'
import { freeNameProblems } from './free-names.ts'
import { compareForeignKeys, compareIds, readForeignKeys } from './ids.ts'
import { openChangingProgram, openProgram, type Program } from './program.ts'
import { repeatedTable } from './repeats.ts'
import type { DeclaredColumn } from './row-types.ts'
import { findStatements, type Found } from './statements.ts'
import { readCatalogue } from './understand.ts'
import { compareTables, readDeclaredTables, readTables, type DeclaredTables } from './tables.ts'

const root = path.resolve(import.meta.dirname, '../..')

const tables = new Set(['accounts', 'statuses', 'users'])
let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
let folder: string
let samples: ReturnType<typeof openChangingProgram>
let declared: DeclaredTables

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  folder = mkdtempSync(path.join(tmpdir(), 'sql-check-'))
  mkdirSync(path.join(folder, 'src'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const compilerOptions = {
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    target: 'es2025',
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(sampleFile(), '')
  samples = openChangingProgram(folder)
  const program = openProgram(root)
  declared = readDeclaredTables(program)
  program.close()
})

afterAll(async () => {
  samples?.close()
  await client.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const sampleFile = () => path.join(folder, 'src/sample.ts')

/** Reads a source file that may use `sql`, `db` and `RawBuilder`. */
function readWith<T>(source: string, use: (program: Program) => T): T {
  const start = `import { sql, type Kysely, type RawBuilder } from 'kysely'\ndeclare const db: Kysely<unknown>\n`
  writeFileSync(sampleFile(), `${start}${source}\nexport {}`)
  return use(samples.open([sampleFile()]))
}

const read = (source: string): Found => readWith(source, (program) => findStatements(program, {}))

const textsOf = (source: string) => read(source).statements.map((statement) => statement.text)

async function problemsOf(source: string): Promise<string[]> {
  const { statements, problems } = read(source)
  return [...problems, ...(await checkStatements(client, statements, tables))]
}

test('a statement whose row type is what the database has is right', async () => {
  const source =
    'await sql<{ id: string; locked: boolean; created_at: Date }>`select id, locked, created_at from accounts`.execute(db)'
  expect(await problemsOf(source)).toEqual([])
})

test('a column that is missing, one too many, and one of another type are told', async () => {
  const source = 'await sql<{ id: number; note: string }>`select id, url from accounts`.execute(db)'
  expect(await problemsOf(source)).toEqual([
    'src/sample.ts:3: note is in the row type and not in the statement',
    'src/sample.ts:3: id is int8, which comes as string, and not number',
    'src/sample.ts:3: url is in the statement and not in the row type',
  ])
})

test('a column that may be null is told where its type says that it is not', async ({ skip }) => {
  skip((await readCatalogue(client)) === null, 'PostgreSQL 15 does not say')
  const row =
    '{ id: string; url: string; email: string; role: string; count: number; most: string; name: string }'
  const source = `await sql<${row}>\`
    select a.id, a.url, u.email, r.name as role, count(*)::int as count, max(a.id) as most, coalesce(a.url, '') as name
    from accounts a join users u on u.account_id = a.id left join roles r on r.id = u.role_id
    where a.domain is not null group by 1, 2, 3, 4\`.execute(db)`
  expect(await problemsOf(source)).toEqual([
    'src/sample.ts:3: url may be null, and is declared as string',
    'src/sample.ts:3: role may be null, and is declared as string',
  ])
})

test('a column is not null where a condition says so, in a common table expression as well', async () => {
  const source = `await sql<{ url: string; name: string; last: string | null }>\`
    with old as (select id, url from accounts where url is not null)
    select o.url, r.name, (select max(id) from accounts) as last
    from old o left join users u on u.account_id = o.id left join roles r on r.id = u.role_id
    where r.position > 1\`.execute(db)`
  expect(await problemsOf(source)).toEqual([])
})

test('a statement that the database does not understand is told', async () => {
  expect(await problemsOf('await sql`select idd from accounts`.execute(db)')).toEqual([
    'src/sample.ts:3: column "idd" does not exist: select idd from accounts',
  ])
})

test('both branches of a condition are read, and two that depend on the same condition only together', () => {
  const source = `
    async function list(isOld: boolean) {
      const join = isOld ? sql\`join users u on true\` : sql\`\`
      await sql\`select a.id from accounts a \${join} where \${isOld ? sql\`u.id > 1\` : sql\`true\`}\`.execute(db)
    }`
  expect(textsOf(source)).toEqual([
    'select a.id from accounts a join users u on true where u.id > 1',
    'select a.id from accounts a  where true',
  ])
})

test('what a function is given is read at each of its callers', () => {
  const source = `
    async function end(which: RawBuilder<unknown>) {
      await sql\`delete from sessions where \${which}\`.execute(db)
    }
    const one = (id: string) => end(sql\`id = \${id}\`)
    const all = () => end(sql\`true\`)`
  expect(textsOf(source)).toEqual(['delete from sessions where id = $1', 'delete from sessions where true'])
})

test('names of tables and columns are read from their types, and lists with what may be added to them', () => {
  const source = `
    async function count(table: 'accounts' | 'users', id?: string) {
      const conditions = [sql\`true\`]
      if (id !== undefined) conditions.push(sql\`id = \${id}\`)
      await sql\`select 1 from \${sql.table(table)} where \${sql.join(conditions, sql\` and \`)}\`.execute(db)
    }`
  expect(textsOf(source)).toEqual([
    'select 1 from "accounts" where true and id = $1',
    'select 1 from "accounts" where true',
    'select 1 from "users" where true and id = $1',
    'select 1 from "users" where true',
  ])
})

test('a piece of SQL that is in no statement, and a name that cannot be known, are problems', () => {
  const source = `
    const unused = sql\`id > 1\`
    const read = (table: string) => sql\`select 1 from \${sql.table(table)}\`.execute(db)`
  expect(read(source).problems).toEqual([
    'src/sample.ts:5: cannot be read: a name that is not known: table',
    'src/sample.ts:4: no statement that is read has this piece of SQL',
    'src/sample.ts:5: no statement that is read has this piece of SQL',
  ])
})

test('all columns of a table are refused, and all of what the statement has made itself are not', () => {
  const texts = [
    'select * from accounts',
    'select a.id, s.* from accounts a join statuses s on true',
    'update users set locale = $1 returning *',
    'with old as (select id from accounts) select * from old',
    'select count(*) from accounts a',
  ]
  expect(texts.map((text) => starProblems(text, tables).length)).toEqual([1, 1, 1, 0, 0])
})

test('rows are locked by a query that is asked once', () => {
  const some = 'select id from jobs order by id limit $1 for update skip locked'
  const texts = [
    `delete from jobs where id in (${some})`,
    `update jobs j set taken = true from (${some}) t where j.id = t.id`,
    some,
    `with some as (${some}) delete from jobs where id = any(array(select id from some))`,
    `with some as materialized (${some}) select id from some`,
    `delete from jobs where id = any(array(${some}))`,
    'select 1 from hosts where host = any($1) for no key update',
  ]
  expect(texts.map((text) => lockProblems(text).length)).toEqual([1, 1, 0, 0, 0, 0, 0])
})

describe('a statement that is handed to a connection as text', () => {
  const client =
    "import type { Client } from 'pg'\ndeclare const client: Client\ndeclare const given: string\n"

  test('is described, with the texts that it is made of, one by one, and the query of a copy', async () => {
    const source = `${client}
      const ids = 'select id from accounts'
      declare const to: (text: string) => { submit(): void }
      await client.query<{ id: number }>(\`\${ids} where locked\`)
      await client.query('begin; select id from no_table')
      client.query(to(\`copy (\${ids} where nothing) to stdout\`))`
    expect(await problemsOf(source)).toEqual([
      'src/sample.ts:9: id is int8, which comes as string, and not number',
      'src/sample.ts:10: relation "no_table" does not exist: select id from no_table',
      'src/sample.ts:11: column "nothing" does not exist: select id from accounts where nothing',
    ])
  })

  test('is a problem where it cannot be known, unless a comment says why', async () => {
    const exempt = '// Not described: the database has written it.\nawait client.query(given)'
    expect(await problemsOf(`${client}${exempt}`)).toEqual([])
    expect(await problemsOf(`${client}await client.query(given)`)).toEqual([
      'src/sample.ts:6: cannot be read: a name that is not known: given',
    ])
    expect(await problemsOf(`${client}${exempt.replace('given', "'select 1'")}`)).toEqual([
      'src/sample.ts:7: is described, though a comment says that it is not',
    ])
  })
})

test('a type of a table that is not as in the database is told', async () => {
  const columns = await readTables(client)
  expect(compareTables(declared, columns)).toEqual([])
  const accounts = new Map(declared.get('accounts'))
  const id = accounts.get('id')
  if (!id) throw new Error('no id')
  accounts
    .set('id', { ...id, kinds: ['number'], text: 'number', hasDefault: true })
    .set('gone', id)
    .delete('url')
  expect(compareTables(new Map([...declared, ['accounts', accounts]]), columns)).toEqual([
    'accounts.id is int8, which comes as string, and not number',
    'accounts.id has no default',
    'accounts.url has no type in src/db/schema',
    'accounts.gone is not in the database',
  ])
  const keys = await readForeignKeys(client)
  expect(compareForeignKeys(declared, keys)).toEqual([])
  const polls = new Map(declared.get('polls')).set('status_id', id)
  expect(compareForeignKeys(new Map([...declared, ['polls', polls]]), keys)).toEqual([
    'polls.status_id refers to statuses.id, and is declared as an id of accounts',
  ])
})

test('a column that is declared as an id of another table is told', () => {
  const idOf = (...tables: string[]) => ({
    kinds: ['string'],
    nullable: false,
    optional: false,
    idOf: tables,
    text: tables.join(' | ') || 'string',
  })
  const columns = ['id', 'account_id', 'cursor', 'made', 'count'].map((name, index) => {
    return { name, type: 20, origin: name === 'made' ? null : `1.${index + 1}` }
  })
  const origins = new Map([
    ['1.1', ['statuses']],
    ['1.2', ['accounts']],
    ['1.3', ['follows']],
    ['1.5', []],
  ])
  const right = {
    id: idOf('statuses', 'drafts'),
    account_id: idOf('*'),
    cursor: idOf(),
    made: idOf('polls'),
    count: idOf(),
  }
  expect(compareIds(new Map(Object.entries(right)), columns, origins)).toEqual([])
  const wrong = { id: idOf('accounts'), account_id: idOf(), cursor: idOf('blocks'), count: idOf('polls') }
  expect(compareIds(new Map(Object.entries(wrong)), columns, origins)).toEqual([
    'id is an id of statuses, and is declared as accounts',
    'account_id is an id of accounts, and is declared as string',
    'cursor is an id of follows, and is declared as blocks',
    'count is no id, and is declared as polls',
  ])
})

test('an exported piece of SQL that counts on a name of its user is told', () => {
  const source = `
    const columns = sql\`a.id\`
    export const all = sql\`select \${columns} from accounts a where a.id = 'x.y'\`
    export const some = sql\`\${columns}, u.email\`
    export function isOf(name: string): RawBuilder<boolean> {
      const row = sql.id(name)
      return sql\`\${row}.locked and exists (select 1 from users u where u.account_id = \${row}.id)\`
    }
    export const isOwn = (id: string): RawBuilder<boolean> => sql\`s.account_id = \${id}\``
  expect(readWith(source, freeNameProblems)).toEqual([
    'src/sample.ts:6: some counts on a row that is called u: take the name',
    'src/sample.ts:6: some counts on a row that is called a: take the name',
    'src/sample.ts:11: isOwn counts on a row that is called s: take the name',
  ])
})

test('a row type that writes out columns of a table is told, unless it says more or is short', async () => {
  const found = await readTables(client)
  const origins = new Map(found.map((column) => [column.origin, column]))
  const tableOf = (types: Record<string, string>) => {
    const row = new Map(Object.entries(types).map(([name, text]) => [name, { text } as DeclaredColumn]))
    const columns = found
      .filter(({ table, column }) => table === 'lists' && column in types)
      .map(({ column, origin }) => ({ name: column, type: 25, origin }))
    return repeatedTable(row, columns, { declared, origins })
  }
  const title = { id: 'ListId', account_id: 'AccountId', title: 'string' }
  expect(tableOf({ ...title, exclusive: 'boolean' })).toBe('lists')
  expect(tableOf({ ...title, replies_policy: '"followed" | "list"' })).toBeNull()
  expect(tableOf(title)).toBeNull()
})
