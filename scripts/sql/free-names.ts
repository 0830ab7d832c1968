// Pieces of SQL for other files that count on a name which they do not bring themselves: it belongs into a parameter.
// What a file keeps for itself may count on the names of its own statements.
import * as ts from 'typescript/unstable/ast'
import { isSqlTemplate, visit, type Program } from './program.ts'

/** Not names of rows: the row that could not be inserted, and schemas. */
const always = new Set(['excluded', 'public', 'pg_catalog', 'graphile_worker'])

/** Returns each exported piece of SQL with a name that only its user can know, as `file:line: what`. */
export function freeNameProblems(program: Program): string[] {
  return program.files.flatMap((file) => {
    const declared = declarationsOf(file)
    return [...declared].flatMap(([name, node]) => {
      if (!isExported(node) || !isPiece(node)) return []
      const text = textWith(name, declared).replaceAll(/'[^']*'/g, "''")
      const names = [...text.matchAll(/(?<![\w."$])([a-z_]\w*)\.(?=[a-z_"$])/g)].map(([, row = '']) => row)
      return [...new Set(names)]
        .filter((row) => !always.has(row) && !brings(text, row))
        .map(
          (row) => `${program.placeOf(node)}: ${name} counts on a row that is called ${row}: take the name`,
        )
    })
  })
}

/** The constants and functions of a file by their names. */
function declarationsOf(file: ts.SourceFile): Map<string, ts.Node> {
  return new Map(
    file.statements.flatMap((statement): [string, ts.Node][] => {
      if (ts.isFunctionDeclaration(statement)) return statement.name ? [[statement.name.text, statement]] : []
      return ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map((one) => [one.name.getText(), statement])
        : []
    }),
  )
}

const isExported = (node: ts.Node) => /^export\b/.test(node.getText())

/** Whether it is, or returns, a piece of SQL for others. */
function isPiece(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return node.type?.getText().includes('RawBuilder') ?? false
  if (!ts.isVariableStatement(node)) return false
  return node.declarationList.declarations.some(({ type, initializer }) => {
    const made = initializer && ts.isArrowFunction(initializer) ? initializer.body : initializer
    return type?.getText().includes('RawBuilder') || (made !== undefined && isSqlTemplate(made))
  })
}

/** What runs a statement is no piece of another. */
function isExecuted(node: ts.Node): boolean {
  let found = false
  visit(node, (one) => {
    found ||= ts.isPropertyAccessExpression(one) && one.name.text === 'execute'
  })
  return found
}

/** The SQL of a declaration and of all pieces of the same file that it is made of; `$` for what is put in. */
function textWith(name: string, declared: ReadonlyMap<string, ts.Node>, seen = new Set<string>()): string {
  const node = declared.get(name)
  if (node === undefined || seen.has(name)) return ''
  seen.add(name)
  const texts: string[] = []
  visit(node, (one) => {
    if (isSqlTemplate(one)) texts.push(textOf(one.template))
    const isOther = ts.isIdentifier(one) && one.text !== name && declared.has(one.text)
    if (isOther && !isExecuted(declared.get(one.text) ?? node)) texts.push(textWith(one.text, declared, seen))
  })
  return texts.join('\n;\n')
}

const textOf = (template: ts.TemplateLiteral) =>
  ts.isTemplateExpression(template)
    ? [template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join('$')
    : template.text

/** Whether somewhere in the text a row, a query or a function gets this name. */
function brings(text: string, row: string): boolean {
  const source = String.raw`\b(?:from|join|update|into|using|lateral)\s+(?:only\s+|lateral\s+)?`
  const forms = [
    String.raw`${source}(?:[\w."$]+\s+(?:as\s+)?)?${row}\b(?!\.)`,
    String.raw`\)\s*(?:with ordinality\s+)?(?:as\s+)?${row}\b(?!\.)`,
    String.raw`\b(?:with\s+(?:recursive\s+)?|,\s*)${row}\s*(?:\([^)]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(`,
    String.raw`,\s*[\w.$]+\s+${row}\b(?!\.)`,
  ]
  return new RegExp(forms.join('|'), 'i').test(text)
}
