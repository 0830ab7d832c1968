// Follows an expression to what it is made of: through names, parameters, calls and branches, without running it.
import { TypeFlags } from 'typescript/unstable/sync'
import * as ts from 'typescript/unstable/ast'
import { assume, withFact, type Facts } from './facts.ts'
import { nameOf, propertyOf } from './names.ts'
import type { Program } from './program.ts'
import {
  maxDepth,
  isConstant,
  isFunction,
  maxSteps,
  nameOfProperty,
  newFrame,
  ownerOf,
  rootOf,
  Unreadable,
  type Bound,
  type Frame,
  type Meaning,
  type Reading,
  type Sampling,
} from './reading.ts'

/** Begins to read a program. */
export function createReading(program: Program, sample: Sampling): Reading {
  const reading: Reading = {
    program,
    sample,
    callers: new Map(),
    depth: 0,
    steps: 0,
    isAfterNames: false,
    resolve: (bound, facts) => resolve(reading, bound, facts),
  }
  return reading
}

function isPlain(r: Reading, node: ts.Node) {
  const type = r.program.typeOf(node)
  const members = type?.isUnionType() ? type.getTypes() : type ? [type] : []
  return members.every((member) => (member.flags & TypeFlags.Object) === 0)
}
const withFacts = (facts: Facts | null, next: (facts: Facts) => Meaning[]) =>
  facts === null ? [] : next(facts)

/** All that an expression may mean. What cannot be followed further is returned as it is. */
export function resolve(r: Reading, bound: Bound, facts: Facts): Meaning[] {
  if (r.depth === 0) r.steps = 0
  if (r.depth > maxDepth || (r.steps += 1) > maxSteps) throw new Unreadable(bound.node, 'leads too far')
  r.depth += 1
  try {
    return resolveStep(r, bound, facts)
  } finally {
    r.depth -= 1
  }
}

function resolveStep(r: Reading, { node, frame }: Bound, facts: Facts): Meaning[] {
  const self = [{ node, frame, facts }]
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  ) {
    return resolve(r, { node: node.expression, frame }, facts)
  }
  if (ts.isConditionalExpression(node)) {
    const branch = (outcome: boolean, to: ts.Node) =>
      withFacts(
        assume(facts, node.condition, outcome, (one) => nameOf(r, { node: one, frame })),
        (held) => resolve(r, { node: to, frame }, held),
      )
    return [...branch(true, node.whenTrue), ...branch(false, node.whenFalse)]
  }
  if (ts.isBinaryExpression(node)) return resolveBinary(r, node, frame, facts) ?? self
  if (ts.isIdentifier(node)) return resolveName(r, node, frame, facts) ?? self
  if (ts.isPropertyAccessExpression(node)) {
    return resolveProperty(r, { node: node.expression, frame }, node.name.text, facts) ?? self
  }
  if (ts.isElementAccessExpression(node)) return resolveElement(r, node, frame, facts) ?? self
  if (ts.isCallExpression(node)) return resolveCall(r, node, frame, facts) ?? self
  return self
}

function resolveBinary(
  r: Reading,
  node: ts.BinaryExpression,
  frame: Frame,
  facts: Facts,
): Meaning[] | undefined {
  const operator = node.operatorToken.kind
  const name = (one: ts.Node) => nameOf(r, { node: one, frame })
  if (operator === ts.SyntaxKind.QuestionQuestionToken) {
    const there = withFacts(withFact(facts, `${name(node.left)} is there`, 'true'), (held) =>
      resolve(r, { node: node.left, frame }, held),
    )
    const missing = withFacts(withFact(facts, `${name(node.left)} is there`, 'false'), (held) =>
      resolve(r, { node: node.right, frame }, held),
    )
    return [...there.filter((one) => one.node.getText() !== 'undefined'), ...missing]
  }
  return undefined
}

function resolveName(r: Reading, node: ts.Identifier, frame: Frame, facts: Facts): Meaning[] | undefined {
  const declaration = r.program.declarationOf(node)
  if (declaration === undefined) return undefined
  if (isFunction(declaration)) return [{ node: declaration, frame, facts }]
  return resolveDeclaration(r, declaration, frame, facts)
}

function resolveDeclaration(
  r: Reading,
  declaration: ts.Node,
  frame: Frame,
  facts: Facts,
): Meaning[] | undefined {
  if (ts.isVariableDeclaration(declaration)) {
    if (declaration.initializer && isConstant(declaration)) {
      return resolve(r, { node: declaration.initializer, frame }, facts)
    }
    const loop = declaration.parent.parent
    return loop && ts.isForOfStatement(loop)
      ? resolveMembers(r, { node: loop.expression, frame }, facts)
      : undefined
  }
  if (ts.isParameterDeclaration(declaration)) return resolveParameter(r, declaration, frame, facts)
  if (ts.isBindingElement(declaration)) return resolveBinding(r, declaration, frame, facts)
  if (ts.isPropertyAssignment(declaration)) {
    return resolve(r, { node: declaration.initializer, frame }, facts)
  }
  return undefined
}

