import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.ts'

test('ends with the work, however that ends, and does not wait for work that takes too long', async () => {
  expect(await withTimeout(10_000, Promise.resolve('done'))).toBe(true)
  expect(await withTimeout(10_000, Promise.reject(new Error('broken')))).toBe(true)
  expect(await withTimeout(1, new Promise(() => {}))).toBe(false)
})
