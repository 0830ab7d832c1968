import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText, tokenise, tokeniseSought } from './search-tokens.ts'
import { growsWithLength } from '#test/run/growth.ts'

const texts = (text: string) => tokenise(text).map((token) => token.text)
const sought = (text: string) => tokeniseSought(text).map((token) => token.text + (token.prefix ? '*' : ''))

test.each([
  ['Café CRÈME', 'cafe creme'],
  ['Straße Œuvre Łódź', 'strasse oeuvre lodz'],
  ['ＦＵＬＬ ｶﾀｶﾅ', 'full カタカナ'],
  ['ёлка йод Київ', 'елка йод киів'],
  ['Ὀδυσσεύς', 'οδυσσευσ'],
  ['İstanbul', 'istanbul'],
  ['مُحَمَّد', 'محمد'],
  ['soft\u00ADhyphen', 'softhyphen'],
])('%s is %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

describe('words', () => {
  test('are letters, digits and marks, and nothing between them', () => {
    expect(texts(`Don't panic: it's 42°, snake_case!`)).toEqual('don t panic it s 42 snake case'.split(' '))
    expect(texts('हिन्दी में')).toEqual(['हिन्दी', 'में'])
    expect(texts('🎉❤️ … 👍🏽')).toEqual([])
  })

  test('are numbered in their order', () => {
    expect(tokenise('one, two')).toEqual([
      { text: 'one', position: 1, word: true },
      { text: 'two', position: 2, word: true },
    ])
    expect(tokenise('42')[0]).toMatchObject({ word: false })
  })

  test('that are too long are cut', () => {
    expect(texts('a'.repeat(5000))).toEqual(['a'.repeat(80)])
    expect(texts('𝒂'.repeat(100) + '𐐀'.repeat(100))[0]).toBe('a'.repeat(80))
  })
})

describe('characters without word boundaries', () => {
  test.each([
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー', 'ー']],
    ['猫', ['猫']],
    ['Vue入門2026', ['vue', '入門', '門', '2026']],
    ['แมวน้ำ', ['แม', 'มว', 'วน', 'น\u0e49', '\u0e49\u0e4d', '\u0e4dา', 'า']],
    ['고양이', ['고양', '양이', '이']],
  ])('%s', (text, tokens) => {
    expect(texts(text)).toEqual(tokens)
  })

  test('are looked for as pairs, and one alone as the beginning of one', () => {
    expect(sought('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー'])
    expect(sought('猫')).toEqual(['猫*'])
    expect(sought('Vue入門 cat')).toEqual(['vue', '入門', 'cat'])
  })

  test('are found wherever they stand', () => {
    const characters = fc.array(fc.constantFrom(...'東京都タワー猫が好き'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(characters, fc.nat(), fc.nat(), (whole, from, length) => {
        const start = from % whole.length
        const part = whole.slice(start, start + 1 + (length % (whole.length - start))).join('')
        const tokens = new Map(tokenise(whole.join('')).map((token) => [token.position, token.text]))
        for (const token of tokeniseSought(part)) {
          const there = tokens.get(start + token.position)
          expect(token.prefix ? there?.startsWith(token.text) : there === token.text).toBe(true)
        }
      }),
    )
  })
})

test('any text gives tokens of letters, digits and marks, in order, and what is sought is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const tokens = tokenise(text)
      expect(tokens.every((token) => /^[\p{L}\p{N}\p{M}]+$/u.test(token.text))).toBe(true)
      expect(tokens.every((token, index) => token.position === index + 1)).toBe(true)
      for (const token of tokeniseSought(text)) {
        const there = tokens[token.position - 1]?.text
        expect(token.prefix ? there?.startsWith(token.text) : there === token.text).toBe(true)
      }
    }),
  )
})

test.each(['a', '漢', 'é', "'", 'a\u0301', 'ก\u0e49', '\u0301'])(
  'long texts of %s cost what their length costs',
  (piece) => {
    expect(growsWithLength(tokenise, piece, 200_000)).toBe(true)
  },
)