function resolveBinding(
  r: Reading,
  element: ts.BindingElement,
  frame: Frame,
  facts: Facts,
): Meaning[] | undefined {
  const holder = element.parent.parent
  const whole =
    ts.isVariableDeclaration(holder) || ts.isParameterDeclaration(holder) || ts.isBindingElement(holder)
  if (!whole || element.dotDotDotToken) return undefined
  const held =
    ts.isVariableDeclaration(holder) && holder.initializer
      ? resolve(r, { node: holder.initializer, frame }, facts)
      : resolveDeclaration(r, holder, frame, facts)
  if (!held) return undefined
  if (ts.isArrayBindingPattern(element.parent)) {
    const index = element.parent.elements.indexOf(element)
    return held.flatMap((one) => memberAt(r, one, index) ?? [{ node: element, frame, facts: one.facts }])
  }
  const key = (element.propertyName ?? element.name)?.getText() ?? ''
  const missing = (given: Facts): Meaning[] =>
    element.initializer ? resolve(r, { node: element.initializer, frame }, given) : []
  return held.flatMap((one) => {
    if (!ts.isObjectLiteralExpression(one.node)) {
      const set = [{ node: element.name ?? element, frame, facts: one.facts }]
      return element.initializer ? [...set, ...missing(one.facts)] : set
    }
    return propertyOf(r, one, key) ?? missing(one.facts)
  })
}

/** A member of a list that is written down, or the name or value of a property that stands for such a pair. */
function memberAt(r: Reading, { node, frame, facts }: Meaning, index: number): Meaning[] | undefined {
  if (ts.isArrayLiteralExpression(node) && node.elements[index]) {
    return resolve(r, { node: node.elements[index], frame }, facts)
  }
  if (!ts.isPropertyAssignment(node)) return undefined
  return index === 0
    ? [{ node: node.name, frame, facts }]
    : resolve(r, { node: node.initializer, frame }, facts)
}

/** What a loop goes through: each member of a list, or each property of an object by Object.entries. */
function resolveMembers(r: Reading, list: Bound, facts: Facts): Meaning[] | undefined {
  const { node } = list
  const isEntries = ts.isCallExpression(node) && node.expression.getText() === 'Object.entries'
  const whole = isEntries && node.arguments[0] ? { node: node.arguments[0], frame: list.frame } : list
  const name = `member of ${nameOf(r, whole)}`
  const found = resolve(r, whole, facts).flatMap((one) => {
    const members = ts.isArrayLiteralExpression(one.node)
      ? one.node.elements
      : ts.isObjectLiteralExpression(one.node) && isEntries
        ? one.node.properties
        : []
    return members.flatMap((member, index) =>
      withFacts(withFact(one.facts, name, String(index)), (held) =>
        isEntries
          ? [{ node: member, frame: one.frame, facts: held }]
          : resolve(r, { node: member, frame: one.frame }, held),
      ),
    )
  })
  return found.length > 0 ? found : undefined
}

function resolveProperty(r: Reading, object: Bound, key: string, facts: Facts): Meaning[] | undefined {
  const held = resolve(r, object, facts)
  if (!held.some((one) => ts.isObjectLiteralExpression(one.node))) return undefined
  return held.flatMap((one) => propertyOf(r, one, key) ?? [])
}

function resolveElement(
  r: Reading,
  node: ts.ElementAccessExpression,
  frame: Frame,
  facts: Facts,
): Meaning[] | undefined {
  const held = resolve(r, { node: node.expression, frame }, facts)
  const key = node.argumentExpression
  const named = ts.isIdentifier(key) ? nameOf(r, { node: key, frame }) : key.getText()
  const keys = /^'[^']*'$/.test(named) ? [named.slice(1, -1)] : r.program.literalsOf(key)
  const name = nameOf(r, { node: key, frame })
  const found = held.flatMap((one) => {
    if (!ts.isObjectLiteralExpression(one.node)) return []
    const names = keys ?? one.node.properties.map((property) => nameOfProperty(property) ?? '')
    return names.flatMap((text) =>
      withFacts(
        withFact(one.facts, `${name} is`, `'${text}'`),
        (known) => propertyOf(r, { ...one, facts: known }, text) ?? [],
      ),
    )
  })
  return found.length > 0 ? found : undefined
}

function resolveParameter(
  r: Reading,
  parameter: ts.ParameterDeclaration,
  frame: Frame,
  facts: Facts,
): Meaning[] | undefined {
  const owner = ownerOf(parameter, frame)
  const bound = owner?.bindings.get(parameter)
  if (bound) return resolve(r, bound, facts)
  if (owner) {
    return parameter.initializer && owner.bindings.get(parameter) === undefined
      ? resolve(r, { node: parameter.initializer, frame: owner }, facts)
      : undefined
  }
  const fn = parameter.parent
  if (!isFunction(fn)) return undefined
  const calls = isPlain(r, parameter.name) && !r.isAfterNames ? [] : r.program.callsOf(fn)
  if (calls.length === 0) return undefined
  const index = fn.parameters.indexOf(parameter)
  const site = `caller of ${r.program.placeOf(fn)}#${rootOf(frame).id}`
  return calls.flatMap((call, number) =>
    withFacts(withFact(facts, site, String(number)), (held) => {
      const caller = callerFrame(r, `${site}:${number}`)
      const argument = call.arguments[index]
      if (argument) return resolve(r, { node: argument, frame: caller }, held)
      return parameter.initializer
        ? resolve(r, { node: parameter.initializer, frame }, held)
        : [{ node: parameter, frame, facts: held }]
    }),
  )
}

