/**
 * Pages under docs/ whose tables say which test shows what: a test names a row by its id in its title, and the last
 * column of the page is filled from those titles.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { visitNodes } from './syntax.ts'
import { titleOf } from './test-calls.ts'

export interface NamedTest {
  /** Path from the root. */
  file: string
  title: string
}

export interface ShownBy {
  /** The script's name, such as `conformance`. */
  name: string
  /** Path of the page from the root. */
  page: string
  /** Finds ids in titles (global); the first group is the id. */
  idInTitle: RegExp
  /** A row of the page: id, statement, last column. */
  row: RegExp
  /** What the last column says of a row that is not counted. */
  uncounted: string
  /** A test may name a row that is not counted: the row then counts. */
  mayBecomeCounted: boolean
}

/** The tests of a source text whose title names at least one id. Skipped tests show nothing. */
export function listNamedTests(idInTitle: RegExp, file: string, source: string): NamedTest[] {
  if (source.search(idInTitle) === -1) return []
  const found: NamedTest[] = []
  visitNodes(source, (node) => {
    const title = titleOf(node)
    if (title !== undefined && title.search(idInTitle) !== -1) found.push({ file, title })
  })
  return found
}

/** All kinds of ids, so that no page shows those of another. */
const anyId = /[[(]?\b(?:[A-Z]{3,4}-\d+|(?<=\[)\d+(?:\.\d+)?-\d+)\b[\])]?[:,]?/g

/** The title as a table shows it: without ids, and with nothing that would break a row. */
function cell({ file, title }: NamedTest): string {
  const plain = title.replaceAll(anyId, '').replaceAll(/\s+/g, ' ').replaceAll('|', '/').trim()
  return `${file} › ${plain}`
}

function cellsById(kind: ShownBy, tests: readonly NamedTest[]): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const named of tests) {
    for (const [, id = ''] of named.title.matchAll(kind.idInTitle)) {
      cells.set(id, [...(cells.get(id) ?? []), cell(named)])
    }
  }
  return cells
}

/** The page with its last column filled from the tests, and what is wrong with ids. */
export function fillPage(kind: ShownBy, page: string, tests: readonly NamedTest[]) {
  const showing = cellsById(kind, tests)
  const problems: string[] = []
  const known = new Set<string>()
  let shown = 0
  let total = 0
  const lines = page.split('\n').map((line) => {
    const [, id = '', statement = '', last = ''] = kind.row.exec(line) ?? []
    if (id === '') return line
    if (known.has(id)) problems.push(`${kind.page} has ${id} twice`)
    known.add(id)
    const cells = [...new Set(showing.get(id))].toSorted()
    if (last === kind.uncounted && cells.length === 0) return line
    if (last === kind.uncounted && !kind.mayBecomeCounted) {
      problems.push(`${id} is ${last} by the specification, but named by ${cells[0]}`)
      return line
    }
    total += 1
    if (cells.length > 0) shown += 1
    return `| ${id} | ${statement} | ${cells.join('<br>') || 'not yet'} |`
  })
  for (const [id, cells] of showing) {
    if (!known.has(id)) problems.push(`${cells[0]} names ${id}, which ${kind.page} does not have`)
  }
  return { page: lines.join('\n'), shown, total, problems }
}

function listTestFiles(root: string): string[] {
  return ['test', 'src']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

/** Fills the page (`--write`) or checks that it is filled; problems are printed and make the process fail. */
export function runShownBy(kind: ShownBy): void {
  const root = resolve(import.meta.dirname, '..')
  const path = join(root, kind.page)
  const before = readFileSync(path, 'utf8')
  const tests = listTestFiles(root).flatMap((file) =>
    listNamedTests(kind.idInTitle, file, readFileSync(join(root, file), 'utf8')),
  )
  const { page, shown, total, problems } = fillPage(kind, before, tests)
  console.log(`${kind.name}: shown ${shown} of ${total}`)
  if (process.argv.includes('--write')) writeFileSync(path, page)
  else if (page !== before) problems.push(`${kind.page} is stale: run scripts/${kind.name}.ts --write`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
