import { describe, expect, test } from 'vitest'
import { keptOpening, toJson, withJson, writeMembers } from './json-text.ts'

const written = (value: unknown) => {
  const json = toJson(value)
  return typeof json === 'object' ? Buffer.from(json).toString() : json
}

describe('JSON of known parts', () => {
  test.each([
    null,
    undefined,
    3,
    'a "quoted"   text \ud800',
    [],
    [1, null, undefined],
    [{ a: 1 }, null, undefined, { b: undefined }],
    [{ a: 1 }, { b: { c: [{ d: [] }] } }],
    [[], [[]], { e: {} }],
    { a: undefined, b: [], c: {}, d: null, e: Number.NaN, 'f"g': true, when: new Date(0) },
    { deep: { deeper: { deepest: { far: { further: [{ x: 1 }] } } } } },
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key${i}`, i])),
    new Map([[1, 2]]),
  ])('is the same as without any: %j', (value) => {
    expect(written(value)).toBe(JSON.stringify(value))
  })

  test('is what the parts say, wherever they stand, and copies are written anew', () => {
    const made = { id: 1, name: 'of its öwn 🪨' }
    const part = withJson(
      { ...made, count: 2 },
      {
        writeTo(out) {
          out.bytes(keptOpening(made))
          writeMembers(out, { count: 2 })
          out.text('}')
        },
      },
    )
    const whole = { status: part, list: [part], quote: { quoted: part }, copy: { ...part, count: 3 } }
    expect(written([whole])).toBe(JSON.stringify([whole]))
    const marked = withJson({ a: 1 }, { writeTo: (out) => out.text('"written"') })
    expect(written({ status: marked, copy: { ...marked } })).toBe('{"status":"written","copy":{"a":1}}')
  })

  test('what is kept takes no more memory than it is long', () => {
    const kept = keptOpening({ id: 2, name: 'short' })
    expect(kept.buffer.byteLength).toBe(kept.length)
  })
})
