import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keepJson, lazyObject } from './kept-json.ts'

const names = { a: true, b: true, content: true, ünd: true } as const
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const parts = fc.record(
  { a: json, b: json, content: fc.string({ unit: 'binary' }), ünd: json },
  { requiredKeys: ['content'] },
)

describe('an object that is kept as its JSON', () => {
  test('is read as it was, and its JSON is how one begins that has more members', () => {
    fc.assert(
      fc.property(parts, (value) => {
        const kept = keepJson(value)
        expect(kept.read()).toEqual(JSON.parse(JSON.stringify(value)))
        expect(`${Buffer.from(kept.opening).toString()}"more":1}`).toBe(JSON.stringify({ ...value, more: 1 }))
      }),
    )
  })

  test('takes no more memory than it is long', () => {
    const { opening } = keepJson({ id: 2, name: 'short' })
    expect(opening.buffer.byteLength).toBe(opening.length)
  })
})

/** Ways of looking at an object, each of which has to find the same as in one that has had all members from the start. */
const looks: readonly ((value: Record<string, unknown>) => unknown)[] = [
  (value) => ({ ...value }),
  (value) => JSON.parse(JSON.stringify(value)) as unknown,
  (value) => Object.keys(value).toSorted(),
  (value) => new Map(Object.entries(value)),
  (value) => ['a', 'b', 'content', 'known', 'other', 'then'].map((name) => [name in value, value[name]]),
  (value) => Object.getOwnPropertyDescriptor(value, 'content'),
  (value) => Object.hasOwn(value, 'content'),
  ({ content, ...rest }) => [content, rest],
  (value) => structuredClone({ ...value }),
]

describe('an object that is completed when somebody looks', () => {
  test.each(looks.map((look, n) => [n, look] as const))('is as any other: look %i', (_, look) => {
    fc.assert(
      fc.property(parts, json, (rest, known) => {
        const lazy = lazyObject<Record<string, unknown>, Record<string, unknown>>({ known }, names, {
          read: () => rest,
        })
        expect(look(lazy)).toEqual(look({ known, ...rest }))
        // And once more, when it is complete.
        expect(look(lazy)).toEqual(look({ known, ...rest }))
      }),
      { numRuns: 30 },
    )
  })

  test('reads once, and not for what it has or cannot have', async () => {
    let reads = 0
    const rest = { read: () => ({ content: `read ${++reads}` }) }
    const lazy = lazyObject<{ known: number }, { content: string }>({ known: 1 }, { content: true }, rest)
    const { kind } = (await lazy) as unknown as { kind?: unknown }
    expect([lazy.known, kind, 'kind' in lazy, reads]).toEqual([1, undefined, false, 0])
    expect([lazy.content, lazy.content, Object.keys(lazy)]).toEqual([
      'read 1',
      'read 1',
      ['known', 'content'],
    ])
  })
})
