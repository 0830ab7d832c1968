// What the compiler knows of the source: files, types, and which expression means which.
import { relative, resolve } from 'node:path'
import { API, SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'
import * as ts from 'typescript/unstable/ast'

export interface Program {
  root: string
  checker: Checker
  /** The program's own source, without tests and migrations. */
  files: readonly ts.SourceFile[]
  /** Where the value that an expression names was declared, through imports; undefined for none of ours. */
  declarationOf(node: ts.Node): ts.Node | undefined
  /** Where the type that a name means was declared, through imports. */
  typeDeclarationOf(node: ts.Node): ts.Node | undefined
  /** Every call of a function, in the program itself. */
  callsOf(declaration: ts.Node): readonly ts.CallExpression[]
  /** Every call of a method on what has this name, as `name.push(…)`. */
  methodCallsOn(name: ts.Identifier, method: string): readonly ts.CallExpression[]
  /** Whether an expression is a piece of SQL, and not a value for a parameter. */
  isFragment(node: ts.Node): boolean
  /** The texts that an expression may have, where its type names them. */
  literalsOf(node: ts.Node): readonly string[] | undefined
  typeOf(node: ts.Node): Type | undefined
  /** As `src/a.ts:12`. */
  placeOf(node: ts.Node): string
}

const isOurs = (root: string) => (name: string) =>
  name.startsWith(`${root}/src/`) &&
  !name.endsWith('.test.ts') &&
  !name.startsWith(`${root}/src/db/migrations/`)

/** Opens the project that tsconfig.json in `root` describes. The caller closes it. */
export function openProgram(root: string): Program & { close(): void } {
  const api = new API({ cwd: root })
  return { ...readProgram(api, root, []), close: () => api.close() }
}

/** As `openProgram` for a project whose files change: each `open` knows those that have changed since the last one. */
export function openChangingProgram(root: string) {
  const api = new API({ cwd: root })
  return {
    open: (changed: readonly string[]): Program => readProgram(api, root, changed),
    close: () => api.close(),
  }
}

function readProgram(api: API, root: string, changed: readonly string[]): Program {
  const openProjects = [resolve(root, 'tsconfig.json')]
  const snapshot = api.updateSnapshot({ openProjects, fileChanges: { changed: [...changed] } })
  const project = snapshot.getProjects()[0]
  if (project === undefined) throw new Error('tsconfig.json was not read')
  const { checker, program } = project
  const files = program
    .getSourceFileNames()
    .filter(isOurs(root))
    .flatMap((name) => program.getSourceFile(name) ?? [])
  const placeOf = (node: ts.Node) => {
    const file = node.getSourceFile()
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    return `${relative(root, file.fileName)}:${line + 1}`
  }
  return {
    root,
    checker,
    files,
    placeOf,
    ...knowTypes(files, checker),
    ...knowDeclarations(files, checker),
  }
}

function knowTypes(
  files: readonly ts.SourceFile[],
  checker: Checker,
): Pick<Program, 'typeOf' | 'isFragment' | 'literalsOf'> {
  const types = new Map<ts.Node, Type | undefined>()
  const fragments = new Map<number, boolean>()
  fillTypes(files, checker, types)
  const typeOf = (node: ts.Node) => {
    if (!types.has(node)) types.set(node, checker.getTypeAtLocation(node))
    return types.get(node)
  }
  const isFragmentType = (type: Type): boolean => {
    const known = fragments.get(type.id)
    if (known !== undefined) return known
    const found = type.isUnionType()
      ? type.getTypes().some(isFragmentType)
      : (type.flags & TypeFlags.Object) !== 0 &&
        checker.getPropertyOfType(type, 'toOperationNode') !== undefined
    fragments.set(type.id, found)
    return found
  }
  return {
    typeOf,
    isFragment(node) {
      const type = typeOf(node)
      return type !== undefined && isFragmentType(type)
    },
    literalsOf(node) {
      const type = typeOf(node)
      if (type === undefined) return undefined
      const members = type.isUnionType() ? type.getTypes() : [type]
      return members.every((member) => member.isStringLiteralType())
        ? members.map((member) => String(member.value))
        : undefined
    },
  }
}

function knowDeclarations(
  files: readonly ts.SourceFile[],
  checker: Checker,
): Pick<Program, 'declarationOf' | 'typeDeclarationOf' | 'callsOf' | 'methodCallsOn'> {
  const declarations = new Map<ts.Node, ts.Node | undefined>()
  const calls = new Map<ts.Node, readonly ts.CallExpression[]>()
  const callsByName = indexCalls(files)
  const find = (node: ts.Node) => {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    if (symbol === undefined) return undefined
    const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return (meant.valueDeclaration ?? meant.declarations[0])?.resolve()
  }
  const declarationOf = (node: ts.Node) => {
    if (!declarations.has(node)) declarations.set(node, find(node))
    return declarations.get(node)
  }
  const typeDeclarationOf = (node: ts.Node) => {
    const symbol = checker.getSymbolAtLocation(node)
    const meant = symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return meant?.declarations[0]?.resolve()
  }
  return {
    declarationOf,
    typeDeclarationOf,
    callsOf(declaration) {
      const known = calls.get(declaration)
      if (known !== undefined) return known
      const holder = ts.isVariableDeclaration(declaration.parent) ? declaration.parent : declaration
      const name = 'name' in holder ? (holder.name as ts.Node | undefined)?.getText() : undefined
      const found = (callsByName.get(name ?? '') ?? []).filter((call) => {
        const meant = declarationOf(call.expression)
        return meant === declaration || meant === holder
      })
      calls.set(declaration, found)
      return found
    },
    methodCallsOn(name, method) {
      return (callsByName.get(`${name.text}.${method}`) ?? []).filter((call) => {
        const { expression } = call.expression as ts.PropertyAccessExpression
        return call.getSourceFile() === name.getSourceFile() && declarationOf(expression) === name.parent
      })
    },
  }
}

/** Asks for the types of all that is put into SQL at once: one by one takes ten times as long. */
function fillTypes(
  files: readonly ts.SourceFile[],
  checker: Checker,
  types: Map<ts.Node, Type | undefined>,
): void {
  const nodes = files.flatMap((file) => {
    const found: ts.Node[] = []
    visit(file, (node) => {
      if (!isSqlTemplate(node)) return
      found.push(node)
      if (ts.isTemplateExpression(node.template)) {
        found.push(...node.template.templateSpans.map((span) => span.expression))
      }
    })
    return found
  })
  const answers = checker.getTypeAtLocation(nodes)
  for (const [index, node] of nodes.entries()) types.set(node, answers[index])
}

/** All calls by what is called, as `name` or `name.method`. */
function indexCalls(files: readonly ts.SourceFile[]): Map<string, ts.CallExpression[]> {
  const found = new Map<string, ts.CallExpression[]>()
  for (const file of files) {
    visit(file, (node) => {
      if (!ts.isCallExpression(node)) return
      const callee = node.expression
      const isMethod = ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression)
      if (!ts.isIdentifier(callee) && !isMethod) return
      const name = callee.getText()
      found.set(name, [...(found.get(name) ?? []), node])
    })
  }
  return found
}

/** Calls `look` for a node and all that is in it, outer nodes first. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  node.forEachChild((child) => visit(child, look))
}

/** Whether this is an SQL text: sql`…`. */
export const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'
