import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from './fold.ts'
import { deobfuscateText } from './deobfuscate-text.ts'

describe('deobfuscateText', () => {
  test.each([
    ['c\u200da\u200cs\u034fi\u2066n\ufe0fo\u{e0061}', 'casino'],
    ['c\u0336a\u0336s\u0336i\u0336n\u0336o\u0336', 'casino'],
    ['ᴄᴀꜱɪɴᴏ', 'casino'],
    ['саsіno CАSINО', 'casino casino'],
    ['ⓒⓐⓢⓘⓝⓞ 𝓬𝓪𝓼𝓲𝓷𝓸 ｃａｓｉｎｏ', 'casino casino casino'],
    ['κaσιno', 'kaσino'],
    ['кaзинo', 'казино'],
    ['Казино сор', 'казино сор'],
    ['café Schön', 'café schön'],
  ])('%s', (text, plain) => expect(deobfuscateText(text)).toBe(plain))

  test('is the folded text for what is written plainly, and the same for what only looks so', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abcßäöüçñé 1_-.') })
    fc.assert(
      fc.property(plain, (text) => {
        expect(deobfuscateText(text)).toBe(foldText(text))
      }),
    )
    const masks = fc.tuple(
      fc.constantFrom('а', 'a\u0336', '\u200da'),
      fc.constantFrom('ѕ', 'ꜱ', 'S\u{e0061}'),
    )
    fc.assert(
      fc.property(masks, ([a, s]) => {
        expect(deobfuscateText(`c${a}${s}ino`)).toBe('casino')
      }),
    )
  })
})
