// What the source says that the rows of a statement are.
import { SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'

/** A column as its type has it. */
export interface DeclaredColumn {
  /** As `string`, `Date`, `string[]`, `object`; `anything` where the type says nothing. */
  kinds: readonly string[]
  nullable: boolean
  /** The tables whose ids it holds, as its type says; none for what is no id, `*` for ids of any. */
  idOf: readonly string[]
  /** Whether the type lets it be missing. */
  optional: boolean
  /** As it is written, for people. */
  text: string
}

export type DeclaredRow = ReadonlyMap<string, DeclaredColumn>

const simple: readonly [TypeFlags, string][] = [
  [TypeFlags.Any | TypeFlags.Unknown, 'anything'],
  [
    TypeFlags.String | TypeFlags.StringLiteral | TypeFlags.TemplateLiteral | TypeFlags.StringMapping,
    'string',
  ],
  [TypeFlags.Number | TypeFlags.NumberLiteral | TypeFlags.Enum, 'number'],
  [TypeFlags.Boolean | TypeFlags.BooleanLiteral, 'boolean'],
  [TypeFlags.BigInt | TypeFlags.BigIntLiteral, 'bigint'],
]

function kindsOf(type: Type, checker: Checker): string[] {
  if (type.isUnionType()) return [...new Set(type.getTypes().flatMap((one) => kindsOf(one, checker)))]
  if (type.flags & (TypeFlags.Null | TypeFlags.Undefined)) return []
  const known = simple.find(([flags]) => type.flags & flags)
  if (known) return [known[1]]
  // A branded id is a string and something else.
  if (type.isIntersectionType()) {
    return type
      .getTypes()
      .flatMap((one) => kindsOf(one, checker).filter((kind) => kind !== 'object'))
      .slice(0, 1)
  }
  const name = type.getSymbol()?.name
  if (name === 'Date') return ['Date']
  if (name === 'Buffer' || name === 'Uint8Array') return ['Buffer']
  if (type.isTypeReference() && checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type)
    const kinds = element ? kindsOf(element, checker) : []
    return [`${kinds.toSorted().join('|') || 'null'}[]`]
  }
  return ['object']
}

/** Whether null is among the values of a type. */
function isNullable(type: Type): boolean {
  if (type.isUnionType()) return type.getTypes().some(isNullable)
  return (type.flags & (TypeFlags.Null | TypeFlags.Any | TypeFlags.Unknown)) !== 0
}

/** The tables whose ids a type holds, or a list of them: `string & { [table]: 'accounts' }`. */
function readIdOf(type: Type, checker: Checker): string[] {
  if (type.isUnionType()) return type.getTypes().flatMap((one) => readIdOf(one, checker))
  if (type.isTypeReference() && checker.isArrayType(type)) {
    return checker.getTypeArguments(type).flatMap((one) => readIdOf(one, checker))
  }
  if (!type.isIntersectionType()) return []
  const marks = type.getTypes().filter((one) => one.flags & TypeFlags.Object)
  return marks
    .flatMap((mark) => checker.getPropertiesOfType(mark))
    .map((property) => checker.getTypeOfSymbol(property))
    .map((table) => (table?.isStringLiteralType() ? String(table.value) : '*'))
}

/** A type as a column. */
export function readColumnType(type: Type, checker: Checker, optional = false): DeclaredColumn {
  return {
    kinds: kindsOf(type, checker),
    nullable: isNullable(type),
    idOf: [...new Set(readIdOf(type, checker))],
    optional,
    text: checker.typeToString(type),
  }
}

/** The columns of a row type; null for one that says nothing of them. */
export function readRowType(type: Type, checker: Checker): DeclaredRow | null {
  const meant = type.isTypeParameter() ? checker.getConstraintOfTypeParameter(type) : type
  if (meant === undefined || meant.flags & (TypeFlags.Any | TypeFlags.Unknown)) return null
  const columns = checker.getPropertiesOfType(meant).map((property): [string, DeclaredColumn] => {
    const columnType = checker.getTypeOfSymbol(property) ?? checker.getUnknownType()
    return [property.name, readColumnType(columnType, checker, (property.flags & SymbolFlags.Optional) !== 0)]
  })
  return new Map(columns)
}
