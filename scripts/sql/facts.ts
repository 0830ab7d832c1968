// What has to hold where one form of a statement is made: two forms that contradict each other make no statement.
import * as ts from 'typescript/unstable/ast'

/** A condition, in words that are the same wherever it is asked, and its outcome. */
export type Facts = ReadonlyMap<string, string>

/** Gives an expression a name that is the same wherever it has the same value. */
export interface Naming {
  (node: ts.Node): string
}

export const noFacts: Facts = new Map()

/** The facts with one more, or null where they say otherwise. */
export function withFact(facts: Facts, name: string, value: string): Facts | null {
  const known = facts.get(name)
  if (known !== undefined) return known === value ? facts : null
  return new Map([...facts, [name, value]])
}

const equality = new Map<ts.SyntaxKind, boolean>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, true],
  [ts.SyntaxKind.EqualsEqualsToken, true],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, false],
  [ts.SyntaxKind.ExclamationEqualsToken, false],
])

/** The facts where `condition` has come out as `outcome`, or null where it cannot have. */
export function assume(facts: Facts, condition: ts.Node, outcome: boolean, nameOf: Naming): Facts | null {
  if (ts.isParenthesizedExpression(condition)) return assume(facts, condition.expression, outcome, nameOf)
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken) {
    return assume(facts, condition.operand, !outcome, nameOf)
  }
  if (ts.isBinaryExpression(condition)) return assumeBinary(facts, condition, outcome, nameOf)
  const name = nameOf(condition)
  if (name === 'true' || name === 'false') return (name === 'true') === outcome ? facts : null
  if (name === 'undefined' || name === 'null') return outcome ? null : facts
  if (isText.test(name)) return (name !== "''") === outcome ? facts : null
  const assumed = withFact(facts, name, String(outcome))
  return assumed !== null && outcome ? withFact(assumed, `${name} is there`, 'true') : assumed
}

const isText = /^'[^']*'$/

function assumeBinary(
  facts: Facts,
  condition: ts.BinaryExpression,
  outcome: boolean,
  nameOf: Naming,
): Facts | null {
  const { left, right } = condition
  const operator = condition.operatorToken.kind
  const both = operator === ts.SyntaxKind.AmpersandAmpersandToken
  if ((both && outcome) || (operator === ts.SyntaxKind.BarBarToken && !outcome)) {
    const first = assume(facts, left, outcome, nameOf)
    return first && assume(first, right, outcome, nameOf)
  }
  const positive = equality.get(operator)
  if (positive === undefined) return withFact(facts, nameOf(condition), String(outcome))
  return assumeEqual(facts, [nameOf(left), nameOf(right)], positive === outcome)
}

function assumeEqual(facts: Facts, [name, value]: [string, string], outcome: boolean): Facts | null {
  const isMissing = value === 'undefined' || value === 'null'
  if (isMissing && (name === 'undefined' || name === 'null')) return outcome ? facts : null
  if (isMissing) return withFact(facts, `${name} is there`, String(!outcome))
  const isLiteral = /^['"\d]/
  if (isLiteral.test(name) && isLiteral.test(value)) return (name === value) === outcome ? facts : null
  const known = facts.get(`${name} is`)
  if (known !== undefined) return (known === value) === outcome ? facts : null
  const assumed = withFact(facts, `${name} is ${value}`, String(outcome))
  return assumed !== null && outcome && isLiteral.test(value)
    ? withFact(assumed, `${name} is`, value)
    : assumed
}
