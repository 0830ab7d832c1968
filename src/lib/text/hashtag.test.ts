import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractHashtags, isHashtag, normaliseHashtag } from './hashtag.ts'
import { runs } from '#test/run/night.ts'

const displays = (text: string) => extractHashtags(text).map(({ display }) => display)

describe('extractHashtags', () => {
  test.each([
    ['#tag', ['tag']],
    ['a #Tag, (#b) "#c"\n#d. ＃全角', ['Tag', 'b', 'c', 'd', '全角']],
    ['#日本語 #العربية #हिन्दी #ไทย #Ünïcode', ['日本語', 'العربية', 'हिन्दी', 'ไทย', 'Ünïcode']],
    ['#col·lecció #タグ・名 #می\u200cخواهم', ['col·lecció', 'タグ・名', 'می\u200cخواهم']],
    ['#tag· #tag・ #·tag', ['tag', 'tag']],
    ['#123 #1 #2026年 #4k #1_2 #_ #__ #12_', ['2026年', '4k', '1_2']],
    ['a#b /#c )#d é#e #f#g ##h #', ['f', 'h']],
    ['❤️#love 😀#smile', ['love', 'smile']],
    ['#️⃣ 1️⃣ #️⃣a', []],
    ['https://example.com/#frag https://example.com/?a,#b', []],
    ["#a-b #c.d #don't", ['a', 'c', 'don']],
    ['&#39; x&#x27;', ['x27']],
  ])('%j', (text, expected) => expect(displays(text)).toEqual(expected))

  test('gives the normal form and the place', () => {
    expect(extractHashtags('x #Éa')).toEqual([{ name: 'ea', display: 'Éa', start: 2, end: 5 }])
  })

  test('every tag found is one by itself, and stays one when normalised', () => {
    const unit = fc.constantFrom(...'aÉß日1_·\u200c\u0301#＃/) .ﬁＡ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        for (const { display, name, start, end } of extractHashtags(text)) {
          expect(text.slice(start + 1, end)).toBe(display)
          expect(isHashtag(display)).toBe(true)
          expect(name).toBe(normaliseHashtag(display))
          expect(displays(`#${name}`)).toEqual([name])
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('normaliseHashtag', () => {
  test.each([
    ['Tag', 'tag'],
    ['#Tag', 'tag'],
    ['ＦｕｌｌＷｉｄｔｈ', 'fullwidth'],
    ['ﾊﾝｶｸ', 'ハンカク'],
    ['Crème', 'creme'],
    ['Łódź', 'lodz'],
    ['Ǿre', 'ore'],
    ['Đặng', 'dang'],
    ['İstanbul', 'istanbul'],
    ['n\u0308a', 'na'],
    ['Straße', 'straße'],
    ['Привет', 'привет'],
    ['が', 'が'],
    ['a b-c', 'abc'],
    ['!!', ''],
  ])('%s is %s', (name, expected) => expect(normaliseHashtag(name)).toBe(expected))

  test('twice is the same as once, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = normaliseHashtag(text)
        expect(normaliseHashtag(name)).toBe(name)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('twice is the same as once, for every character', () => {
    const unstable: string[] = []
    for (let code = 0; code <= 0x2ffff; code += 1) {
      const name = normaliseHashtag(`a${String.fromCodePoint(code)}`)
      if (normaliseHashtag(name) !== name) unstable.push(code.toString(16))
    }
    expect(unstable).toEqual([])
  })
})

test('isHashtag', () => {
  for (const name of ['a', 'A_1', '日本', 'a·b', 'é']) expect(isHashtag(name)).toBe(true)
  for (const name of ['', '1', '#a', 'a b', '·a', 'a·', 'a/b', 'a\n', '_'])
    expect(isHashtag(name)).toBe(false)
})
