import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareIds, createIdGenerator, idToTime, isId, timeToId } from './ids.ts'

const start = Date.UTC(2026, 0, 1)

describe('createIdGenerator', () => {
  test('puts time, node and counter into the id', () => {
    const next = createIdGenerator({ now: () => start, node: 5 })
    expect(next()).toBe(String(BigInt(start) * 65536n + 5n * 1024n))
    expect(next()).toBe(String(BigInt(start) * 65536n + 5n * 1024n + 1n))
  })

  test('rises strictly whatever the clock does, and stays above the floor', () => {
    const clock = fc.array(fc.integer({ min: start - 50, max: start + 50 }), { minLength: 1, maxLength: 200 })
    const low = fc.integer({ min: 0, max: 65535 })
    fc.assert(
      fc.property(clock, fc.integer({ min: 0, max: 63 }), low, (times, node, floorLow) => {
        let step = 0
        const floor = timeToId(start, floorLow)
        const next = createIdGenerator({ now: () => times[step++ % times.length]!, node, floor })
        let last = floor
        for (let index = 0; index < times.length * 2; index += 1) {
          const id = next()
          expect(compareIds(id, last)).toBeGreaterThan(0)
          expect(Number((BigInt(id) >> 10n) & 63n)).toBe(node)
          last = id
        }
      }),
    )
  })

  test('borrows the next millisecond after 1024 ids, and gives no id twice', () => {
    const next = createIdGenerator({ now: () => start, node: 63 })
    const ids = Array.from({ length: 3000 }, next)
    expect(new Set(ids).size).toBe(3000)
    expect(ids.toSorted(compareIds)).toEqual(ids)
    expect(idToTime(ids[1023]!)).toBe(start)
    expect(idToTime(ids[1024]!)).toBe(start + 1)
  })

  test('two nodes never collide', () => {
    const a = createIdGenerator({ now: () => start, node: 0 })
    const b = createIdGenerator({ now: () => start, node: 1 })
    const ids = Array.from({ length: 1500 }, () => [a(), b()]).flat()
    expect(new Set(ids).size).toBe(3000)
  })

  test('refuses a bad node or floor', () => {
    expect(() => createIdGenerator({ now: Date.now, node: 64 })).toThrow(RangeError)
    expect(() => createIdGenerator({ now: Date.now, node: 0, floor: 'x' })).toThrow(RangeError)
  })
})

describe('ids', () => {
  test('time and id convert both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 46 }), fc.integer({ min: 0, max: 65535 }), (ms, low) => {
        expect(idToTime(timeToId(ms, low))).toBe(ms)
        expect(compareIds(timeToId(ms), timeToId(ms, low))).toBeLessThanOrEqual(0)
        expect(compareIds(timeToId(ms, low), timeToId(ms + 1))).toBeLessThan(0)
      }),
    )
    expect(timeToId(-5)).toBe('0')
  })

  test('compareIds is the order of the numbers', () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIds(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  test('isId takes what fits a signed 64-bit column', () => {
    for (const good of ['0', '1', '9223372036854775807']) expect(isId(good)).toBe(true)
    const bad = [
      '',
      '-1',
      '1.0',
      '1e5',
      ' 1',
      '9223372036854775808',
      '99999999999999999999',
      '१',
      '1\n',
      1,
      null,
    ]
    for (const value of bad) expect(isId(value)).toBe(false)
  })
})
