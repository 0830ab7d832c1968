import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDocstrings, checkWords, findInSource, findParted } from './words.ts'

const problemsOf = (source: string) => findInSource(source).map(({ problem }) => problem)

test.each([
  ['const newIntake = 1', 'newIntake: say inbox processor'],
  ['interface Outlook {}', 'Outlook: say status audience'],
  ['function f({ film_type }: X) {}', 'film_type: say video'],
  ['export const mostReplies = 5', 'mostReplies: say max'],
  ['row.tellStaff()', 'tellStaff: say notify, deliver or describe'],
])('%s is refused', (source, problem) => expect(problemsOf(source)).toEqual([problem]))

test.each([
  'const almost = 1, filmography = 2, filtered = 3, outdated = true',
  '// an intake, a parcel, and news of films',
  "const text = 'an intake of films'",
  'const row = { most_severity: 1, mostRecentId: 2 }',
])('%s is none of these names', (source) => expect(problemsOf(source)).toEqual([]))

test('the title of a test has no retired word, unless that means something else in a sentence', () => {
  const titled = (title: string) => problemsOf(`test('${title}', () => {})`)
  expect(titled('a parcel is sent')).toEqual(["'a parcel is sent': say signed activity"])
  expect(titled('Films are made smaller')).toEqual(["'Films are made smaller': say video"])
  expect(titled('an old status is news to nobody')).toEqual([])
  expect(titled('a filmmaker is a person')).toEqual([])
  expect(problemsOf("describe.each([1])('a lane of %s', () => {})")).toEqual(["'a lane of %s': say queue"])
})

test('ids stand last in a title, in brackets', () => {
  const titled = (title: string) => problemsOf(`test('${title}', () => {})`)
  expect(titled('hidden and missing look the same [ACC-8] [2.0-1]')).toEqual([])
  expect(titled('1-2 posts')).toEqual([])
  for (const title of [
    'ACC-8: hidden and missing look the same',
    'looks the same ACC-8',
    '[4-1] looks the same',
  ])
    expect(titled(title)).toEqual([`'${title}': ids stand last, in brackets`])
})

test.each([
  ['nothing', '/** Of something. */\n\nconst a = 1'],
  ['another', 'interface A {\n  /** Of something. */\n  /** Of b. */\n  b: 1\n}'],
  ['an end', 'interface A {\n  b: 1\n  /**\n   * Of something.\n   */\n}'],
  ['the end of a file', '/** Of something. */\n'],
])('a docstring that stands at %s is refused', (_, source) => expect(findParted(source)).toHaveLength(1))

test.each([
  '/** Of a. */\nconst a = 1',
  '/**\n * Of the file.\n */\nimport a from "a"',
  'f(/** Of b. */ b)',
  'const a = "/** no */"\n\nb()',
])('a docstring stands at what it describes: %s', (source) => expect(findParted(source)).toEqual([]))

test('files and folders are looked at, with their lines; migrations keep their names', () => {
  const root = mkdtempSync(join(tmpdir(), 'words-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = {
    'src/worker/intake.ts': '\nexport const verdict = 1',
    'src/db/migrations/0001-upkeep.ts': 'export const upkeep = 1',
    'test/parcels/a.py': '',
    'scripts/a.ts': '',
    'bench/a.ts': '',
    'client/src/a.tsx': 'const a = 1\n/** Of something. */\n\n',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  expect(checkDocstrings(root)).toEqual(['client/src/a.tsx:2: a docstring stands at what it describes'])
  expect(checkWords(root)).toEqual([
    'src/worker/intake.ts: intake.ts: say inbox processor',
    'src/worker/intake.ts:2: verdict: say decision',
    'test/parcels/a.py: parcels: say signed activity',
  ])
})
