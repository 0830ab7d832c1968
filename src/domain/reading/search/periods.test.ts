import { expect, test } from 'vitest'
import { boundsOf } from './periods.ts'

const told = (text: string, zone: string | null) => {
  const [year, month = null, day = null] = text.split('-').map(Number)
  const { start, end } = boundsOf({ year: year as number, month, day }, zone)
  return [start, end].map((time) => new Date(time).toISOString().slice(0, 16))
}

test.each([
  ['2024', null, '2024-01-01T00:00', '2025-01-01T00:00'],
  ['2024-12', null, '2024-12-01T00:00', '2025-01-01T00:00'],
  ['2024-02-28', null, '2024-02-28T00:00', '2024-02-29T00:00'],
  ['2024-07-01', 'Europe/Berlin', '2024-06-30T22:00', '2024-07-01T22:00'],
  // The day on which clocks go forward has 23 hours.
  ['2024-03-31', 'Europe/Berlin', '2024-03-30T23:00', '2024-03-31T22:00'],
  ['2024-01-01', 'Pacific/Auckland', '2023-12-31T11:00', '2024-01-01T11:00'],
  ['2024-11-03', 'America/Los_Angeles', '2024-11-03T07:00', '2024-11-04T08:00'],
  ['2024-01-01', 'Nowhere/Land', '2024-01-01T00:00', '2024-01-02T00:00'],
  ['0050', null, '0050-01-01T00:00', '0051-01-01T00:00'],
])('%s in %s', (text, zone, start, end) => {
  expect(told(text, zone)).toEqual([start, end])
})
