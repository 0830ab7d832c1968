import { expect, test } from 'vitest'
import { costsItsLength } from './growth-of-requests.ts'

test('a request that costs its length is told from one that costs its square', async () => {
  let passed = 0
  const asks = (cost: (length: number) => number) => async (text: string) =>
    void (passed += cost(text.length))
  const isRight = (cost: (length: number) => number) =>
    costsItsLength('a'.repeat(1_000), asks(cost), () => passed)
  expect(await isRight((length) => length)).toBe(true)
  expect(await isRight((length) => 500 + length)).toBe(true)
  expect(await isRight((length) => length ** 2 / 1_000)).toBe(false)
})
