import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAppError } from '#lib/errors.ts'
import { parseQuery, properties, states, type Clause } from './parse-query.ts'
import { growsWithLength } from '#test/run/growth.ts'

const word = (text: string, not = false): Clause => ({ kind: 'word', text, not })
const phrase = (text: string, not = false): Clause => ({ kind: 'phrase', text, not })
const clauses = (text: string) => parseQuery(text).clauses

describe('words and phrases', () => {
  test.each([
    ['cats and dogs', [word('cats'), word('and'), word('dogs')]],
    ['  cats\t\n-dogs +mice ', [word('cats'), word('dogs', true), word('mice')]],
    ['"two words" -"no such" +"so"', [phrase('two words'), phrase('no such', true), phrase('so')]],
    [
      '“typographic” «quotes» „of all” ＂kinds＂',
      'typographic quotes,of all,kinds'
        .split(',')
        .flatMap((text) =>
          text === 'typographic quotes' ? [phrase('typographic'), phrase('quotes')] : [phrase(text)],
        ),
    ],
    ['"never closed', [phrase('never closed')]],
    ['a"b c"d', [word('a'), phrase('b c'), word('d')]],
    ['- + --x', [word('-'), word('+'), word('-x', true)]],
    ['#tag @name', [word('#tag'), word('@name')]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(clauses(text)).toEqual(expected)
  })
})

describe('operators', () => {
  test.each<[string, Clause[]]>([
    [
      'has:media -has:POLL',
      [
        { kind: 'has', what: 'media', not: false },
        { kind: 'has', what: 'poll', not: true },
      ],
    ],
    ['is:reply', [{ kind: 'is', what: 'reply', not: false }]],
    ['FROM:@alice@away.example', [{ kind: 'from', account: 'alice@away.example', not: false }]],
    ['-from:me', [{ kind: 'from', account: 'me', not: true }]],
    ['language:de-AT', [{ kind: 'language', code: 'de', not: false }]],
    ['before:2024', [{ kind: 'before', period: { year: 2024, month: null, day: null }, not: false }]],
    ['after:2024-02', [{ kind: 'after', period: { year: 2024, month: 2, day: null }, not: false }]],
    ['during:"2024-02-29"', [{ kind: 'during', period: { year: 2024, month: 2, day: 29 }, not: false }]],
  ])('%s', (text, expected) => {
    expect(clauses(text)).toEqual(expected)
  })

  test('`in` chooses the scope, the last one counts', () => {
    expect(parseQuery('cats in:library IN:public').scope).toBe('public')
    expect(parseQuery('cats in:all').scope).toBe('all')
    expect(parseQuery('cats').scope).toBe('all')
  })

  test('that are not known are words', () => {
    expect(clauses('foo:bar')).toEqual([word('foo'), word('bar')])
    expect(clauses('has:wings')).toEqual([word('has'), word('wings')])
    expect(clauses('in:space')).toEqual([word('in'), word('space')])
    expect(clauses('-foo:bar')).toEqual([word('foo:bar', true)])
    expect(clauses('https://a.example/b')).toEqual([word('https'), word('//a.example/b')])
    expect(clauses('"from:me"')).toEqual([phrase('from:me')])
    expect(clauses('constructor:x')).toEqual([word('constructor'), word('x')])
  })

  test.each(['before:yesterday', 'after:2024-13', 'during:2023-02-29', 'before:0000', 'after:2024-1-32'])(
    '%s is no date',
    (text) => {
      const problem = (() => {
        try {
          return parseQuery(text)
        } catch (error) {
          return error
        }
      })()
      expect(isAppError(problem, 'invalid') && problem.message).toBe('Invalid date supplied')
    },
  )
})

const plain = fc.stringMatching(/^[a-z0-9äöü猫]{1,8}$/)
const anyClause = fc.oneof(
  plain.map((text) => ({ kind: 'word', text }) as const),
  fc
    .array(plain, { minLength: 1, maxLength: 3 })
    .map((words) => ({ kind: 'phrase', text: words.join(' ') }) as const),
  fc.constantFrom(...properties).map((what) => ({ kind: 'has', what }) as const),
  fc.constantFrom(...states).map((what) => ({ kind: 'is', what }) as const),
  plain.map((account) => ({ kind: 'from', account }) as const),
)

function write(clause: Clause): string {
  const sign = clause.not ? '-' : ''
  if (clause.kind === 'phrase') return `${sign}"${clause.text}"`
  if (clause.kind === 'word') return sign + clause.text
  if (clause.kind === 'has' || clause.kind === 'is') return `${sign}${clause.kind}:${clause.what}`
  return `${sign}from:${(clause as { account: string }).account}`
}

test('reads what was written', () => {
  const clause = fc.tuple(anyClause, fc.boolean()).map(([one, not]) => ({ ...one, not }) as Clause)
  fc.assert(
    fc.property(fc.array(clause, { maxLength: 20 }), (list) => {
      expect(clauses(list.map(write).join(' '))).toEqual(list)
    }),
  )
})

test('takes what an unknown prefix has in quotes for words', () => {
  const words = (text: string) =>
    parseQuery(text).clauses.map((one) => one.kind === 'word' && [one.text, one.not])
  expect(words('has:"two words"')).toEqual([
    ['has', false],
    ['two', false],
    ['words', false],
  ])
  expect(words('-has:"two words"')).toEqual([
    ['has:two', true],
    ['words', true],
  ])
  expect(words('has:" ')).toEqual([['has', false]])
  expect(words(`has:"${'a '.repeat(400)}"`)).toHaveLength(30)
})

test('takes any text', () => {
  const pieces = fc.constantFrom(
    '"',
    '-',
    '+',
    ':',
    'from:',
    'has:',
    'in:library',
    ' ',
    'a',
    '“',
    '\u0000',
    '💥',
    "'",
    '\\',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (list) => {
      const { clauses: found } = parseQuery(list.join(''))
      expect(found.length).toBeLessThanOrEqual(41)
      const words = found.flatMap((one) => (one.kind === 'word' ? [one.text] : []))
      for (const text of words) expect(text).not.toMatch(/[\s"]/)
    }),
  )
})

test.each(['"', '-', '+-', 'a:', 'from:', '@a', '" "', '“', '-"'])(
  'half a million characters of %s cost what their length costs [CNT-21]',
  (text) => {
    expect(growsWithLength(parseQuery, text, 500_000)).toBe(true)
  },
)
