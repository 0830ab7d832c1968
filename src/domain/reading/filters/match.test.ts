import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEdged } from '#lib/text/matching/find-words.ts'
import { foldText } from '#lib/text/matching/fold.ts'
import { compileFilters, filterText, type ActiveFilter } from './match.ts'
import { costsAtMost } from '#test/run/growth.ts'
import { asId, asIds, type FilterId, type StatusId } from '#lib/id.ts'
import { runs } from '#test/run/night.ts'

const now = Date.UTC(2026, 0, 1)

function filter(id: string, keywords: [string, boolean][], more: Partial<ActiveFilter> = {}): ActiveFilter {
  return {
    id: asId<FilterId>(id),
    title: `filter ${id}`,
    context: ['home'],
    action: 'warn',
    expiresAt: null,
    keywords: keywords.map(([keyword, wholeWord]) => ({ keyword, wholeWord })),
    statusIds: [],
    ...more,
  }
}

function matches(filters: ActiveFilter[], text: string, ids: string[] = []): [string, ...unknown[]][] {
  return compileFilters(filters)
    .match(text, asIds<StatusId>(ids), now)
    .map((match) => [match.filter.id, match.keywords, match.statusIds])
}

const found = (keyword: string, wholeWord: boolean, ...parts: string[]) =>
  matches([filter('1', [[keyword, wholeWord]])], filterText(parts)).length === 1

describe('a keyword', () => {
  test.each([
    ['cat', true, 'A Cat!', true],
    ['cat', true, 'cats and concatenation', false],
    ['cat', false, 'concatenation', true],
    ['CAT', true, '#cat', true],
    ['cat', true, 'cat_food', false],
    ['cat', true, 'the cat', true],
    ['#cat', true, 'my #cat', true],
    ['#cat', true, 'my#cat', true],
    ['#cat', true, '#cats', false],
    ['c++', true, 'c++11', true],
    ['c++', true, 'objc++', false],
    ['(cat|dog)', true, 'cat', false],
    ['.*', false, 'anything', false],
    ['$^', false, 'costs $^2', true],
    ['élan', true, 'ÉLAN vital', true],
    ['lan', true, 'élan', false],
    ['cafe', true, 'cafe\u0301', false],
    ['football tonight', true, 'FOOTBALL\n  tonight', true],
    ['мир', true, 'Миру мир', true],
    ['мир', true, 'миру', false],
  ] as const)('%s (whole word: %s) in %s: %s', (keyword, wholeWord, text, expected) => {
    expect(found(keyword, wholeWord, text)).toBe(expected)
  })

  test.each([
    ['猫', '黒猫が好き', true],
    ['ネコ', '黒ﾈｺが好き', true],
    ['ฟุตบอล', 'ดูฟุตบอลคืนนี้', true],
    ['AI', '私はAIが好き', true],
    ['AI', '私はRAIDが好き', false],
    ['ai猫', 'xai猫x', false],
    ['猫ai', 'x猫aix', false],
    ['고양이', '고양이 사진', true],
  ])('of scripts without spaces needs no edge there: %s in %s: %s', (keyword, text, expected) => {
    expect(found(keyword, true, text)).toBe(expected)
  })

  test('is looked for in each part alone', () => {
    expect(found('two', true, 'one', 'two', 'three')).toBe(true)
    expect(found('one two', true, 'one', 'two')).toBe(false)
    expect(found('two', true, '')).toBe(false)
  })

  test('has edges that astral letters see too', () => {
    expect(found('cat', true, '𐐷cat')).toBe(false)
    expect(found('cat', true, 'cat𐐷')).toBe(false)
    expect(found('cat', true, '😀cat😀')).toBe(true)
    expect(found('𐐷', true, 'a𐐷')).toBe(false)
  })
})

