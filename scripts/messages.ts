/**
 * Checks the catalogues of the server (locales/) and of the web app (client/locales/), and writes the types of their
 * messages from English: src/lib/messages/messages.ts and client/src/core/messages.ts. With --check it only says what is
 * wrong: keys that a language lacks or has too many, parameters that differ, texts that were not translated, keys that
 * nothing says, prose beside the catalogues, and types that are stale.
 *
 * A language that says `"$state": "unreviewed"` may lack messages. `--missing client/locales fr` prints them in English,
 * and `--add client/locales fr < words.json` takes them back in translated: key → text in both.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findProseInClient, findUnsaid } from './messages/client.ts'
import {
  compareCatalogues,
  flatten,
  isUnreviewed,
  listMissing,
  prune,
  type Tree,
} from './messages/compare.ts'
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
  return others.flatMap(([language, tree]) => compareCatalogues(english, tree, language))
}

/** Takes out of unreviewed languages what English no longer says, or says with other parameters. */
function pruneUnreviewed(root: string, where: string): void {
  const catalogues = readCatalogues(root, where)
  const english = catalogues.get('en') ?? {}
  for (const [language, tree] of catalogues) {
    if (!isUnreviewed(tree)) continue
    const kept = prune(tree, english)
    writeFileSync(join(root, where, `${language}.json`), `${JSON.stringify(kept, null, 2)}\n`)
  }
}

/** Prints what a language has no words for, as JSON: key → English. */
function printMissing(root: string, where: string, language: string): void {
  const catalogues = readCatalogues(root, where)
  const english = flatten(catalogues.get('en') ?? {})
  const missing = listMissing(english, flatten(catalogues.get(language) ?? {}))
  process.stdout.write(
    `${JSON.stringify(Object.fromEntries(missing.map((key) => [key, english.get(key)])), null, 2)}\n`,
  )
}

/** Puts words into an unreviewed language, from standard input as `--missing` prints them. */
function addWords(root: string, where: string, language: string): void {
  const catalogues = readCatalogues(root, where)
  const tree = catalogues.get(language) ?? { $state: 'unreviewed' }
  const words = JSON.parse(readFileSync(0, 'utf8')) as Record<string, string>
  const all = new Map([...flatten(tree), ...Object.entries(words)])
  const state = isUnreviewed(tree) ? { $state: 'unreviewed' } : {}
  const built = { ...state, ...unflatten(all, catalogues.get('en') ?? {}) }
  writeFileSync(join(root, where, `${language}.json`), `${JSON.stringify(built, null, 2)}\n`)
}

/** The catalogue of these messages, in the order of English. */
function unflatten(words: ReadonlyMap<string, string>, english: Tree, before = ''): Tree {
  const entries = Object.entries(english).flatMap(([key, value]): [string, string | Tree][] => {
    if (typeof value === 'object') {
      const part = unflatten(words, value, `${before}${key}.`)
      return Object.keys(part).length > 0 ? [[key, part]] : []
    }
    const said = words.get(before + key)
    return said === undefined ? [] : [[key, said]]
  })
  return Object.fromEntries(entries)
}

const folders = ['locales', 'client/locales']

function main(root: string, isCheck: boolean): void {
  if (!isCheck) for (const where of folders) pruneUnreviewed(root, where)
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

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const [option, where = '', language = ''] = process.argv.slice(2)
  if (option === '--missing') printMissing(root, where, language)
  else if (option === '--add') addWords(root, where, language)
  else main(root, option === '--check')
}
