import { expect, test } from 'vitest'
import { formatCoarse, formatDate, formatTime } from './time.ts'

const lateEvening = Date.UTC(2026, 0, 1, 23, 59, 58, 7)

test('times, dates and coarse times are UTC', () => {
  expect(formatTime(Date.UTC(2026, 0, 1))).toBe('2026-01-01T00:00:00.000Z')
  expect(formatTime(new Date(lateEvening))).toBe('2026-01-01T23:59:58.007Z')
  expect(formatDate(lateEvening)).toBe('2026-01-01')
  expect(formatCoarse(new Date(lateEvening))).toBe('2026-01-01T00:00:00.000Z')
  expect(formatCoarse(-1)).toBe('1969-12-31T00:00:00.000Z')
})

test('an invalid date is an error, not a text', () => {
  expect(() => formatTime(Number.NaN)).toThrow(RangeError)
  expect(() => formatDate(new Date('never'))).toThrow(RangeError)
})
