// What must hold at a place of the source: the conditions of the branches that it stands in.
import * as ts from 'typescript/unstable/ast'
import { assume, noFacts, type Facts } from './facts.ts'
import { nameOf } from './names.ts'
import { isFunction, type Bound, type Reading } from './reading.ts'

/** The facts at a place, or null where it cannot be reached. */
export function factsAt(r: Reading, { node, frame }: Bound, before: Facts = noFacts): Facts | null {
  const nameIn = (one: ts.Node) => nameOf(r, { node: one, frame })
  let facts: Facts | null = before
  for (let child = node; child.parent && !isFunction(child); child = child.parent) {
    const { parent } = child
    if (facts === null) return null
    if (ts.isIfStatement(parent) && child !== parent.expression) {
      facts = assume(facts, parent.expression, child === parent.thenStatement, nameIn)
    } else if (ts.isConditionalExpression(parent) && child !== parent.condition) {
      facts = assume(facts, parent.condition, child === parent.whenTrue, nameIn)
    } else if (ts.isBlock(parent)) {
      for (const earlier of parent.statements) {
        if (earlier === child) break
        if (facts && ts.isIfStatement(earlier) && leaves(earlier.thenStatement)) {
          facts = assume(facts, earlier.expression, false, nameIn)
        }
      }
    }
  }
  return facts
}

/** The facts where a place is reached, or null, and those where it is not. */
export function branchesAt(r: Reading, bound: Bound, facts: Facts) {
  const held = factsAt(r, bound, facts)
  let branch = bound.node
  while (branch.parent && !ts.isIfStatement(branch.parent) && !isFunction(branch)) branch = branch.parent
  if (!ts.isIfStatement(branch.parent)) return { held, other: held ? [] : [facts] }
  const { expression, thenStatement } = branch.parent
  const outcome = branch !== thenStatement
  const other = assume(facts, expression, outcome, (one) => nameOf(r, { node: one, frame: bound.frame }))
  return { held, other: other ? [other] : [] }
}
/** Whether a statement never goes on to the next one. */
function leaves(statement: ts.Node): boolean {
  if (ts.isBlock(statement)) {
    const last = statement.statements.at(-1)
    return last !== undefined && leaves(last)
  }
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  )
}
