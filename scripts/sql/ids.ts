// Ids beside the tables whose they are: what the source says of a column, and what the database knows.
import type pg from 'pg'
import type { DescribedColumn } from './describe.ts'
import type { DeclaredRow } from './row-types.ts'
import type { DeclaredTables, TableColumn } from './tables.ts'

/** Of ids of any table. */
export const anyTable = '*'

/** A column that names rows of another table, both as `table.column`. */
export interface ForeignKey {
  from: string
  to: string
}

/** The tables whose ids a column holds, by how statements name the column as the origin of one of theirs. */
export type IdOrigins = ReadonlyMap<string, readonly string[]>

/** Returns what src/db/schema says of each column of the database. */
export function idOrigins(declared: DeclaredTables, columns: readonly TableColumn[]): IdOrigins {
  return new Map(
    columns.map(({ origin, table, column }) => [origin, declared.get(table)?.get(column)?.idOf ?? []]),
  )
}

/**
 * Columns of a statement that are declared as ids of another table than theirs. A `cursor` may be plain text: its list
 * knows of which table it is.
 */
export function compareIds(
  row: DeclaredRow,
  columns: readonly DescribedColumn[],
  origins: IdOrigins,
): string[] {
  return columns.flatMap(({ name, origin }) => {
    const column = row.get(name)
    const tables = origin === null ? undefined : origins.get(origin)
    if (!column || !tables || column.kinds.includes('anything') || column.idOf.includes(anyTable)) return []
    if (name === 'cursor' && column.idOf.length === 0) return []
    const isRight =
      tables.length === 0 ? column.idOf.length === 0 : tables.every((table) => column.idOf.includes(table))
    const what = tables.length === 0 ? 'no id' : `an id of ${tables.join(', ')}`
    return isRight ? [] : [`${name} is ${what}, and is declared as ${column.text}`]
  })
}

/** Returns the foreign keys of the database that are of one column. */
export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select c.conrelid::regclass || '.' || f.attname as "from", c.confrelid::regclass || '.' || t.attname as "to"
    from pg_constraint c
    join pg_attribute f on f.attrelid = c.conrelid and f.attnum = c.conkey[1]
    join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
    where c.contype = 'f' and cardinality(c.conkey) = 1
    order by 1, 2`)
  return rows
}

/** Foreign keys whose columns are ids of different tables by their types, and tables whose `id` is one of another. */
export function compareForeignKeys(declared: DeclaredTables, keys: readonly ForeignKey[]): string[] {
  const idOf = (name: string) => {
    const [table = '', column = ''] = name.split('.')
    return declared.get(table)?.get(column)?.idOf ?? []
  }
  const own = [...declared].flatMap(([table, columns]) => {
    const id = columns.get('id')
    return id && !id.idOf.includes(table) ? [`${table}.id is declared as ${id.text}`] : []
  })
  const foreign = keys.flatMap(({ from, to }) =>
    idOf(to).every((table) => idOf(from).includes(table))
      ? []
      : [`${from} refers to ${to}, and is declared as an id of ${idOf(from).join(', ') || 'nothing'}`],
  )
  return [...own, ...foreign]
}
