import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canBeRead, foldLookAlikes, normaliseLookAlikes } from './username-forms.ts'

test('digits become the letters that they look like', () => {
  expect(normaliseLookAlikes('4DM1N')).toBe('admin')
  expect(normaliseLookAlikes('0123456789')).toBe('oizeas6tbg')
})

describe('a name', () => {
  test('is read with 1 as i and as l, also in one name', () => {
    for (const name of ['pills', 'PILLS', 'p1lls', 'pi11s', 'p1115'])
      expect([name, canBeRead(name, 'pills')]).toEqual([name, true])
    for (const name of ['plils', 'pills2', 'pill', 'piiis', 'xpills'])
      expect([name, canBeRead(name, 'pills')]).toEqual([name, false])
  })

  test('is read with a capital I as l, too [AUTH-20]', () => {
    for (const name of ['heIp', 'HEIP', 'heIpdesk', 'Ieave'])
      expect([name, canBeRead(name, name.replace('I', 'l').toLowerCase())]).toEqual([name, true])
    expect(canBeRead('heip', 'help')).toBe(false)
    expect(canBeRead('my_heIp_desk', 'help', true)).toBe(true)
  })

  test('has parts that are read', () => {
    expect(canBeRead('my_p1115_4u', 'pills', true)).toBe(true)
    expect(canBeRead('spill', 'pills', true)).toBe(false)
  })
})

const name = fc.string({
  unit: fc.constantFrom(...'aeilostzbgAEILOSTZ_0123456789'),
  minLength: 1,
  maxLength: 30,
})
/** Any of the letters of a word may be written as the digit that looks like it. */
const disguised = name.chain((word) => {
  const digits: Record<string, string> = {
    o: '0',
    i: '1',
    l: '1',
    z: '2',
    e: '3',
    a: '4',
    s: '5',
    t: '7',
    b: '8',
    g: '9',
  }
  const spellings = [...normaliseLookAlikes(word)].map((letter) =>
    fc.constantFrom(letter, letter.toUpperCase(), digits[letter] ?? letter),
  )
  return fc.tuple(
    fc.constant(normaliseLookAlikes(word)),
    fc.tuple(...spellings).map((parts) => parts.join('')),
  )
})

describe('whatever letters and digits there are', () => {
  test('reading a name again, or in other letters, changes nothing', () => {
    fc.assert(
      fc.property(name, (text) => {
        const once = normaliseLookAlikes(text)
        expect(normaliseLookAlikes(once)).toBe(once)
        expect(normaliseLookAlikes(text.toUpperCase())).toBe(once)
        expect(once).toHaveLength(text.length)
      }),
    )
  })

  test('a disguised word is found, alone and inside of others', () => {
    fc.assert(
      fc.property(disguised, name, name, ([word, spelled], before, after) => {
        expect(canBeRead(spelled, word)).toBe(true)
        expect(canBeRead(before + spelled + after, word, true)).toBe(true)
        // The database looks for these, and must leave none out.
        expect(foldLookAlikes(before + spelled + after)).toContain(foldLookAlikes(word))
      }),
    )
  })

  test('what is read as a word is as long as it and has its folded letters', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const word = normaliseLookAlikes(other)
        expect(!canBeRead(one, word) || foldLookAlikes(one) === foldLookAlikes(word)).toBe(true)
      }),
    )
  })
})
