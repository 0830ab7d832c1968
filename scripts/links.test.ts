// Links between the documents, and from them to the source, lead to files that are there.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const pages = ['*.md', 'docs/**/*.md', 'bench/*.md', 'test/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
)

/** Where the links of a page lead, without those to other sites and to places within the page. */
function targetsOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|\ssrc="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source,
  )
  return links.flatMap((link) => link?.replace(/#.*$/, '') || []).filter((link) => !/^[a-z]+:/.test(link))
}

test.each(pages)('every link of %s leads to a file', (page) => {
  const folder = path.join(root, path.dirname(page))
  const missing = targetsOf(readFileSync(path.join(root, page), 'utf8')).filter(
    (target) => !existsSync(path.join(folder, target)),
  )
  expect(missing).toEqual([])
})

test('each of the three journeys in docs/developers/architecture.md opens fewer than ten files', () => {
  const text = readFileSync(path.join(root, 'docs/developers/architecture.md'), 'utf8')
  const told = text.slice(text.indexOf('## Three journeys')).split(/^## /m)[1] ?? ''
  const journeys = told.split(/^### /m).slice(1)
  expect(journeys).toHaveLength(3)
  for (const journey of journeys) {
    const steps = journey.match(/^\d+\. \[/gm) ?? []
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.length).toBeLessThan(10)
  }
})

test('the worked example in CONTRIBUTING.md touches nine files, which are there', () => {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
  const told = text.slice(text.indexOf('## Adding a field to the account')).split(/^## /m)[1] ?? ''
  const steps = told.match(/^\d+\. .*$/gm)?.join('\n') ?? ''
  const files = [...new Set([...steps.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file]) => file ?? ''))]
  expect(files).toHaveLength(9)
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([
    'src/db/migrations/NNNN-pronouns.ts',
  ])
})

test('each decision record has a number of its own, which its heading says, and a line in the list', () => {
  const records = globSync('docs/adr/[0-9]*.md', { cwd: root }).map((file) => path.basename(file))
  const numbers = records.map((name) => name.slice(0, 4))
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  const headings = records.map((name) => readFileSync(path.join(root, 'docs/adr', name), 'utf8').slice(0, 7))
  expect(headings).toEqual(numbers.map((number) => `# ${number} `))
  const listed = readFileSync(path.join(root, 'docs/adr/README.md'), 'utf8').matchAll(
    /^- \[\d{4}\]\((.*?)\)/gm,
  )
  expect([...listed].map(([, name]) => name)).toEqual(records.toSorted())
})
