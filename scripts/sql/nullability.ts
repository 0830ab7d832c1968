// Whether a column of a statement may be null, as far as its own form tells.
import { isTreeNode, listIn, nodeIn, numberIn, textIn, type Tree, type TreeNode } from './node-tree.ts'

export type Nullability = 'never' | 'maybe' | 'unknown'

/** What the database says of its columns and functions. */
export interface Catalogue {
  /** As `table.attribute`, both by number, of columns that are never null. */
  notNull: ReadonlySet<string>
  functions: ReadonlyMap<number, { name: string; strict: boolean }>
}

/** Functions that never return null, whatever they are given. */
const neverNull = new Set(
  'count row_number rank dense_rank now clock_timestamp statement_timestamp nextval concat format jsonb_build_object jsonb_build_array json_build_object json_build_array gen_random_uuid grouping'.split(
    ' ',
  ),
)

/** Functions that may make null of what is not. */
const mayLose = new Set(
  'jsonb_object_field jsonb_object_field_text jsonb_array_element jsonb_array_element_text jsonb_extract_path jsonb_extract_path_text json_object_field_text array_position array_length array_upper array_lower to_regclass substring regexp_match nullif jsonb_path_query_first lag lead first_value last_value nth_value inet_client_addr current_setting pg_get_serial_sequence max min sum array_agg string_agg jsonb_agg json_agg bool_or bool_and avg every'.split(
    ' ',
  ),
)

/** A query with those around it, the innermost first, and what its conditions say is not null. */
interface Scope {
  query: TreeNode
  outer: Scope | null
  /** As `relation.attribute`. */
  present: ReadonlySet<string>
  /** Outer joins that conditions make inner ones. */
  joined: ReadonlySet<string>
}

const worst = (all: readonly Nullability[]): Nullability =>
  all.includes('maybe') ? 'maybe' : all.includes('unknown') ? 'unknown' : 'never'

/** Where null in gives null out, and nothing else does. */
const passed = worst

/** Returns, for each column of a statement, whether it may be null. Of what is not understood it says so. */
export function findNullable(statement: Tree, catalogue: Catalogue): Nullability[] {
  const query = firstQuery(statement)
  if (query === undefined) return []
  const reading = { catalogue, open: new Set<TreeNode>() }
  const scope = enter(reading, query, null)
  return columnsOf(query).map((_, index) => column(reading, scope, index + 1))
}

function firstQuery(tree: Tree): TreeNode | undefined {
  if (isTreeNode(tree)) return tree.name === 'QUERY' ? tree : undefined
  return Array.isArray(tree) ? tree.map(firstQuery).find((found) => found !== undefined) : undefined
}

function columnsOf(query: TreeNode): TreeNode[] {
  const isSelect = textIn(query, 'commandType') === '1'
  return listIn(query, isSelect ? 'targetList' : 'returningList')
    .filter(isTreeNode)
    .filter((entry) => textIn(entry, 'resjunk') !== 'true')
}

/** The members of a bit set, as `(b 1 2)`. */
const bitsOf = (node: TreeNode, field: string) => listIn(node, field).slice(1).map(String)

/** What is kept while a statement is looked through. */
interface Reading {
  catalogue: Catalogue
  /** Queries that are being looked at: one that is met again is recursive. */
  open: Set<TreeNode>
}

function enter(c: Reading, query: TreeNode, outer: Scope | null): Scope {
  const present = new Set<string>()
  const joined = new Set<string>()
  const join = nodeIn(query, 'jointree')
  if (join)
    collectConditions(
      join,
      (variable) => {
        if (textIn(variable, 'varlevelsup') !== '0') return
        present.add(`${textIn(variable, 'varno')}.${textIn(variable, 'varattno')}`)
        for (const bit of bitsOf(variable, 'varnullingrels')) joined.add(bit)
      },
      c.catalogue,
    )
  return { query, outer, present, joined }
}

function column(c: Reading, scope: Scope, number: number): Nullability {
  const { query } = scope
  const union = nodeIn(query, 'setOperations')
  if (union) return worst(leavesOf(union).map((leaf) => relationColumn(c, scope, leaf, number)))
  const entry = columnsOf(query).find((one) => numberIn(one, 'resno') === number)
  const expression = entry && nodeIn(entry, 'expr')
  return expression ? read(c, expression, scope) : 'unknown'
}

function relationColumn(c: Reading, scope: Scope, relation: number, attribute: number): Nullability {
  const entry = listIn(scope.query, 'rtable')[relation - 1]
  if (!isTreeNode(entry)) return 'unknown'
  const kind = textIn(entry, 'rtekind')
  if (kind === '0') {
    if (!['r', 'p'].includes(textIn(entry, 'relkind'))) return 'unknown'
    return attribute < 0 || c.catalogue.notNull.has(`${textIn(entry, 'relid')}.${attribute}`)
      ? 'never'
      : 'maybe'
  }
  if (kind === '1') {
    const subquery = nodeIn(entry, 'subquery')
    return subquery ? within(c, subquery, scope, attribute) : 'unknown'
  }
  if (kind === '2') return memberOf(c, listIn(entry, 'joinaliasvars'), attribute, scope)
  if (kind === '9') return memberOf(c, listIn(entry, 'groupexprs'), attribute, scope)
  if (kind === '6') return commonColumn(c, entry, scope, attribute)
  return 'unknown'
}

