/**
 * Compares the source with a migrated database: the types of the tables with its tables, and each statement, in each form
 * that it can take, with its row type; and has it describe what the last released version asks. A statement that cannot be read from the source is a problem as well, so none is
 * left out. What was found right is remembered until the source, the migrations or this check change.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { compareNulls, compareRow, lockProblems, starProblems } from './compare.ts'
import { withMigratedDatabase } from './database.ts'
import { describe } from './describe.ts'
import { migrations } from '#db/migrations/index.ts'
import { formerProblems, readFormer, withMadeTables } from './former/former.ts'
import { freeNameProblems } from './free-names.ts'
import { compareForeignKeys, compareIds, idOrigins, readForeignKeys, type IdOrigins } from './ids.ts'
import { readCatalogue, readNullability } from './understand.ts'
import { openProgram } from './program.ts'
import { repeatedTable } from './repeats.ts'
import { sampleNames } from './samples.ts'
import { findStatements, type Found, type Statement } from './statements.ts'
import { compareTables, readDeclaredTables, readTables, type DeclaredTables } from './tables.ts'

interface Source extends Found {
  tables: DeclaredTables
}

function readSource(root: string): Source {
  const program = openProgram(root)
  try {
    const { statements, problems } = findStatements(program, sampleNames)
    return {
      statements,
      problems: [...problems, ...freeNameProblems(program)],
      tables: readDeclaredTables(program),
    }
  } finally {
    program.close()
  }
}

async function readTypeNames(client: pg.Client): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; typname: string }>('select oid, typname from pg_type')
  return new Map(rows.map((row) => [row.oid, row.typname]))
}

/** What is known of the tables: of which a column holds ids, and the types of all. */
type Known = { ids: IdOrigins } & Parameters<typeof repeatedTable>[2]

/** Returns what is wrong with each statement, as `file:line: what`. */
export function checkStatements(
  client: pg.Client,
  statements: readonly Statement[],
  tables: ReadonlySet<string>,
  known: Known = { ids: new Map(), declared: new Map(), origins: new Map() },
): Promise<string[]> {
  const texts = statements.map(({ text }) => text)
  return withMadeTables(client, texts, () => describeStatements(client, statements, tables, known))
}

async function describeStatements(
  client: pg.Client,
  statements: readonly Statement[],
  tables: ReadonlySet<string>,
  { ids, ...repeats }: Known,
): Promise<string[]> {
  const types = await readTypeNames(client)
  const catalogue = await readCatalogue(client)
  const nameOf = (oid: number) => types.get(oid) ?? '?'
  const problems: string[] = []
  for (const [text, same] of Map.groupBy(statements, (statement) => statement.text)) {
    const { error, parameters, columns } = await describe(client, text)
    const wrong =
      error === null
        ? [...starProblems(text, tables), ...lockProblems(text)]
        : [`${error}: ${text.replaceAll(/\s+/g, ' ')}`]
    const nullable =
      catalogue === null || columns.length === 0
        ? []
        : await readNullability(client, catalogue, { text, types: parameters.map(nameOf) })
    for (const { place, row, writtenAt } of same) {
      const table = row && writtenAt && error === null ? repeatedTable(row, columns, repeats) : null
      if (table)
        problems.push(`${writtenAt}: writes out columns of ${table}: Pick<Selectable<…>, …> of its type`)
      const differences =
        row && error === null
          ? [
              ...compareRow(row, columns, nameOf),
              ...compareIds(row, columns, ids),
              ...compareNulls(row, columns, nullable),
            ]
          : []
      problems.push(...[...wrong, ...differences].map((what) => `${place}: ${what}`))
    }
  }
  return problems
}

async function checkDatabase({ statements, tables }: Source): Promise<string[]> {
  return withMigratedDatabase(process.env['DATABASE_URL'] || undefined, async (client) => {
    const columns = await readTables(client)
    const names = new Set(columns.map((column) => column.table))
    return [
      ...compareTables(tables, columns),
      ...compareForeignKeys(tables, await readForeignKeys(client)),
      ...(await checkStatements(client, statements, names, {
        ids: idOrigins(tables, columns),
        declared: tables,
        origins: new Map(columns.map((column) => [column.origin, column])),
      })),
      ...(await formerProblems(client, readFormer(), { tables: columns, migrations })),
    ]
  })
}

/** One text for all that the outcome depends on. */
function fingerprint(root: string, { statements, tables }: Source): string {
  const hash = createHash('sha256').update(process.env['DATABASE_URL'] ?? '')
  for (const folder of ['src/db/migrations', 'scripts/sql', 'scripts/sql/former']) {
    for (const name of readdirSync(join(root, folder)).toSorted())
      if (name.includes('.')) hash.update(readFileSync(join(root, folder, name)))
  }
  const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  return hash.update(JSON.stringify([statements, tables], plain)).digest('hex')
}

/** Returns all that is wrong, as `file:line: what`. */
async function check(root: string): Promise<string[]> {
  const source = readSource(root)
  const remembered = join(root, 'node_modules/.cache/sql.txt')
  const now = fingerprint(root, source)
  if (source.problems.length === 0 && readText(remembered) === now) return []
  const problems = [...new Set([...source.problems, ...(await checkDatabase(source))])]
  if (problems.length === 0) {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    writeFileSync(remembered, now)
  }
  return problems
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

if (import.meta.main) {
  const problems = await check(resolve(import.meta.dirname, '../..'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log('sql: tables and statements are as the database has them')
}
