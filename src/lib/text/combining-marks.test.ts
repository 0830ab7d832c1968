import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundMarks, createMarkBound } from './combining-marks.ts'
import { sanitizeHtml } from '../html/sanitize.ts'
import { cleanName } from './sanitize-name.ts'
import { cleanText } from './text.ts'

test.each([
  ['Vietnamese, decomposed', 'Tiếng Việt nhiều lắm'.normalize('NFD')],
  ['Greek, decomposed', 'ᾧ ᾂ ΰ'.normalize('NFD')],
  ['Hebrew with vowels and cantillation', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
  ['Arabic with vowels', 'بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ'],
  ['Hindi', 'क्ष्म्य हिन्दी में र्ट्स्न्यि'],
  ['Tamil', 'க்ஷ்மி தமிழ்'],
  ['Thai', 'ปิ่น กี่ น้ำ ที่นี่'],
  ['Burmese', 'မြွှော့ ကျွန်ုပ်တို့'],
  ['Khmer', 'ស្ត្រី ខ្ញុំ'],
  ['Tibetan', 'ཧཱུྃ བསྒྲུབས ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ'],
  ['phonetic letters', 'ɔ̃̀ːt͡ʃʰ ɤ̞̈̃'],
  ['emoji', '👩🏽‍❤️‍💋‍👨🏿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🏳️‍🌈'],
  ['Korean, decomposed', '한글'.normalize('NFD')],
])('nothing of %s goes', (_name, text) => {
  expect(boundMarks(text)).toBe(text)
  expect(cleanText(text)).toBe(text)
})

const marksOf = (text: string) => text.match(/\p{M}/gu)?.length ?? 0

test('a pile keeps its first marks, and what is unseen does not begin another one', () => {
  expect(boundMarks(`a${'\u0301'.repeat(500)}b`)).toBe(`a${'\u0301'.repeat(5)}b`)
  expect(marksOf(boundMarks(`ก${'\u0E47'.repeat(500)}`))).toBe(8)
  expect(marksOf(boundMarks(`a${'\u0301\u200D'.repeat(500)}`))).toBe(5)
  expect(marksOf(boundMarks(`a${'\u0301\u034F\u00AD'.repeat(500)}`))).toBeLessThan(9)
  const bound = createMarkBound()
  expect(Array.from({ length: 50 }, () => bound('\u0301')).join('')).toBe('\u0301'.repeat(5))
})

test('in names, texts and HTML, written out, as references, or each in an element of its own', () => {
  const pile = `Z${'\u0336\u035B'.repeat(200)}algo`
  expect(marksOf(cleanName(pile))).toBe(5)
  expect(marksOf(cleanText(pile))).toBe(5)
  expect(marksOf(sanitizeHtml(`<p>${pile}</p>`))).toBe(5)
  expect(marksOf(sanitizeHtml(`<p>Z${'&#x301;'.repeat(99)}</p>`))).toBe(5)
  expect(marksOf(sanitizeHtml(`<p>Z${'<i>\u0301</i><b>\u0301</b>'.repeat(99)}</p>`))).toBe(5)
})

test('whatever there is, all but marks stays, and doing it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = boundMarks(text)
      expect(boundMarks(once)).toBe(once)
      expect(once.replace(/\p{M}/gu, '')).toBe(text.replace(/\p{M}/gu, ''))
    }),
  )
})
