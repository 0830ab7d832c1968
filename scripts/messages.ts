/**
 * Checks locales/*.json, and writes src/lib/messages/messages.ts, the types of the messages, from English. With --check
 * it only says what is wrong: keys that a language lacks or has too many, parameters that differ, texts that were not
 * translated, keys that nothing says, prose beside the catalogues, and types that are stale.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compareCatalogues, flatten, type Tree } from './messages/compare.ts'
import { findProse } from './messages/prose.ts'
import { renderTypes } from './messages/types.ts'
import { findUnused } from './messages/unused.ts'

const typesFile = 'src/lib/messages/messages.ts'

/** Source files of the program without its tests: path → text. */
export function readSources(root: string): Map<string, string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== typesFile)
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** The catalogues: language → messages, English first. */
export function readCatalogues(root: string): Map<string, Tree> {
  const folder = join(root, 'locales')
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
  const others = [...catalogues].filter(([language]) => language !== 'en')
  return [
    ...others.flatMap(([language, tree]) => compareCatalogues(flatten(english), flatten(tree), language)),
    ...findUnused(english, sources),
    ...findProse(sources),
  ]
}

function main(root: string, isCheck: boolean): void {
  const catalogues = readCatalogues(root)
  const types = renderTypes(catalogues.get('en') ?? {})
  const problems = listProblems(catalogues, readSources(root))
  const path = join(root, typesFile)
  if (!isCheck) writeFileSync(path, types)
  else if (readFileSync(path, 'utf8') !== types)
    problems.push(`${typesFile} is stale: run bin/node scripts/messages.ts`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

if (import.meta.main) main(resolve(import.meta.dirname, '..'), process.argv.includes('--check'))
