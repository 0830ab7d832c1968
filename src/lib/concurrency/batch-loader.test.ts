import { describe, expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

/** Doubles numbers, refuses negative ones, and notes what it was given together. */
function doubling(max = 10) {
  const taken: number[][] = []
  const double = createBatchLoader({
    max,
    async run(_scope: object, items: readonly number[]) {
      taken.push([...items])
      await new Promise(setImmediate)
      if (items.some((item) => item < 0)) throw new Error('negative')
      return items.map((item) => item * 2)
    },
  })
  return { taken, double }
}

describe('createBatchLoader', () => {
  test('takes calls of one turn together and gives each its own answer', async () => {
    const { taken, double } = doubling()
    const scope = {}
    expect(await Promise.all([1, 2, 3].map((item) => double(scope, item)))).toEqual([2, 4, 6])
    expect(taken).toEqual([[1, 2, 3]])
    expect(await double(scope, 4)).toBe(8)
    expect(taken).toEqual([[1, 2, 3], [4]])
  })

  test('takes those that come meanwhile together afterwards, and never more than `max`', async () => {
    const { taken, double } = doubling(2)
    const scope = {}
    const first = double(scope, 1)
    await new Promise(setImmediate)
    const others = [2, 3, 4].map((item) => double(scope, item))
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8])
    expect(taken).toEqual([[1], [2, 3], [4]])
  })

  test('does each by itself when they fail together', async () => {
    const { taken, double } = doubling()
    const scope = {}
    const results = await Promise.allSettled([1, -1, 3].map((item) => double(scope, item)))
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      2,
      'failed',
      6,
    ])
    expect(taken).toEqual([[1, -1, 3], [1], [-1], [3]])
    expect(await double(scope, 5)).toBe(10)
  })

  test('keeps scopes apart', async () => {
    const { taken, double } = doubling()
    await Promise.all([double({}, 1), double({}, 2)])
    expect(taken).toEqual([[1], [2]])
  })

  test('fails for all at once where a failure is that of all, and goes on afterwards', async () => {
    let fails = true
    const taken: number[][] = []
    const write = createBatchLoader<object, number, void>({
      max: 10,
      failsTogether: true,
      async run(_, items) {
        taken.push([...items])
        if (fails) throw new Error('away')
        return []
      },
    })
    const scope = {}
    const results = await Promise.allSettled([write(scope, 1), write(scope, 2)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    await write(scope, 3)
    expect(taken).toEqual([[1, 2], [3]])
  })
})
