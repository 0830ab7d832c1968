// Statements that are handed to a connection of pg as plain text, or that are said not to be described, and why.
import * as ts from 'typescript/unstable/ast'
import { noFacts } from './facts.ts'
import type { Program } from './program.ts'
import { newFrame, type Reading } from './reading.ts'
import { readStrings } from './texts.ts'

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
