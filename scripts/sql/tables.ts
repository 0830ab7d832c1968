// The types of the tables in src/db/schema beside the tables of the migrated database.
import type pg from 'pg'
import { TypeFlags, type Symbol, type Type } from 'typescript/unstable/sync'
import * as ts from 'typescript/unstable/ast'
import { fits, kindOf } from './compare.ts'
import type { Program } from './program.ts'
import { readColumnType, type DeclaredColumn } from './row-types.ts'

/** A column as its type in src/db/schema has it. */
export interface DeclaredTableColumn extends DeclaredColumn {
  /** Whether an INSERT may leave it out. */
  hasDefault: boolean
  /** The type of what is read, as it is written. */
  read: string
}

export type DeclaredTables = ReadonlyMap<string, ReadonlyMap<string, DeclaredTableColumn>>

/** A column as the database has it. */
export interface TableColumn {
  table: string
  column: string
  type: string
  nullable: boolean
  hasDefault: boolean
  /** As statements say that a column of theirs is it. */
  origin: string
}

/** Written by the migrations themselves. */
const withoutType = new Set(['schema_migrations'])

/** Returns the columns of every table that the type `Schema` names. Throws when there is none. */
export function readDeclaredTables(program: Program): DeclaredTables {
  const { checker } = program
  const declaration = program.files
    .filter((file) => file.fileName.endsWith('/src/db/schema/schema.ts'))
    .flatMap((file) => [...file.statements])
    .find((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'Schema')
  const schema = declaration && checker.getTypeAtLocation(declaration)
  if (!schema) throw new Error('src/db/schema/schema.ts has no type Schema')
  const typeOf = (symbol: Symbol) => checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType()
  const read = (type: Type): DeclaredTableColumn => {
    const members = type.isUnionType() ? type.getTypes() : [type]
    const sides = members.map((member) => {
      const select = checker.getPropertyOfType(member, '__select__')
      const insert = checker.getPropertyOfType(member, '__insert__')
      return { select: select ? typeOf(select) : member, insert: insert ? typeOf(insert) : undefined }
    })
    const columns = sides.map(({ select }) => readColumnType(select, checker))
    const optional = (one: Type | undefined) =>
      one !== undefined &&
      (one.isUnionType() ? one.getTypes() : [one]).some(
        (member) => member.flags & (TypeFlags.Undefined | TypeFlags.Never),
      )
    return {
      kinds: columns.flatMap((column) => column.kinds),
      nullable: columns.some((column) => column.nullable && !column.kinds.includes('anything')),
      idOf: columns.flatMap((column) => column.idOf),
      optional: false,
      text: checker.typeToString(type),
      read: sides.map(({ select }) => checker.typeToString(select)).join(' | '),
      hasDefault: sides.some(({ insert }) => optional(insert)),
    }
  }
  return new Map(
    checker
      .getPropertiesOfType(schema)
      .map((table) => [
        table.name,
        new Map(
          checker.getPropertiesOfType(typeOf(table)).map((column) => [column.name, read(typeOf(column))]),
        ),
      ]),
  )
}

/** Returns the columns of every table of the program's own. */
export async function readTables(client: pg.Client): Promise<TableColumn[]> {
  const { rows } = await client.query<TableColumn>(`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as "hasDefault",
      c.oid || '.' || a.attnum as origin
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`)
  return rows.filter((row) => !withoutType.has(row.table))
}

/** Each difference between the tables and their types. */
export function compareTables(declared: DeclaredTables, columns: readonly TableColumn[]): string[] {
  const problems = columns.flatMap((found) => {
    const column = declared.get(found.table)?.get(found.column)
    return (column ? compareColumn(column, found) : ['has no type in src/db/schema']).map(
      (what) => `${found.table}.${found.column} ${what}`,
    )
  })
  const there = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const typed = [...declared].flatMap(([table, types]) =>
    [...types.keys()].map((column) => `${table}.${column}`),
  )
  return [
    ...problems,
    ...typed.filter((name) => !there.has(name)).map((name) => `${name} is not in the database`),
  ]
}

function compareColumn(column: DeclaredTableColumn, found: TableColumn): string[] {
  const isType = fits(column, found.type)
  return [
    ...(isType ? [] : [`is ${found.type}, which comes as ${kindOf(found.type)}, and not ${column.text}`]),
    ...(column.nullable === found.nullable ? [] : [`is ${found.nullable ? '' : 'not '}nullable`]),
    ...(found.nullable || column.hasDefault === found.hasDefault
      ? []
      : [`has ${found.hasDefault ? 'a' : 'no'} default`]),
  ]
}
