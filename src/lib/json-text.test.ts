import { describe, expect, test } from 'vitest'
import { keptMembers, membersToJson, toJson, withText } from './json-text.ts'

describe('JSON of known parts', () => {
  test.each([
    null,
    undefined,
    3,
    'a "quoted"   text \ud800',
    [],
    [1, null, undefined],
    [{ a: 1 }, null, undefined, { b: undefined }],
    { a: undefined, b: [], c: {}, d: null, e: Number.NaN, 'f"g': true, when: new Date(0) },
    { deep: { deeper: { deepest: { far: { further: [{ x: 1 }] } } } } },
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key${i}`, i])),
    new Map([[1, 2]]),
  ])('is the same as without any: %j', (value) => {
    expect(toJson(value)).toBe(JSON.stringify(value))
  })

  test('is what the parts say, wherever they stand, and copies are written anew', () => {
    const made = { id: 1, name: 'of its own' }
    const part = withText(
      { ...made, count: 2 },
      () => `{${keptMembers(made)},${membersToJson({ count: 2 })}}`,
    )
    const whole = { status: part, list: [part], quote: { quoted: part }, copy: { ...part, count: 3 } }
    expect(toJson([whole])).toBe(JSON.stringify([whole]))
    const marked = withText({ a: 1 }, () => '"written"')
    expect(toJson({ status: marked, copy: { ...marked } })).toBe('{"status":"written","copy":{"a":1}}')
  })
})
