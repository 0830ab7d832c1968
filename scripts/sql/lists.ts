// The members that a list may have where SQL is joined of them.
import * as ts from 'typescript/unstable/ast'
import { branchesAt } from './branches.ts'
import type { Facts } from './facts.ts'
import { Unreadable, type Bound, type Frame, type Reading } from './reading.ts'
import { call, mayHold } from './resolve.ts'
import { thinOut } from './thin-out.ts'

/** What is known of the members of a list: their expressions, or null for one that stands for all. */
export interface List {
  items: readonly (Bound | null)[]
  facts: Facts
}

/** Fewer lists, in which all members still are. */
export const thinLists = (lists: readonly List[]): List[] =>
  thinOut(lists, (list) => list.items.map((item) => item?.node))

/** Returns the lists that an expression may be. Throws Unreadable where a list of SQL cannot be followed. */
export function readList(r: Reading, bound: Bound, facts: Facts): List[] {
  return r.resolve(bound, facts).flatMap((one): List[] => {
    const { node, frame, facts: held } = one
    if (ts.isArrayLiteralExpression(node)) return readArray(r, node, frame, held)
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      return readMethod(r, node, frame, held)
    }
    if (isFragmentList(r, node)) throw new Unreadable(node, 'a list that cannot be followed')
    return [{ items: [null, null], facts: held }]
  })
}

const isFragmentList = (r: Reading, node: ts.Node) => {
  const whole = r.program.typeOf(node)
  const [type] = whole?.isTypeReference() ? r.program.checker.getTypeArguments(whole) : []
  return type !== undefined && r.program.checker.getPropertyOfType(type, 'toOperationNode') !== undefined
}
function readArray(r: Reading, node: ts.ArrayLiteralExpression, frame: Frame, facts: Facts): List[] {
  let lists: List[] = [{ items: [], facts }]
  for (const element of node.elements) {
    lists = thinLists(lists).flatMap((list) =>
      ts.isSpreadElement(element)
        ? readList(r, { node: element.expression, frame }, list.facts).map((more) => ({
            items: [...list.items, ...more.items],
            facts: more.facts,
          }))
        : [{ items: [...list.items, { node: element, frame }], facts: list.facts }],
    )
  }
  for (const added of pushesTo(r, node))
    lists = thinLists(lists).flatMap((list) => push(r, list, added, frame))
  return lists
}

/** With what is added to a list later, where the conditions for that may hold, and without it, where not. */
function push(r: Reading, list: List, added: ts.CallExpression, frame: Frame): List[] {
  const { held, other } = branchesAt(r, { node: added, frame }, list.facts)
  const items = added.arguments.map((argument) => ({ node: argument, frame }))
  const longer = held ? [{ items: [...list.items, ...items], facts: held }] : []
  return [...longer, ...other.map((facts) => ({ items: list.items, facts }))]
}

/** The calls that add to a list after it was made. */
function pushesTo(r: Reading, node: ts.ArrayLiteralExpression): readonly ts.CallExpression[] {
  const { parent } = node
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)
    ? r.program.methodCallsOn(parent.name, 'push')
    : []
}

/** `map` is followed into its function, `filter` into its condition; `slice` is taken to keep all of the list. */
function readMethod(r: Reading, node: ts.CallExpression, frame: Frame, facts: Facts): List[] {
  const callee = node.expression as ts.PropertyAccessExpression
  const list = () => readList(r, { node: callee.expression, frame }, facts)
  const [first] = node.arguments
  if (callee.expression.getText() === 'Object' && first) {
    return readProperties(r, { node: first, frame }, facts, callee.name.text === 'keys')
  }
  if (callee.name.text === 'filter' && first) {
    return list().map((one) => filterList(r, one, { node: first, frame }))
  }
  if (['slice', 'toSorted', 'toReversed'].includes(callee.name.text)) return list()
  if ((callee.name.text === 'map' || callee.name.text === 'flatMap') && first) {
    return list().flatMap((one) => mapList(r, one, { node: first, frame }, callee.name.text === 'flatMap'))
  }
  if (isFragmentList(r, node)) throw new Unreadable(node, 'a list that cannot be followed')
  return [{ items: [null, null], facts }]
}

/** The properties of an object that is written down, or their names. */
function readProperties(r: Reading, bound: Bound, facts: Facts, isNames: boolean): List[] {
  return r.resolve(bound, facts).map(({ node, frame, facts: held }) => {
    const properties = ts.isObjectLiteralExpression(node)
      ? node.properties.filter(ts.isPropertyAssignment)
      : []
    const items = properties.map((one) => ({ node: isNames ? one.name : one, frame }))
    return { items: items.length > 0 ? items : [null], facts: held }
  })
}

/** Without the members for which the condition cannot hold. */
function filterList(r: Reading, list: List, condition: Bound): List {
  return {
    ...list,
    items: list.items.filter((item) => mayHold(r, condition, [item], list.facts)),
  }
}

function mapList(r: Reading, list: List, fn: Bound, isFlat: boolean): List[] {
  let lists: List[] = [{ items: [], facts: list.facts }]
  for (const item of list.items) {
    lists = thinLists(lists).flatMap((done) =>
      r
        .resolve(fn, done.facts)
        .flatMap((meant) => call(r, meant, [item], meant.facts))
        .flatMap((one): List[] =>
          isFlat ? readList(r, one, one.facts) : [{ items: [one], facts: one.facts }],
        )
        .map((one) => ({ items: [...done.items, ...one.items], facts: one.facts })),
    )
  }
  return lists
}