describe('filters', () => {
  test('tell which keywords were found and which statuses they name, in their order', () => {
    const filters = [
      filter('1', [
        ['dog', true],
        ['cat', true],
        ['Cat', true],
      ]),
      filter('2', [['cat', true]], { statusIds: [asId<StatusId>('70'), asId<StatusId>('71')] }),
      filter('3', [['bird', true]]),
      filter('4', [], { statusIds: [asId<StatusId>('71')] }),
    ]
    expect(matches(filters, 'a cat, a dog', ['70', '71'])).toEqual([
      ['1', ['dog', 'cat', 'Cat'], []],
      ['2', ['cat'], ['70', '71']],
      ['4', [], ['71']],
    ])
    expect(matches(filters, 'nothing', ['72'])).toEqual([])
    expect(matches([], 'nothing', ['72'])).toEqual([])
  })

  test('apply until they expire', () => {
    const at = (time: number) => matches([filter('1', [['cat', true]], { expiresAt: new Date(time) })], 'cat')
    expect([at(now + 1).length, at(now).length, at(now - 1).length]).toEqual([1, 0, 0])
  })
})

/** The rule as it reads, one keyword at a time. */
function isFoundSlowly(keyword: string, wholeWord: boolean, text: string): boolean {
  const folded = foldText(keyword)
  const characters = [...text]
  const wanted = [...folded]
  const edged = (character: string | undefined) => character !== undefined && isEdged(character)
  return characters.some((_, at) => {
    if (!wanted.every((one, offset) => characters[at + offset] === one)) return false
    if (!wholeWord) return true
    const before = edged(wanted[0]) && edged(characters[at - 1])
    const after = edged(wanted.at(-1)) && edged(characters[at + wanted.length])
    return !before && !after
  })
}

test('matching says what looking for each keyword alone says', () => {
  const unit = fc.constantFrom('a', 'b', 'B', 'ß', ' ', '.', '#', '猫', 'か', 'ไ', '𐐷', '😀', '*', '\n')
  const keyword = fc.tuple(
    fc.string({ unit, minLength: 1, maxLength: 4 }).filter((one) => foldText(one).trim() !== ''),
    fc.boolean(),
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(keyword, { maxLength: 4 }), { maxLength: 5 }),
      fc.array(fc.string({ unit, maxLength: 30 }), { maxLength: 3 }),
      (groups, parts) => {
        const text = filterText(parts)
        const filters = groups.map((keywords, index) => filter(String(index), keywords))
        const expected = filters.flatMap(({ id, keywords }) => {
          const met = keywords.filter((one) => isFoundSlowly(one.keyword, one.wholeWord, text))
          const found = new Set(met.map((one) => one.keyword))
          // What stands in it twice is told at its first place, whichever of the two was found.
          const told = new Set(keywords.map((one) => one.keyword).filter((one) => found.has(one)))
          return found.size === 0 ? [] : [[id, [...told], []]]
        })
        expect(matches(filters, text)).toEqual(expected)
      },
    ),
    { numRuns: runs(1000) },
  )
})

test('keywords made to be slow are not: ever so many cost little more than one', () => {
  const keywords = Array.from({ length: 400 }, (_, n): [string, boolean] => [`${'a'.repeat(n + 1)}b`, false])
  const [many, one] = [keywords, keywords.slice(0, 1)].map((some) => compileFilters([filter('1', some)]))
  const text = 'a'.repeat(200_000)
  const find = (matcher = many) => expect(matcher?.match(text, [], now)).toEqual([])
  expect(costsAtMost(find, 20, () => find(one))).toBe(true)
})

test('nor is one keyword in ever so many filters', () => {
  const keywords = Array.from({ length: 20 }, (): [string, boolean] => ['e', false])
  const matcher = compileFilters(Array.from({ length: 3000 }, (_, n) => filter(`${n}`, keywords)))
  const find = (text: string) => expect(matcher.match(text, [], now)).toHaveLength(3000)
  const text = 'everything eats everything else '
  expect(
    costsAtMost(
      () => find(text.repeat(20)),
      5,
      () => find(text),
    ),
  ).toBe(true)
})