const memberOf = (c: Reading, members: readonly Tree[], number: number, scope: Scope) => {
  const member = members[number - 1]
  return isTreeNode(member) ? read(c, member, scope) : 'unknown'
}

function within(c: Reading, query: TreeNode, outer: Scope | null, number: number): Nullability {
  // What a recursive query adds to itself is as null as what it began with.
  if (c.open.has(query)) return 'never'
  c.open.add(query)
  try {
    return column(c, enter(c, query, outer), number)
  } finally {
    c.open.delete(query)
  }
}

function commonColumn(c: Reading, entry: TreeNode, scope: Scope, number: number): Nullability {
  let holder: Scope | null = scope
  for (let up = numberIn(entry, 'ctelevelsup'); up > 0 && holder; up -= 1) holder = holder.outer
  const found =
    holder &&
    listIn(holder.query, 'cteList')
      .filter(isTreeNode)
      .find((one) => textIn(one, 'ctename') === textIn(entry, 'ctename'))
  const query = found && nodeIn(found, 'ctequery')
  return query ? within(c, query, holder, number) : 'unknown'
}

function readVariable(c: Reading, node: TreeNode, scope: Scope): Nullability {
  let holder: Scope | null = scope
  for (let up = numberIn(node, 'varlevelsup'); up > 0 && holder; up -= 1) holder = holder.outer
  if (!holder) return 'unknown'
  const [relation, attribute] = [numberIn(node, 'varno'), numberIn(node, 'varattno')]
  const { present, joined } = holder
  if (present.has(`${relation}.${attribute}`)) return 'never'
  if (bitsOf(node, 'varnullingrels').some((bit) => !joined.has(bit))) return 'maybe'
  const returning = textIn(node, 'varreturningtype')
  if (attribute === 0 || (returning !== '' && returning !== '0')) return 'unknown'
  return relationColumn(c, holder, relation, attribute)
}

const all = (c: Reading, node: TreeNode, field: string, scope: Scope) =>
  listIn(node, field).map((one) => (isTreeNode(one) ? read(c, one, scope) : 'unknown'))

function readFunction(c: Reading, id: number, args: Nullability[]): Nullability {
  const known = c.catalogue.functions.get(id)
  if (known === undefined) return 'unknown'
  if (neverNull.has(known.name)) return 'never'
  const given = passed(args)
  if (!known.strict) return 'unknown'
  if (given !== 'never') return given
  return mayLose.has(known.name) ? 'unknown' : 'never'
}

function readAggregate(c: Reading, node: TreeNode, scope: Scope): Nullability {
  const { name } = c.catalogue.functions.get(numberIn(node, 'aggfnoid')) ?? { name: '' }
  if (neverNull.has(name)) return 'never'
  const isGrouped = listIn(scope.query, 'groupClause').length > 0
  if (!isGrouped || node.fields.get('aggfilter') !== null) return 'maybe'
  const args = listIn(node, 'args').map((entry) => {
    const expression = isTreeNode(entry) ? nodeIn(entry, 'expr') : undefined
    return expression ? read(c, expression, scope) : 'unknown'
  })
  // A list of what is null is not null itself.
  return name.endsWith('agg') && name !== 'string_agg' ? 'never' : passed(args)
}

function readSublink(c: Reading, node: TreeNode, scope: Scope): Nullability {
  const kind = textIn(node, 'subLinkType')
  const query = nodeIn(node, 'subselect')
  if (kind === '0' || kind === '6') return 'never'
  if (kind !== '4' || !query) return 'unknown'
  const [only] = columnsOf(query)
  const isOneRow =
    textIn(query, 'hasAggs') === 'true' &&
    listIn(query, 'groupClause').length === 0 &&
    query.fields.get('havingQual') === null
  const isFree = listIn(query, 'rtable').length === 0
  if (!isOneRow && !isFree) return 'maybe'
  return only ? within(c, query, scope, numberIn(only, 'resno')) : 'unknown'
}

function readCase(c: Reading, node: TreeNode, scope: Scope): Nullability {
  const results = listIn(node, 'args').map((one) => {
    const result = isTreeNode(one) ? nodeIn(one, 'result') : undefined
    return result ? read(c, result, scope) : 'unknown'
  })
  const otherwise = nodeIn(node, 'defresult')
  // Each result is under its condition, which may rule out that it is null.
  const found = worst([...results, otherwise ? read(c, otherwise, scope) : 'maybe'])
  const isSure = otherwise?.name === 'CONST' && textIn(otherwise, 'constisnull') === 'true'
  return found === 'maybe' && !isSure ? 'unknown' : found
}

