import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listProblems, readCatalogues, readSources } from './messages.ts'
import { compareCatalogues, flatten, prune } from './messages/compare.ts'
import { paramsOf } from './messages/params.ts'
import { findProse } from './messages/prose.ts'
import { renderTypes } from './messages/types.ts'
import { findUnused } from './messages/unused.ts'

const root = resolve(import.meta.dirname, '..')
const sourcesOf = (text: string, file = 'src/http/web/page.ts') => new Map([[file, text]])

test('the catalogues are whole, and nothing is said beside them', () => {
  expect(listProblems(readCatalogues(root), readSources(root))).toEqual([])
})

describe('a language', () => {
  const english = flatten({ a: { one: 'One of {max}', two: 'Two words' }, name: 'Name' })
  const compare = (tree: Parameters<typeof flatten>[0]) => compareCatalogues(english, tree, 'fr')

  test('that has all is fine, also with words that are the same', () => {
    expect(compare({ a: { one: 'Un de {max}', two: 'Deux mots' }, name: 'Name' })).toEqual([])
  })

  test('that lacks a key, has another parameter, or is English is told', () => {
    expect(compare({ a: { one: 'Un de {most}', two: 'Two words' }, more: 'Plus' })).toEqual([
      'locales/fr.json: has no name',
      'locales/fr.json: has more, which English lacks',
      'locales/fr.json: a.one has the parameters most instead of max',
      'locales/fr.json: a.two is the English text: Two words',
    ])
  })
})

describe('a language that nobody has read', () => {
  const english = { a: { one: 'One of {max}', two: 'Two words' }, name: 'Name' }

  test('may lack messages, but says nothing that English does not', () => {
    const tree = { $state: 'unreviewed', a: { one: 'Un de {most}' }, more: 'Plus' }
    expect(compareCatalogues(flatten(english), tree, 'fr')).toEqual([
      'locales/fr.json: has more, which English lacks',
      'locales/fr.json: a.one has the parameters most instead of max',
    ])
    expect(prune(tree, english)).toEqual({ $state: 'unreviewed' })
  })

  test('keeps what is still true', () => {
    const tree = { $state: 'unreviewed', a: { one: 'Un de {max}', gone: 'Rien' }, name: 'Nom' }
    expect(prune(tree, english)).toEqual({ $state: 'unreviewed', a: { one: 'Un de {max}' }, name: 'Nom' })
  })
})

describe('parameters', () => {
  test('have the types that their place wants', () => {
    expect(paramsOf('{n, plural, one {{name} has one} other {{name} has {n}}} {when, date}')).toEqual({
      n: 'number',
      name: 'string | number',
      when: 'Date | number',
    })
  })

  test('become types of functions', () => {
    const types = renderTypes({ plain: 'Plain', deep: { 'with-dash': 'At most {max}' } })
    expect(types).toContain('readonly plain: string\n')
    expect(types).toContain("readonly 'with-dash': Say<{ max: string | number }>\n")
  })
})

describe('a message', () => {
  const unused = (text: string) =>
    findUnused({ pages: { home: { title: 'Title', a: 'A' } } }, sourcesOf(text))

  test('that a file says is used', () => {
    expect(unused('const t = textsIn(l).pages.home; t.title; t.a')).toEqual([])
    expect(unused("const t = textsIn(l).pages.home; pickText(t, name); ['title', 'a']")).toEqual([])
  })

  test('that nothing says is told, also when its name stands elsewhere', () => {
    expect(unused('const t = textsIn(l).pages.home; t.title')).toEqual([
      'locales/en.json: nothing says pages.home.a',
    ])
    expect(unused('const t = { title, a }')).toHaveLength(2)
  })

  test('that is an error is used where its code is thrown', () => {
    const english = { errors: { base: { no_relay: 'No relay', other: 'Other' } } }
    expect(findUnused(english, sourcesOf("throw invalid('base', 'no_relay')"))).toEqual([
      'locales/en.json: nothing says errors.base.other',
    ])
  })
})

describe('words for people', () => {
  const prose = (text: string) => findProse(sourcesOf(text)).map((line) => line.split('locales/: ')[1])

  test.each([
    ['html`<p>Hello ${name}</p>`', ['Hello']],
    ['html`<a aria-label="Next page" href="/x">${icon}</a>`', ['Next page']],
    ["const title = 'Sign in first.'", ['Sign in first.']],
    ['const hint = `Signed in as ${name}`', ['Signed in as …']],
  ])('%s', (source, expected) => {
    expect(prose(source)).toEqual(expected)
  })

  test.each([
    'html`<p class="soft">${t.hello} · ${name}</p>`',
    'html`lang="${language}"`',
    "header('content-type', 'text/html; charset=utf-8')",
    "throw new Error('The connection was closed')",
    'html`<style>body { color: red }</style>`',
  ])('are not %s', (source) => {
    expect(prose(source)).toEqual([])
  })

  test('are those of operators elsewhere', () => {
    expect(findProse(sourcesOf("console.log('All is well')", 'src/cli/main.ts'))).toEqual([])
    const reason = "new AppError('invalid', { said: 'nothing so' })"
    expect(findProse(sourcesOf(reason, 'src/domain/x.ts'))).toHaveLength(1)
  })
})
