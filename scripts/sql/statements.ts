// Finds all that is sent to the database in the source, and what it says comes back.
import { type Type } from 'typescript/unstable/sync'
import * as ts from 'typescript/unstable/ast'
import { readForms, textOf } from './forms.ts'
import { exemptionOf, plainStatement, readPlainStatements } from './texts.ts'
import { isSqlTemplate, visit, type Program } from './program.ts'
import { Unreadable, type Reading } from './reading.ts'
import { createReading } from './resolve.ts'
import { readRowType, type DeclaredRow } from './row-types.ts'

/** A statement in one of its forms. */
export interface Statement {
  text: string
  place: string
  /** The columns that its row type has; null where it has none. */
  row: DeclaredRow | null
  /** Where its row type writes out all columns by itself; null where it is made of other types. */
  writtenAt: string | null
}

export interface Found {
  statements: Statement[]
  /** What could not be made into a statement. */
  problems: string[]
}

/** Names that only a running program knows: where they are used, as `file: expression`, and some that they may be. */
export type Samples = Readonly<Record<string, readonly string[]>>

/** Returns every form of every statement of the program, and a problem for each piece of SQL that is in none of them. */
export function findStatements(program: Program, samples: Samples): Found {
  const used = new Set<string>()
  const reading = createReading(program, (node) => {
    const name = `${program.placeOf(node).replace(/:\d+$/, '')}: ${node.getText()}`
    used.add(name)
    return samples[name]
  })
  const found: Found = { statements: [], problems: [] }
  const templates: ts.Node[] = []
  const covered = new Set<ts.Node>()

  const rowOf = (type: Type | undefined): DeclaredRow | null => {
    const [row] = type?.isTypeReference() ? program.checker.getTypeArguments(type) : []
    return row ? readRowType(row, program.checker) : null
  }
  const readExecuted = (node: ts.Node) => {
    for (const form of readForms(reading, node)) {
      for (const template of form.templates) covered.add(template)
      const row = form.outermost && rowOf(program.typeOf(form.outermost))
      const place = program.placeOf(form.outermost ?? node)
      found.statements.push({ text: textOf(form), place, row, writtenAt: writtenAt(program, form.outermost) })
    }
  }
  const look = (node: ts.Node) => {
    if (isSqlTemplate(node)) templates.push(node)
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const { expression, name } = node.expression
    const handed = plainStatement(program, node)
    if (name.text === 'execute' && program.typeOf(expression)?.getSymbol()?.name === 'RawBuilder') {
      readExecuted(expression)
    } else if (handed) {
      readPlain(reading, found, node, handed)
    } else if (name.text === 'selectAll' || name.text === 'returningAll') {
      found.problems.push(`${program.placeOf(node)}: ${name.text}: name the columns`)
    }
  }
  for (const file of program.files) {
    visit(file, (node) => {
      try {
        look(node)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        found.problems.push(`${program.placeOf(error.node)}: cannot be read: ${error.message}`)
      }
    })
  }
  for (const template of templates) {
    if (covered.has(template)) continue
    found.problems.push(`${program.placeOf(template)}: no statement that is read has this piece of SQL`)
  }
  for (const name of Object.keys(samples)) {
    if (!used.has(name)) found.problems.push(`scripts/sql/samples.ts: ${name} is sampled for nothing`)
  }
  return found
}

/** Adds what is handed to a connection as text. */
function readPlain(reading: Reading, found: Found, node: ts.CallExpression, handed: ts.Expression): void {
  const { checker, placeOf } = reading.program
  const meant = node.typeArguments?.[0] && checker.getTypeFromTypeNode(node.typeArguments[0])
  const row = meant ? readRowType(meant, checker) : null
  const [place, reason] = [placeOf(node), exemptionOf(node)]
  try {
    for (const text of readPlainStatements(reading, handed))
      found.statements.push({ text, place, row, writtenAt: null })
    if (reason !== null) found.problems.push(`${place}: is described, though a comment says that it is not`)
  } catch (error) {
    if (!(error instanceof Unreadable) || reason === null) throw error
  }
}

/** Where the row type of sql<Row>`…` is written out; null where it is made of others. */
function writtenAt(program: Program, node: ts.Node | null): string | null {
  const [type] = node && isSqlTemplate(node) ? (node.typeArguments ?? []) : []
  if (type === undefined || ts.isTypeLiteralNode(type)) return type ? program.placeOf(type) : null
  const meant =
    ts.isTypeReferenceNode(type) && !type.typeArguments && program.typeDeclarationOf(type.typeName)
  const isPlain = meant && ts.isInterfaceDeclaration(meant) && !meant.heritageClauses?.length
  return isPlain ? program.placeOf(meant) : null
}
