import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { conformance } from './conformance.ts'
import { security } from './security.ts'
import { fillPage as fill, listNamedTests, type NamedTest } from './shown-by.ts'

const fillPage = (text: string, tests: NamedTest[]) => fill(conformance, text, tests)

const page = [
  '## 2.0 Conventions',
  '| id | statement | shown by |',
  '| --- | --- | --- |',
  '| 2.0-1 | Ids are strings. | not yet |',
  '| 2.0-2 | They hold integers. | old.test.ts › gone |',
  '| 2.0-3 | The rest. | left open |',
  '',
].join('\n')

const named = (title: string) => ({ file: 'test/api/ids.test.ts', title })

describe('titles are found', () => {
  test.each([
    ["test('a [2.0-1]', () => {})", ['a [2.0-1]']],
    ["describe('b [2.0-1]', () => { it('c [9-12]', () => {}) })", ['b [2.0-1]', 'c [9-12]']],
    ["test.each([1, 2])('d %i [2.0-1]', () => {})", ['d %i [2.0-1]']],
    ['test(`e ${1} [2.0-1]`, () => {})', ['e … [2.0-1]']],
    ["test.skip('f [2.0-1]', () => {})", []],
    ["test.todo('g [2.0-1]')", []],
    ["other('h [2.0-1]')", []],
    ["// test('i [2.0-1]')", []],
    ["test('j [2]', () => {})", []],
  ])('%s', (source, titles) => {
    expect(listNamedTests(conformance.idInTitle, 'x.test.ts', source).map(({ title }) => title)).toEqual(
      titles,
    )
  })
})

describe('the last column', () => {
  test('holds the tests that name the statement, and forgets those that are gone', () => {
    const filled = fillPage(page, [named('they are [2.0-1]'), named('a | b [2.0-1]')])
    expect(filled).toMatchObject({ shown: 1, total: 2, problems: [] })
    expect(filled.page).toContain(
      '| 2.0-1 | Ids are strings. | test/api/ids.test.ts › a / b<br>test/api/ids.test.ts › they are |\n' +
        '| 2.0-2 | They hold integers. | not yet |\n| 2.0-3 | The rest. | left open |\n',
    )
  })

  test('does not change when it is filled again', () => {
    const tests = [named('both [2.0-1] [2.0-2]')]
    const once = fillPage(page, tests)
    expect(once.shown).toBe(2)
    expect(fillPage(once.page, tests).page).toBe(once.page)
  })

  test('tells ids that do not exist, stand twice or are left open', () => {
    expect(fillPage(page, [named('a [7-1]')]).problems).toEqual([
      'test/api/ids.test.ts › a names 7-1, which docs/conformance.md does not have',
    ])
    expect(fillPage(page, [named('a [2.0-3]')]).problems).toHaveLength(1)
    expect(fillPage(page + page, []).problems).toHaveLength(3)
  })
})

test('every row of the real page is understood, and ids run without a gap', () => {
  const real = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8')
  const ids = real.split('\n').flatMap((line) => /^\| (\d[\d.]*-\d+) \|/.exec(line)?.[1] ?? [])
  const open = real.split('\n').filter((line) => line.endsWith('| left open |')).length
  expect(fillPage(real, []).total).toBe(ids.length - open)
  const sections = Map.groupBy(ids, (id) => id.split('-')[0])
  for (const [section, found] of sections) {
    expect(found).toEqual(found.map((_, index) => `${section}-${index + 1}`))
  }
})

describe('threat cases', () => {
  const cases = '| ACC-1 | Hidden things. | not yet |\n| ACC-2 | Later. | does not apply yet |'
  const filled = (...titles: string[]) => fill(security, cases, titles.map(named))

  test('are named in every spelling, next to ids of statements', () => {
    for (const title of [
      'ACC-1: works',
      '[ACC-1] works',
      'works ACC-1',
      'works (ACC-1)',
      '[2.0-1] works [ACC-1]',
    ]) {
      expect(filled(title)).toMatchObject({ shown: 1, total: 1, problems: [] })
      expect(filled(title).page).toContain('| test/api/ids.test.ts › works |')
    }
  })

  test('that did not apply count as soon as a test names them', () => {
    expect(filled()).toMatchObject({ shown: 0, total: 1, page: cases })
    expect(filled('ACC-2: now')).toMatchObject({ shown: 1, total: 2, problems: [] })
    expect(filled('ACC-3: unknown').problems).toHaveLength(1)
  })

  test('of the real page are all understood, each once', () => {
    const real = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
    const rows = real.split('\n').filter((line) => /^\| [A-Z]+-\d+ \|/.test(line))
    const open = rows.filter((line) => line.endsWith('| does not apply yet |')).length
    expect(fill(security, real, [])).toMatchObject({ total: rows.length - open, problems: [] })
  })
})
