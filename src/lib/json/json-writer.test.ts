import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lendJson, writeJson, type LentJson } from './json-writer.ts'

const write = (letter: string, length: number) => {
  const bytes = Buffer.alloc(length, letter)
  return (out: { bytes(json: Uint8Array): void }) => out.bytes(bytes)
}
/** What is copied needs no giving back. */
function lend(letter: string, length: number): LentJson {
  const json = lendJson(write(letter, length)) as LentJson | Uint8Array<ArrayBuffer>
  return json instanceof Uint8Array ? { bytes: json, giveBack() {} } : json
}

/** Something is lent or copied, or the oldest of what is lent is given back, free or not. */
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('lend', 'copy'),
    letter: fc.constantFrom(...'abcdefgh'),
    length: fc.oneof(
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: 100_000, max: 150_000 }),
      fc.integer({ min: 520_000, max: 540_000 }),
    ),
  }),
  fc.record({ kind: fc.constant('back'), free: fc.boolean() }),
)

describe('bytes that lie where they were written', () => {
  test('stay as they are until they are given back, whatever is written meanwhile', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const held: { json: LentJson; expected: Buffer }[] = []
        try {
          for (const one of steps) {
            if ('free' in one) held.shift()?.json.giveBack(one.free)
            else if (one.kind === 'copy') writeJson(write(one.letter, one.length))
            else {
              const expected = Buffer.alloc(one.length, one.letter)
              held.push({ json: lend(one.letter, one.length), expected })
            }
            for (const { json, expected } of held) expect(expected.equals(json.bytes)).toBe(true)
          }
        } finally {
          for (const { json } of held) json.giveBack(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('make room for the next ones when they are given back, unless somebody may read them yet', () => {
    const first = lend('a', 20_000)
    const { buffer } = first.bytes
    first.giveBack(true)
    lend('b', 20_000).giveBack(true)
    const third = lend('c', 20_000)
    expect(third.bytes.buffer).toBe(buffer)
    third.giveBack(false)
    const later = Array.from({ length: 6 }, () => lend('d', 20_000))
    expect(later.map(({ bytes }) => bytes.buffer)).not.toContain(buffer)
    for (const json of later) json.giveBack(true)
  })

  test('are copied where they are short, many or very long: a slow reader holds no more than what it reads', () => {
    const many = Array.from({ length: 30 }, () => lend('a', 20_000))
    const apart = many.filter(({ bytes }) => bytes.buffer.byteLength > 20_000)
    expect(apart).toHaveLength(8)
    const short = lend('b', 100)
    expect(short.bytes.buffer.byteLength).toBe(100)
    for (const json of [...many, short]) json.giveBack(true)
    const long = lend('d', 540_000)
    expect(long.bytes.buffer.byteLength).toBe(540_000)
    const again = lend('c', 20_000)
    expect(again.bytes.buffer.byteLength).toBeGreaterThan(20_000)
    again.giveBack(true)
  })
})
