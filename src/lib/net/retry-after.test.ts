import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

test.each([
  ['120', now + 120_000],
  [' 0 ', now],
  ['Sun, 01 Mar 2026 12:05:00 GMT', now + 300_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', now],
  ['soon', null],
  ['-5 minutes', null],
  ['-5', null],
  ['1.5', null],
  ['2026-03-01', null],
  ['', null],
  [null, null],
])('%j', (field, time) => {
  expect(readRetryAfter(field, now)).toBe(time)
})
