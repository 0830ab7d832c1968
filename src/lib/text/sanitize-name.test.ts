import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName } from './sanitize-name.ts'

test.each([
  [' Alice ', 'Alice'],
  ['a\nb', 'a b'],
  ['a\r\n\u2028b', 'a b'],
  ['a\u0000\u0007b\u009f', 'ab'],
  ['a\u202Etxt.exe', 'atxt.exe'],
  ['\u2067abc', '\u2067abc\u2069'],
  ['a\u2069\u2066b\u2069', 'a\u2066b\u2069'],
  ['\u200b\u200d \ufeff', ''],
  ['\u0001\n', ''],
  ['👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a\ud800b', 'a\ufffdb'],
  ['山田　太郎', '山田　太郎'],
])('%j becomes %j', (name, expected) => expect(cleanName(name)).toBe(expected))

test('a name is one line, without controls, its isolates closed; cleaning twice changes nothing', () => {
  const unit = fc.oneof(
    fc.constantFrom(...'\n\r\t\u0000\u0085\u202a\u202e\u202c\u2066\u2067\u2068\u2069\u200f\u2029 a'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (name) => {
      const clean = cleanName(name)
      expect(clean).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E]/u)
      const depth = [...clean].reduce((open, character) => {
        if (/[\u2066-\u2068]/.test(character)) return open + 1
        return character === '\u2069' ? open - 1 : open
      }, 0)
      expect(depth).toBe(0)
      expect(cleanName(clean)).toBe(clean)
    }),
  )
})
