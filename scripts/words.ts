/**
 * Checks that files, identifiers and titles of tests use the words of the field: an engineer who knows Mastodon, ActivityPub
 * and PostgreSQL should be able to guess a name before opening the tree. A word that was retired does not come back.
 * Docstrings have to stand at what they describe, from which changes part them now and then.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { visitNodes } from './syntax.ts'
import { titleOf } from './test-calls.ts'

interface RetiredWord {
  /** Matches the name in kebab-case, between its ends or dashes. */
  word: string
  instead: string
  /** Whether a test's title may have it: as a word of English that means something else there. */
  inTitles?: boolean
}

/** Words of our own for what the field has a word for. */
export const retiredWords: readonly RetiredWord[] = [
  { word: 'intake', instead: 'inbox processor' },
  { word: 'entrance', instead: 'upgrade router' },
  { word: 'lanes?', instead: 'queue' },
  { word: 'parcels?', instead: 'signed activity' },
  { word: 'news', instead: 'notification, report or fact', inTitles: true },
  { word: 'outlooks?', instead: 'status audience' },
  { word: 'verdicts?', instead: 'decision' },
  { word: 'judged?', instead: 'check', inTitles: true },
  { word: 'squeezed?', instead: 'resize image' },
  { word: 'unmask', instead: 'deobfuscate' },
  { word: 'outward', instead: 'external effects' },
  { word: 'upkeep', instead: 'maintenance' },
  { word: 'films?', instead: 'video' },
  { word: 'from-away', instead: 'remote' },
  { word: 'elsewhere', instead: 'remote', inTitles: true },
  { word: 'second-factors', instead: 'two-factor', inTitles: true },
  { word: 'graves?', instead: 'tombstone' },
  { word: 'bury', instead: 'tombstone' },
  { word: 'untouched', instead: 'unused', inTitles: true },
  { word: 'carry-over', instead: 'move' },
  { word: 'lose-quoted', instead: 'detach quotes' },
  { word: 'part-from', instead: 'sever' },
  { word: 'keeps?-out', instead: 'reject', inTitles: true },
  { word: 'outdate', instead: 'mark stale' },
  { word: 'welcomes?-(?:to|by)|(?:is|un)-?welcome', instead: 'not filtered for, shown to', inTitles: true },
  { word: 'meets-all', instead: 'not muted or blocked' },
  { word: '^want-(?:card|refresh|quote|missing)', instead: 'request' },
  { word: '^forget-(?:renderings|role|settings)', instead: 'invalidate' },
  { word: '^(?:most|longest)(?=-)', instead: 'max' },
  { word: '^tell(?=-)', instead: 'notify, deliver or describe' },
]

/** Names that others gave: columns of the database, what apps ask for and paths say, types of schema.org. */
const given = new Set([
  'AnalysisNewsArticle',
  'NewsArticle',
  'OpinionNewsArticle',
  'ReportageNewsArticle',
  'UpkeepRunsTable',
  'mostRecentId',
  'mostSeverity',
  'most_followed',
  'most_interactions',
  'most_recent_id',
  'most_recent_notification_id',
  'most_severity',
  'upkeep.ts',
  'upkeep_runs',
])

const folders = ['src', 'test', 'scripts', 'bench']
/** Migrations that have landed keep their names, and these files name retired words. */
const exempt = /^src\/db\/migrations\/|^scripts\/words(?:\.test)?\.ts$|\/former-names\.ts$/

/** 'createHTTPIntake_2' → 'create-http-intake-2' */
const toKebab = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3-$2$4')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase()

const patterns = retiredWords.map((retired) => ({
  ...retired,
  name: new RegExp(`(?<![^-])(?:${retired.word})(?![^-])`),
  title: new RegExp(`(?<!\\S)(?:${retired.word.replaceAll('-', '[ -]')})(?!\\w)`, 'i'),
}))
/** Whether a text is worth parsing: dashes of a pattern stand for nothing where names are joined. */
const anywhere = new RegExp(
  retiredWords.map(({ word }) => word.replace('^', '').replaceAll(/\(\?=-\)|-\??/g, '[ _-]?')).join('|'),
  'i',
)

function findInName(name: string): string[] {
  if (given.has(name)) return []
  const kebab = toKebab(name)
  return patterns
    .filter((pattern) => pattern.name.test(kebab))
    .map(({ instead }) => `${name}: say ${instead}`)
}

/** Ids of threats and statements, which stand in brackets behind the sentence that they belong to. */
const idsLast = /^(?:(?!(?:AUTH|ACC|CNT|ROB|FED|SSRF)-\d|\[\d+(?:\.\d+)?-\d).)*(?: \[[A-Z\d.]+-\d+\])*$/s

function findInTitle(title: string): string[] {
  const misplaced = idsLast.test(title) ? [] : [`'${title}': ids stand last, in brackets`]
  const words = patterns
    .filter(
      (pattern) => pattern.inTitles !== true && !pattern.word.startsWith('^') && pattern.title.test(title),
    )
    .map(({ instead }) => `'${title}': say ${instead}`)
  return [...misplaced, ...words]
}

interface Problem {
  line: number
  problem: string
}

const lineOf = (source: string, start: number) => source.slice(0, start).split('\n').length

/** One that is followed by nothing, by another one, or by an end. */
const parted = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*\n(?=[ \t]*(?:\n|$|[})\]]|\/\*\*))/gm

/** Docstrings of a source text that stand at nothing. */
export function findParted(source: string): Problem[] {
  return [...source.matchAll(parted)].map(({ index }) => ({
    line: lineOf(source, index),
    problem: 'a docstring stands at what it describes',
  }))
}

/** Returns what is wrong in the words of a source text, each once, with its line. */
export function findInSource(source: string): Problem[] {
  if (!anywhere.test(source) && !/-\d/.test(source)) return []
  const found = new Map<string, number>()
  visitNodes(source, (node) => {
    const title = titleOf(node)
    const problems = [
      ...(node.type === 'Identifier' ? findInName(String(node.name)) : []),
      ...(title === undefined ? [] : findInTitle(title)),
    ]
    for (const problem of problems) if (!found.has(problem)) found.set(problem, Number(node.start))
  })
  return [...found].map(([problem, start]) => ({ line: lineOf(source, start), problem }))
}

const listFiles = (root: string, places: readonly string[]) =>
  places
    .flatMap((place) =>
      readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((file) => `${place}/${file}`),
    )
    .toSorted()

const findInFiles = (root: string, files: readonly string[], find: (source: string) => Problem[]) =>
  files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      find(readFileSync(join(root, file), 'utf8')).map(({ line, problem }) => `${file}:${line}: ${problem}`),
    )

/** Returns a line for each retired word in the names and sources below `root`. */
export function checkWords(root: string): string[] {
  const files = listFiles(root, folders).filter(
    (file) => /\.(?:ts|mjs|py|sh)$/.test(file) && !exempt.test(file),
  )
  return files.flatMap((file) => [
    ...file.split('/').flatMap((part) => findInName(part).map((problem) => `${file}: ${problem}`)),
    ...findInFiles(root, [file], findInSource),
  ])
}

/** Returns a line for each docstring below `root` that stands at nothing. */
export const checkDocstrings = (root: string): string[] =>
  findInFiles(root, listFiles(root, [...folders, 'client/src']), findParted)

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const problems = [...checkWords(root), ...checkDocstrings(root)]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`words: none of the ${retiredWords.length} that were retired`)
}
