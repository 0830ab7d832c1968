import { describe, expect, test } from 'vitest'
import { createToldChanges } from '#test/app/told-changes.ts'
import { asId, type StatusId } from '#lib/id.ts'
import { createRowCache } from './row-cache.ts'

const ids = (...numbers: number[]) => numbers.map((number) => asId<StatusId>(String(number)))

function setUp({ max = 10 } = {}) {
  let now = 0
  const { changes, change } = createToldChanges()
  const cache = createRowCache<StatusId, { value: string }>({
    clock: { now: () => now },
    changes,
    kinds: ['status', 'stats'],
    max,
    freshFor: 5_000,
  })
  const asked: string[][] = []
  return {
    asked,
    /** What is told of these, where the database says `value` of each. */
    async get(value: string, ...numbers: number[]) {
      const rows = await cache.getMany(ids(...numbers), async (missing) => {
        asked.push([...missing])
        return new Map(missing.map((id) => [id, { value }]))
      })
      return [...rows].map(([id, row]) => `${id} ${row.value}`).toSorted()
    },
    /** A reading that ends when the returned function is called. */
    begin(value: string, ...numbers: number[]) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const told = cache.getMany(ids(...numbers), async (missing) => {
        await promise
        return new Map(missing.map((id) => [id, { value }]))
      })
      return { told, end: resolve, fail: reject }
    },
    peek: (number: number) => cache.peek(ids(number)[0] as StatusId)?.value,
    change,
    pass: (milliseconds: number) => void (now += milliseconds),
  }
}

describe('rows', () => {
  test('are kept one by one, and only those that are not are asked for', async () => {
    const { get, asked } = setUp()
    expect(await get('one', 1, 2)).toEqual(['1 one', '2 one'])
    expect(await get('two', 1, 2, 3)).toEqual(['1 one', '2 one', '3 two'])
    expect(await get('three', 1, 2, 3)).toEqual(['1 one', '2 one', '3 two'])
    expect(asked).toEqual([['1', '2'], ['3']])
  })

  test('are dropped by what is told of them under any of their kinds, and of no other', async () => {
    const { get, change } = setUp()
    await get('old', 1, 2, 3)
    change('stats 1', 'account 2', 'status 3', 'roles')
    expect(await get('new', 1, 2, 3)).toEqual(['1 new', '2 old', '3 new'])
  })

  test.each([[[]], [['status']]])('are all dropped by %j', async (names) => {
    const { get, change } = setUp()
    await get('old', 1, 2)
    change(...names)
    expect(await get('new', 1, 2)).toEqual(['1 new', '2 new'])
  })

  test('that changed while they were being read are not kept, the others of the reading are', async () => {
    const { begin, change, peek } = setUp()
    const { told, end } = begin('old', 1, 2)
    change('status 1')
    end()
    expect((await told).size).toBe(2)
    expect([peek(1), peek(2)]).toEqual([undefined, 'old'])
  })

  test('none is kept of a reading during which anything may have changed', async () => {
    const { begin, change, peek } = setUp()
    const { told, end } = begin('old', 1)
    change()
    end()
    await told
    expect(peek(1)).toBeUndefined()
  })

  test('a reading that fails keeps nothing, and the next one is asked', async () => {
    const { begin, get } = setUp()
    const { told, fail } = begin('old', 1)
    fail(new Error('no database'))
    await expect(told).rejects.toThrow('no database')
    expect(await get('new', 1)).toEqual(['1 new'])
  })

  test('are used for as long as they are fresh, counted from the begin of their reading', async () => {
    const { begin, pass, peek, get } = setUp()
    const { told, end } = begin('old', 1)
    pass(3_000)
    end()
    await told
    pass(1_999)
    expect(peek(1)).toBe('old')
    pass(1)
    expect(peek(1)).toBeUndefined()
    expect(await get('new', 1)).toEqual(['1 new'])
  })

  test('are no more than the bound', async () => {
    const { get, peek } = setUp({ max: 2 })
    await get('one', 1, 2, 3)
    expect([peek(1), peek(2), peek(3)].filter(Boolean)).toHaveLength(2)
  })
})
