import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bare, chunk, groupBy, isOneOf, keyBy, unique } from './collections.ts'

describe('collections', () => {
  test('groups keep order', () => {
    const groups = groupBy([3, 1, 4, 1, 5], (number) => number % 2)
    expect([...groups]).toEqual([
      [1, [3, 1, 1, 5]],
      [0, [4]],
    ])
  })

  test('what inherits nothing takes any name for its own, and gives none to others', () => {
    const names = ['__proto__', 'constructor', 'toString', 'id']
    const object = bare<Record<string, string>>()
    expect(names.filter((name) => name in object)).toEqual([])
    for (const name of names) object[name] = name
    expect([Object.keys(object), JSON.parse(JSON.stringify(object))['id']]).toEqual([names, 'id'])
    expect(names.filter((name) => name in bare())).toEqual([])
  })

  test('keyBy keeps the last of a key', () => {
    const map = keyBy(
      [
        { id: 'a', n: 1 },
        { id: 'b', n: 2 },
        { id: 'a', n: 3 },
      ],
      ({ id }) => id,
    )
    expect(map.get('a')?.n).toBe(3)
    expect(map.size).toBe(2)
  })

  test('unique keeps the first, by value or by key', () => {
    expect(unique([2, 1, 2, 3, 1])).toEqual([2, 1, 3])
    expect(unique(['a', 'A', 'b'], (text) => text.toLowerCase())).toEqual(['a', 'b'])
    expect(unique([undefined, undefined])).toEqual([undefined])
  })

  test('chunks join to the whole and none is too long', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 10 }), (items, size) => {
        const chunks = chunk(items, size)
        expect(chunks.flat()).toEqual(items)
        expect(chunks.slice(0, -1).every((part) => part.length === size)).toBe(true)
        expect(chunks.every((part) => part.length > 0)).toBe(true)
      }),
    )
    expect(() => chunk([1], 0)).toThrow(RangeError)
  })

  test('isOneOf', () => {
    const options = ['public', 'private'] as const
    expect(isOneOf(options, 'private')).toBe(true)
    expect(isOneOf(options, 'toString')).toBe(false)
    expect(isOneOf(options, null)).toBe(false)
  })
})
