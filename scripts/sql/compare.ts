// What the database says of a statement beside what the source says.
import type { DescribedColumn } from './describe.ts'
import type { Nullability } from './nullability.ts'
import type { DeclaredColumn, DeclaredRow } from './row-types.ts'

/** What pg makes of values of a type, by the name of the type; all others come as text. */
const kinds = new Map([
  ['bool', 'boolean'],
  ['int2', 'number'],
  ['int4', 'number'],
  ['oid', 'number'],
  ['float4', 'number'],
  ['float8', 'number'],
  ['timestamptz', 'Date'],
  ['timestamp', 'Date'],
  ['date', 'Date'],
  ['bytea', 'Buffer'],
  ['json', 'anything'],
  ['jsonb', 'anything'],
  ['point', 'object'],
  ['interval', 'object'],
])

/** What a value of a database type is in the program. */
export function kindOf(type: string): string {
  return type.startsWith('_') ? `${kindOf(type.slice(1))}[]` : (kinds.get(type) ?? 'string')
}

/** Whether what is declared is what comes. */
export function fits(column: DeclaredColumn, type: string): boolean {
  const kind = kindOf(type)
  if (kind === 'anything') return true
  return column.kinds.every((one) => one === kind || one === 'anything')
}

/** Columns that may be null and are declared as if they were not. */
export function compareNulls(
  row: DeclaredRow,
  columns: readonly DescribedColumn[],
  nullable: readonly Nullability[],
): string[] {
  return columns.flatMap(({ name }, index) => {
    const column = row.get(name)
    return column && !column.nullable && nullable[index] === 'maybe'
      ? [`${name} may be null, and is declared as ${column.text}`]
      : []
  })
}

/** Each difference between the columns of a statement and its row type. */
export function compareRow(
  row: DeclaredRow,
  columns: readonly DescribedColumn[],
  nameOfType: (oid: number) => string,
): string[] {
  const named = new Map(columns.map((column) => [column.name, column]))
  const twice = columns.length === named.size ? [] : ['two columns have the same name']
  const missing = [...row].flatMap(([name, column]) =>
    named.has(name) || column.optional ? [] : [`${name} is in the row type and not in the statement`],
  )
  const others = columns.flatMap(({ name, type }) => {
    const column = row.get(name)
    if (column === undefined) return [`${name} is in the statement and not in the row type`]
    const typeName = nameOfType(type)
    return fits(column, typeName)
      ? []
      : [`${name} is ${typeName}, which comes as ${kindOf(typeName)}, and not ${column.text}`]
  })
  return [...twice, ...missing, ...others]
}

const stars = [/\b(?:select|distinct|returning)\s+\*/gi, /(?<![\w.])(\w+)\.\*/g]

/** Where a statement takes all columns of a table, whichever they will be. Of what it has made itself it may. */
export function starProblems(text: string, tables: ReadonlySet<string>): string[] {
  const sources = new Map(
    [
      ...text.matchAll(
        /\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?(?!on\b|where\b|set\b)(\w+))?/gi,
      ),
    ].map(([, table = '', alias]) => [alias ?? table, table]),
  )
  const isTable = (name: string) => tables.has(sources.get(name) ?? name)
  const [plain = /./, qualified = /./] = stars
  const whole = [...text.matchAll(plain)].filter((found) => {
    const [, table = ''] = /^\s+from\s+"?(\w+)"?/i.exec(text.slice(found.index + found[0].length)) ?? []
    return tables.has(table) || found[0].toLowerCase().startsWith('returning')
  })
  const parts = [...text.matchAll(qualified)].filter(([, name = '']) => isTable(name))
  return [...whole, ...parts].map(([star]) => `${star.replaceAll(/\s+/g, ' ')}: name the columns`)
}

/**
 * The next few rows that are locked by a query in the midst of another one: PostgreSQL may ask such a query once for each
 * row of the other, and it locks further rows each time, beyond its limit. A WITH query and `array(…)` are asked once.
 */
export function lockProblems(text: string): string[] {
  const locks =
    /\blimit\s+\S+\s+for\s+(?:no\s+key\s+)?update\b(?:.{0,20}\bskip\s+locked\b)?|\bskip\s+locked\b/gis
  return [...text.matchAll(locks)].flatMap(({ index }) => {
    const before = enclosing(text, index)
    return before === null || /(?:\bas(?:\s+materialized)?|\barray)\s*$/i.test(before)
      ? []
      : [
          'locks rows in a subquery, which may be asked many times: in a WITH query or array(…) it is asked once',
        ]
  })
}

/** What stands before the parenthesis around this place; null where there is none. */
function enclosing(text: string, place: number): string | null {
  let open = 1
  for (let i = place - 1; i >= 0; i--) {
    if (text[i] === ')') open++
    else if (text[i] === '(' && --open === 0) return text.slice(0, i)
  }
  return null
}
