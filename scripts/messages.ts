/**
 * Checks the catalogues of the server (locales/) and of the web app (client/locales/), and writes the types of their
 * messages from English: src/lib/messages/messages.ts and client/src/core/messages.ts. With --check it only says what is wrong: keys that a language lacks or has too many, parameters that differ, texts that were not
 * translated, keys that nothing says, prose beside the catalogues, and types that are stale.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findProseInClient, findUnsaid } from './messages/client.ts'
import { compareCatalogues, flatten, type Tree } from './messages/compare.ts'
import { findProse } from './messages/prose.ts'
import { renderTypes } from './messages/types.ts'
import { findUnused } from './messages/unused.ts'

const typesFile = 'src/lib/messages/messages.ts'
const clientTypesFile = 'client/src/core/messages.ts'

/** Source files of the program or of another folder, without their tests: path → text. */
export function readSources(root: string, folder = 'src'): Map<string, string> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => file !== typesFile && file !== clientTypesFile)
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** The catalogues of a folder: language → messages, English first. */
export function readCatalogues(root: string, where = 'locales'): Map<string, Tree> {
  const folder = join(root, where)
  const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const sorted = names.toSorted((a, b) => Number(b === 'en.json') - Number(a === 'en.json'))
  return new Map(
    sorted.map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree,
    ]),
  )
}

/** All that is wrong with the catalogues and the texts in the source, a line each. */
export function listProblems(catalogues: Map<string, Tree>, sources: Map<string, string>): string[] {
  const english = catalogues.get('en') ?? {}
  return [...compareAll(catalogues), ...findUnused(english, sources), ...findProse(sources)]
}

/** The same of the web app. */
export function listClientProblems(root: string): string[] {
  const catalogues = readCatalogues(root, 'client/locales')
  const sources = readSources(root, 'client/src')
  const different = compareAll(catalogues).map((problem) => `client/${problem}`)
  return [...different, ...findUnsaid(catalogues.get('en') ?? {}, sources), ...findProseInClient(sources)]
}

function compareAll(catalogues: Map<string, Tree>): string[] {
  const english = flatten(catalogues.get('en') ?? {})
  const others = [...catalogues].filter(([language]) => language !== 'en')
  return others.flatMap(([language, tree]) => compareCatalogues(english, flatten(tree), language))
}

function main(root: string, isCheck: boolean): void {
  const catalogues = readCatalogues(root)
  const problems = [...listProblems(catalogues, readSources(root)), ...listClientProblems(root)]
  const written = {
    [typesFile]: renderTypes(catalogues.get('en') ?? {}),
    [clientTypesFile]: renderTypes(
      readCatalogues(root, 'client/locales').get('en') ?? {},
      'client/locales/en.json',
    ),
  }
  for (const [file, types] of Object.entries(written)) {
    const path = join(root, file)
    if (!isCheck) writeFileSync(path, types)
    else if (readFileSync(path, 'utf8') !== types)
      problems.push(`${file} is stale: run bin/node scripts/messages.ts`)
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

if (import.meta.main) main(resolve(import.meta.dirname, '..'), process.argv.includes('--check'))
