import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createWordFinder, foldParts } from './find-words.ts'

const find = (words: string[], ...parts: string[]) =>
  [...createWordFinder(words)(foldParts(parts))].toSorted()

describe('words', () => {
  test('are found whole, folded, each by all of its indexes', () => {
    expect(find(['cat', 'DOG', 'Cat'], 'A CAT')).toEqual([0, 2])
    expect(find(['cat'], 'concatenate', 'cats')).toEqual([])
    expect(find(['best offer'], 'the BEST\n offer!')).toEqual([0])
    expect(find(['best offer'], 'best', 'offer')).toEqual([])
    expect(find(['猫'], '黒猫が好き')).toEqual([0])
    expect(find([], 'anything')).toEqual([])
  })

  test('stand free next to punctuation, whatever they are', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(find([one], `(${one}), ${other}`)).toEqual([0])
        expect(find([one], `${other}${one}${other}`)).toEqual([])
      }),
    )
  })
})