function callerFrame(r: Reading, site: string): Frame {
  const frame = r.callers.get(site) ?? newFrame()
  r.callers.set(site, frame)
  return frame
}

function resolveCall(r: Reading, node: ts.CallExpression, frame: Frame, facts: Facts): Meaning[] | undefined {
  const callee = node.expression
  const functions =
    ts.isIdentifier(callee) || ts.isElementAccessExpression(callee) || ts.isPropertyAccessExpression(callee)
      ? resolve(r, { node: callee, frame }, facts).filter((one) => one.node.getText() !== 'null')
      : []
  if (functions.length === 0 || !functions.every((one) => isFunction(one.node))) return undefined
  return functions.flatMap((fn) =>
    call(
      r,
      fn,
      node.arguments.map((argument) => ({ node: argument, frame })),
      fn.facts,
    ),
  )
}

function enter(fn: Bound, args: readonly (Bound | null)[]): { body: ts.ConciseBody; frame: Frame } {
  if (!isFunction(fn.node) || fn.node.body === undefined) throw new Unreadable(fn.node, 'no function')
  const given = fn.node.parameters.flatMap((parameter, index): [ts.Node, Bound | null][] => {
    const argument = args[index]
    return argument === undefined ? [] : [[parameter, argument]]
  })
  const bindings = new Map<ts.Node, Bound | null>([[fn.node, null], ...given])
  return { body: fn.node.body, frame: newFrame(bindings, fn.frame) }
}

/** What a function returns, given its arguments. */
export function call(r: Reading, fn: Bound, args: readonly (Bound | null)[], facts: Facts): Meaning[] {
  const { body, frame } = enter(fn, args)
  return ts.isBlock(body)
    ? returnsOf(r, body.statements, frame, facts).found
    : resolve(r, { node: body, frame }, facts)
}

/** Whether a condition, given its arguments, may come out as true. */
export function mayHold(
  r: Reading,
  condition: Bound,
  args: readonly (Bound | null)[],
  facts: Facts,
): boolean {
  if (!isFunction(condition.node)) return true
  const { body, frame } = enter(condition, args)
  return ts.isBlock(body) || assume(facts, body, true, (node) => nameOf(r, { node, frame })) !== null
}

/** What these statements return, and the facts where they end without. */
function returnsOf(
  r: Reading,
  statements: readonly ts.Node[],
  frame: Frame,
  before: Facts,
): { found: Meaning[]; after: Facts | null } {
  const found: Meaning[] = []
  let facts: Facts | null = before
  for (const statement of statements) {
    if (facts === null) break
    if (ts.isReturnStatement(statement)) {
      if (statement.expression) found.push(...resolve(r, { node: statement.expression, frame }, facts))
      return { found, after: null }
    }
    if (ts.isThrowStatement(statement)) return { found, after: null }
    if (ts.isBlock(statement)) {
      const inner = returnsOf(r, statement.statements, frame, facts)
      found.push(...inner.found)
      facts = inner.after
    } else if (ts.isIfStatement(statement)) {
      const inner = returnsOfIf(r, statement, frame, facts)
      found.push(...inner.found)
      facts = inner.after
    } else if (ts.isSwitchStatement(statement)) {
      for (const clause of statement.caseBlock.clauses)
        found.push(...returnsOf(r, clause.statements, frame, facts).found)
    }
  }
  return { found, after: facts }
}

function returnsOfIf(r: Reading, statement: ts.IfStatement, frame: Frame, facts: Facts) {
  const name = (node: ts.Node) => nameOf(r, { node, frame })
  const held = assume(facts, statement.expression, true, name)
  const other = assume(facts, statement.expression, false, name)
  const then = held ? returnsOf(r, [statement.thenStatement], frame, held) : { found: [], after: null }
  const rest = statement.elseStatement ? [statement.elseStatement] : []
  const otherwise = other ? returnsOf(r, rest, frame, other) : { found: [], after: null }
  const after = then.after === null ? otherwise.after : otherwise.after === null ? then.after : facts
  return { found: [...then.found, ...otherwise.found], after }
}
/** The same for what is the name of a table or column, whoever gives it. */
export function resolveText(r: Reading, bound: Bound, facts: Facts): Meaning[] {
  const before = r.isAfterNames
  r.isAfterNames = true
  try {
    return resolve(r, bound, facts)
  } finally {
    r.isAfterNames = before
  }
}
