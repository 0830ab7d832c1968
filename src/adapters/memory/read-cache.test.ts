import { describe, expect, test } from 'vitest'
import { createToldChanges } from '#test/app/told-changes.ts'
import { createReadCache } from './read-cache.ts'

function setUp({ max = 10 } = {}) {
  let now = 0
  const { changes, change } = createToldChanges()
  const cache = createReadCache<string>({
    clock: { now: () => now },
    changes,
    max,
    freshFor: 5_000,
  })
  let readings = 0
  return {
    /** What is told for `key`, where the database says `value` now. */
    get: (key: string, value: string, changesWith: string[] | null = [`row ${key}`]) =>
      cache.get(key, async () => ({ value: ((readings += 1), value), changesWith })),
    /** A reading that ends when the returned function is called. */
    begin(key: string, value: string) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const told = cache.get(key, async () => {
        await promise
        return { value, changesWith: [`row ${key}`] }
      })
      return { told, end: resolve, fail: reject }
    },
    change,
    pass: (milliseconds: number) => void (now += milliseconds),
    readings: () => readings,
  }
}

describe('what was read', () => {
  test('is told again until what it depends on changes', async () => {
    const { get, change, readings } = setUp()
    expect([await get('a', 'one'), await get('a', 'two')]).toEqual(['one', 'one'])
    change('row b', 'table c')
    expect(await get('a', 'two')).toBe('one')
    change('row a')
    expect(await get('a', 'two')).toBe('two')
    expect(readings()).toBe(2)
  })

  test('is read anew when rows of its kind changed, and nobody says which', async () => {
    const { get, change } = setUp()
    await get('a', 'one')
    await get('b', 'one', ['rows 1'])
    change('row')
    expect([await get('a', 'two'), await get('b', 'two')]).toEqual(['two', 'one'])
  })

  test('is read anew when nobody knows what changed', async () => {
    const { get, change } = setUp()
    await get('a', 'one')
    change()
    expect(await get('a', 'two')).toBe('two')
  })

  test('is read anew after some seconds, whatever was told, and when the clock was set back', async () => {
    const { get, pass } = setUp()
    await get('a', 'one')
    pass(4_999)
    expect(await get('a', 'two')).toBe('one')
    pass(1)
    expect(await get('a', 'two')).toBe('two')
    pass(-60_000)
    expect(await get('a', 'three')).toBe('three')
  })

  test('counts its age from when its reading began', async () => {
    const { get, begin, pass } = setUp()
    const slow = begin('a', 'one')
    pass(4_000)
    slow.end()
    await slow.told
    pass(1_000)
    expect(await get('a', 'two')).toBe('two')
  })

  test('is not kept when anything changed while it was read, and is not told to who asks later', async () => {
    const { get, begin, change } = setUp()
    const early = begin('a', 'before')
    change('row a')
    expect(await get('a', 'after')).toBe('after')
    early.end()
    expect(await early.told).toBe('before')
    expect(await get('a', 'never')).toBe('after')
  })

  test('is read once for all who ask meanwhile, and after a failure by the next', async () => {
    const { get, begin, readings } = setUp()
    const first = begin('a', 'one')
    const second = get('a', 'two')
    first.end()
    expect([await first.told, await second, readings()]).toEqual(['one', 'one', 0])
    const failing = begin('b', 'never')
    failing.fail(new Error('the database is away'))
    await expect(failing.told).rejects.toThrow('away')
    expect(await get('b', 'one')).toBe('one')
  })

  test('is not kept where it says so, and of the rest only so much', async () => {
    const { get } = setUp({ max: 2 })
    await get('a', 'one', null)
    expect(await get('a', 'two')).toBe('two')
    await get('b', 'one')
    await get('c', 'one')
    expect(await get('a', 'three')).toBe('three')
    expect(await get('c', 'two')).toBe('one')
  })
})
