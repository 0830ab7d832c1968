import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('Canonical JSON', () => {
  test('is that of RFC 8785, sections 3.2.2 and 3.2.3', () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
    expect(
      Object.values(JSON.parse(canonicalJson(Object.entries(names).map(([name]) => name)))),
    ).toHaveLength(7)
    expect(canonicalJson(names)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    )
  })

  test('says the same, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text)
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        const reversed: unknown = JSON.parse(text, (_, member: unknown) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).toReversed())
            : member,
        )
        expect(canonicalJson(reversed)).toBe(canonicalJson(value))
      }),
    )
  })

  test('leaves out what is undefined, and keeps odd names', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"":2}'))).toBe('{"":2,"__proto__":{"x":1}}')
  })

  test('is refused for what is no JSON', () => {
    for (const value of [Number.NaN, Infinity, '\ud800', { '\udc00': 1 }, [undefined], 1n, () => 1]) {
      expect(() => canonicalJson(value)).toThrow(TypeError)
    }
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown
    expect(() => canonicalJson(deep)).toThrow('too deeply')
  })
})
