// What the last released version asks of the database, as it was written down when that version was made: it has to be
// answered in the same way on today's schema, since that version still runs while this one migrates.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type pg from 'pg'
import { describe } from '../describe.ts'
import type { TableColumn } from '../tables.ts'

export interface FormerStatement {
  text: string
  /** Names of the types of $1, $2 … */
  parameters: readonly string[]
  /** Names of the columns of its rows and of their types. */
  columns: readonly (readonly [string, string])[]
}

/** What a version was written down as. */
export interface FormerProgram {
  version: string
  /** The number of its newest migration. */
  schema: number
  statements: readonly FormerStatement[]
  /** For what the query builder makes: table → column → name of its type. */
  tables: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const file = path.join(import.meta.dirname, 'statements.json.br')

export const readFormer = (): FormerProgram =>
  JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'))

export const writeFormer = (program: FormerProgram): void =>
  writeFileSync(file, brotliCompressSync(JSON.stringify(program)))

/** Runs `work` while tables that statements make on their way are there, for all that names them. */
export async function withMadeTables<T>(
  client: pg.Client,
  texts: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const made: string[] = []
  for (const text of new Set(texts.map((one) => one.trim()))) {
    const [, name] = /^create (?:temporary )?table (?!if\b)(\w+)/.exec(text) ?? []
    if (name === undefined) continue
    await client.query(text.replace(/ on commit drop$/, ''))
    made.push(name)
  }
  return work().finally(async () => {
    for (const name of made) await client.query(`drop table ${name}`)
  })
}

/** Describes statements by the names of types, which are the same in each database. Throws where one is refused. */
export async function describeAll(client: pg.Client, texts: readonly string[]): Promise<FormerStatement[]> {
  const found: FormerStatement[] = []
  for (const described of await describeByName(client, texts)) {
    if ('error' in described) throw new Error(`${described.error}: ${described.text}`)
    found.push(described)
  }
  return found
}

type Described = FormerStatement | { text: string; error: string }

async function describeByName(client: pg.Client, texts: readonly string[]): Promise<Described[]> {
  const { rows } = await client.query<{ oid: number; typname: string }>('select oid, typname from pg_type')
  const names = new Map(rows.map((row) => [row.oid, row.typname]))
  const nameOf = (oid: number) => names.get(oid) ?? '?'
  const found: Described[] = []
  for (const text of texts) {
    const { error, parameters, columns } = await describe(client, text)
    found.push(
      error === null
        ? {
            text,
            parameters: parameters.map(nameOf),
            columns: columns.map(({ name, type }) => [name, nameOf(type)] as const),
          }
        : { text, error },
    )
  }
  return found
}

/** The part of `tables` that a version is written down with. */
export function tablesOf(columns: readonly TableColumn[]): FormerProgram['tables'] {
  const tables: Record<string, Record<string, string>> = {}
  for (const { table, column, type } of columns) (tables[table] ??= {})[column] = type
  return tables
}

/**
 * Returns what the former program would meet on the schema of this database, one line each. None where a migration
 * that it does not know `contracts`: it refuses the database then.
 */
export async function formerProblems(
  client: pg.Client,
  former: FormerProgram,
  now: { tables: readonly TableColumn[]; migrations: readonly { number: number; contracts?: true }[] },
): Promise<string[]> {
  if (now.migrations.some(({ number, contracts }) => number > former.schema && contracts)) return []
  const told = (what: string) => `the program of ${former.version} still runs beside this one, and ${what}`
  const tables = tablesOf(now.tables)
  const columns = Object.entries(former.tables).flatMap(([table, known]) =>
    Object.entries(known).flatMap(([column, type]) => {
      const found = tables[table]?.[column]
      return found === type ? [] : [told(`knows ${table}.${column} as ${type}: it is ${found ?? 'gone'}`)]
    }),
  )
  const texts = former.statements.map(({ text }) => text)
  const described = await withMadeTables(client, texts, () => describeByName(client, texts))
  const statements = described.flatMap((one, index) => {
    const before = former.statements[index] as FormerStatement
    const plain = before.text.replaceAll(/\s+/g, ' ')
    if ('error' in one) return [told(`asks what the database now refuses: ${one.error}: ${plain}`)]
    const isSame =
      JSON.stringify([one.parameters, one.columns]) === JSON.stringify([before.parameters, before.columns])
    return isSame ? [] : [told(`is answered in other types: ${plain}`)]
  })
  return [...columns, ...statements]
}