const either = (found: readonly Nullability[]): Nullability =>
  found.includes('never') ? 'never' : found.every((one) => one === 'maybe') ? 'maybe' : 'unknown'

const readers: Readonly<Record<string, (c: Reading, node: TreeNode, scope: Scope) => Nullability>> = {
  VAR: readVariable,
  CONST: (_, node) => (textIn(node, 'constisnull') === 'true' ? 'maybe' : 'never'),
  COALESCEEXPR: (c, node, scope) => either(all(c, node, 'args', scope)),
  MINMAXEXPR: (c, node, scope) => either(all(c, node, 'args', scope)),
  NULLTEST: () => 'never',
  BOOLEANTEST: () => 'never',
  DISTINCTEXPR: () => 'never',
  NULLIFEXPR: () => 'maybe',
  ARRAYEXPR: () => 'never',
  ARRAY: () => 'never',
  ROWEXPR: () => 'never',
  SQLVALUEFUNCTION: () => 'never',
  FUNCEXPR: (c, node, scope) => readFunction(c, numberIn(node, 'funcid'), all(c, node, 'args', scope)),
  OPEXPR: (c, node, scope) => readFunction(c, numberIn(node, 'opfuncid'), all(c, node, 'args', scope)),
  BOOLEXPR: (c, node, scope) => (passed(all(c, node, 'args', scope)) === 'never' ? 'never' : 'unknown'),
  AGGREF: readAggregate,
  WINDOWFUNC: (c, node) =>
    neverNull.has(c.catalogue.functions.get(numberIn(node, 'winfnoid'))?.name ?? '') ? 'never' : 'unknown',
  SUBLINK: readSublink,
  CASEEXPR: readCase,
  CASE: readCase,
}
const through = new Set(['RELABELTYPE', 'COERCEVIAIO', 'ARRAYCOERCEEXPR', 'COLLATEEXPR', 'COERCETODOMAIN'])

function read(c: Reading, node: TreeNode, scope: Scope): Nullability {
  if (through.has(node.name)) {
    const inner = nodeIn(node, 'arg')
    return inner ? read(c, inner, scope) : 'unknown'
  }
  return readers[node.name]?.(c, node, scope) ?? 'unknown'
}

/** The subqueries that a union is made of. */
function leavesOf(node: TreeNode): number[] {
  if (node.name === 'RANGETBLREF') return [numberIn(node, 'rtindex')]
  return [nodeIn(node, 'larg'), nodeIn(node, 'rarg')].flatMap((one) => (one ? leavesOf(one) : []))
}

/** Calls `hold` for each variable that has to be something for rows to be found at all. */
function collectConditions(join: TreeNode, hold: (variable: TreeNode) => void, catalogue: Catalogue): void {
  const isInner = join.name !== 'JOINEXPR' || textIn(join, 'jointype') === '0'
  const quals = nodeIn(join, 'quals')
  if (quals && isInner) collectStrict(quals, hold, catalogue)
  const kept =
    join.name === 'JOINEXPR'
      ? [
          isInner || textIn(join, 'jointype') === '1' ? nodeIn(join, 'larg') : undefined,
          isInner || textIn(join, 'jointype') === '3' ? nodeIn(join, 'rarg') : undefined,
        ]
      : listIn(join, 'fromlist').filter(isTreeNode)
  for (const one of kept) if (one) collectConditions(one, hold, catalogue)
}

function collectStrict(node: TreeNode, hold: (variable: TreeNode) => void, catalogue: Catalogue): void {
  const args = listIn(node, 'args').filter(isTreeNode)
  const inner = nodeIn(node, 'arg')
  if (node.name === 'VAR') hold(node)
  else if (node.name === 'NULLTEST' && textIn(node, 'nulltesttype') === '1' && inner)
    collectStrict(inner, hold, catalogue)
  else if (node.name === 'RELABELTYPE' && inner) collectStrict(inner, hold, catalogue)
  else if (node.name === 'SUBLINK' && textIn(node, 'subLinkType') === '2') {
    const test = nodeIn(node, 'testexpr')
    if (test) collectStrict(test, hold, catalogue)
  } else if (node.name === 'BOOLEXPR' && textIn(node, 'boolop') !== 'or')
    for (const one of args) collectStrict(one, hold, catalogue)
  else if (node.name === 'SCALARARRAYOPEXPR' && textIn(node, 'useOr') === 'true' && args[0])
    collectStrict(args[0], hold, catalogue)
  else if (
    (node.name === 'OPEXPR' || node.name === 'FUNCEXPR') &&
    catalogue.functions.get(numberIn(node, node.name === 'OPEXPR' ? 'opfuncid' : 'funcid'))?.strict
  ) {
    for (const one of args) collectStrict(one, hold, catalogue)
  }
}
