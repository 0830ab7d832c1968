// The texts that an expression may have: names of tables and columns, pieces of syntax, and statements that are handed to
// a connection of pg as plain text.
import * as ts from 'typescript/unstable/ast'
import { noFacts, withFact, type Facts } from './facts.ts'
import { nameOf } from './names.ts'
import type { Program } from './program.ts'
import { newFrame, Unreadable, type Bound, type Frame, type Reading } from './reading.ts'
import { resolveText } from './resolve.ts'

/** Returns the texts that an expression may have. Throws Unreadable where they cannot be known. */
export function readStrings(r: Reading, bound: Bound, facts: Facts): { text: string; facts: Facts }[] {
  const name = nameOf(r, bound)
  return resolveText(r, bound, facts).flatMap((one) => {
    if (ts.isStringLiteral(one.node) || ts.isNoSubstitutionTemplateLiteral(one.node)) {
      return [{ text: one.node.text, facts: one.facts }]
    }
    if (ts.isNumericLiteral(one.node)) return [{ text: String(Number(one.node.text)), facts: one.facts }]
    if (ts.isPropertyAssignment(one.node.parent) && one.node.parent.name === one.node) {
      return [{ text: one.node.getText().replaceAll(/['"]/g, ''), facts: one.facts }]
    }
    if (ts.isTemplateExpression(one.node)) return readTemplateString(r, one.node, one.frame, one.facts)
    const literals =
      r.program.literalsOf(one.node) ??
      r.program.literalsOf(bound.node) ??
      r.sample(one.node) ??
      r.sample(bound.node)
    if (literals === undefined) throw new Unreadable(one.node, 'a name that is not known')
    return literals.flatMap((text) => {
      const held = withFact(one.facts, `${name} is`, `'${text}'`)
      return held ? [{ text, facts: held }] : []
    })
  })
}

function readTemplateString(r: Reading, node: ts.TemplateExpression, frame: Frame, facts: Facts) {
  let texts = [{ text: node.head.text, facts }]
  for (const span of node.templateSpans) {
    texts = texts.flatMap((start) =>
      readStrings(r, { node: span.expression, frame }, start.facts).map((next) => ({
        text: `${start.text}${next.text}${span.literal.text}`,
        facts: next.facts,
      })),
    )
  }
  return texts
}

/** Types of what takes statements as text. */
const connections: ReadonlySet<string> = new Set(['Client', 'ClientBase', 'Pool', 'PoolClient'])
/** What makes a stream of a text of COPY. */
const copies: ReadonlySet<string> = new Set(['to', 'from'])

/** Returns what a call hands to a connection, where it is such a call. */
export function plainStatement(program: Program, node: ts.Node): ts.Expression | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  const { expression, name } = node.expression
  const [first] = node.arguments
  if (name.text !== 'query' || !first) return null
  const type = program.typeOf(expression)?.getSymbol()?.name ?? ''
  if (!node.typeArguments && !connections.has(type)) return null
  const isCopy = ts.isCallExpression(first) && copies.has(first.expression.getText())
  return isCopy ? (first.arguments[0] ?? null) : first
}

/** Returns the statements that an expression may be. Throws Unreadable where they cannot be known. */
export function readPlainStatements(reading: Reading, node: ts.Expression): string[] {
  const texts = readStrings(reading, { node, frame: newFrame() }, noFacts).map(({ text }) => text)
  return texts.flatMap((text) => {
    // Of COPY only the query in it is looked at by the database before it runs.
    const [, copied] = /^\s*copy \(([\s\S]*)\) to stdout\s*$/.exec(text) ?? []
    const parts = text.includes('$$') ? [text] : (copied ?? text).split(';')
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  })
}

/** Returns why a statement is not described, where a comment above it says so: `// Not described: …`. */
export function exemptionOf(node: ts.Node): string | null {
  let statement = node
  while (!ts.isBlock(statement.parent) && !ts.isSourceFile(statement.parent)) statement = statement.parent
  const above = statement.getFullText().slice(0, statement.getStart() - statement.getFullStart())
  return /\/\/ Not described: (\S.*)/.exec(above)?.[1] ?? null
}
