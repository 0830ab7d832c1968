import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPhraseFinder } from './phrase-matcher.ts'
import { runs } from '#test/run/night.ts'

function findAll(phrases: readonly string[], text: string): string[] {
  const found: string[] = []
  createPhraseFinder(phrases).scan(text, (phrase, end) => found.push(`${phrases[phrase]}@${end}`))
  return found.toSorted()
}

function findEach(phrases: readonly string[], text: string): string[] {
  return phrases
    .filter((phrase) => phrase !== '')
    .flatMap((phrase) =>
      Array.from(text, (_, index) => index)
        .filter((index) => text.startsWith(phrase, index))
        .map((index) => `${phrase}@${index + phrase.length}`),
    )
    .toSorted()
}

describe('a finder of phrases', () => {
  test.each([
    { phrases: ['he', 'she', 'his', 'hers'], text: 'ushers' },
    { phrases: ['a', 'aa', 'aaa'], text: 'aaaa' },
    { phrases: ['abcd', 'bc', 'c'], text: 'abce' },
    { phrases: ['', '猫'], text: '黒猫' },
    { phrases: [], text: 'x' },
  ])('tells every occurrence of $phrases in $text', ({ phrases, text }) => {
    expect(findAll(phrases, text)).toEqual(findEach(phrases, text))
  })

  test('finds what looking for each alone finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 })
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 12 }), text, (phrases, one) => {
        expect(findAll(phrases, one)).toEqual(findEach(phrases, one))
      }),
      { numRuns: runs(500) },
    )
  })
})
