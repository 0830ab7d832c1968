import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from './fold.ts'
import { runs } from '#test/run/night.ts'

describe('foldText', () => {
  test.each([
    ['Straße STRASSE', 'strasse strasse'],
    ['ΟΔΟΣ οδός', 'οδοσ οδόσ'],
    ['İstanbul', 'istanbul'],
    ['ＡＢＣ ﬁ ﾊﾝｶｸ', 'abc fi ハンカク'],
    ['Cafe\u0301', 'café'],
    ['a\u00ADb\u200Bc\u2060d\uFEFFe', 'abcde'],
    ['a \t\r\n\u00a0 b', 'a b'],
    ['', ''],
  ])('%s', (text, folded) => expect(foldText(text)).toBe(folded))

  test('changes nothing a second time, and does not look at case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (one) => {
        expect(foldText(foldText(one))).toBe(foldText(one))
      }),
      { numRuns: runs(1000) },
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcßäöüçñéσςжяі 1_-') }), (one) => {
        expect(foldText(one.toUpperCase())).toBe(foldText(one))
      }),
    )
  })
})
