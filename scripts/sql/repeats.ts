// Row types that write out again what the type of a table has.
import type { DescribedColumn } from './describe.ts'
import type { DeclaredRow } from './row-types.ts'
import type { DeclaredTables, TableColumn } from './tables.ts'

/** Columns of one table that may be written out: a few are read more easily so. */
const fewColumns = 3

const sorted = (type: string) => type.split(' | ').toSorted().join(' | ')

/** The table of which all columns of a row type are, under their names and with their types; null for others, and for few. */
export function repeatedTable(
  row: DeclaredRow,
  columns: readonly DescribedColumn[],
  { declared, origins }: { declared: DeclaredTables; origins: ReadonlyMap<string, TableColumn> },
): string | null {
  if (columns.length <= fewColumns) return null
  const found = columns.map(({ name, origin }) => {
    const column = origin === null ? undefined : origins.get(origin)
    const read = column && declared.get(column.table)?.get(column.column)?.read
    const isSame = column?.column === name && sorted(read ?? '') === sorted(row.get(name)?.text ?? '?')
    return isSame ? column.table : null
  })
  const [table = null] = found
  return found.every((one) => one === table) ? table : null
}
