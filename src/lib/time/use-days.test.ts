import { expect, test } from 'vitest'
import { idToTime } from '../ids.ts'
import { dayStart, fillWeek, weekStart } from './use-days.ts'
import { asId, type TagId } from '#lib/id.ts'

const now = Date.parse('2026-03-10T13:30:00Z')

test('days begin at midnight UTC', () => {
  const of = (id: string) => new Date(idToTime(id)).toISOString()
  expect(of(dayStart(now, 0))).toBe('2026-03-10T00:00:00.000Z')
  expect(of(dayStart(now, 1))).toBe('2026-03-09T00:00:00.000Z')
  expect(of(dayStart(now, -1))).toBe('2026-03-11T00:00:00.000Z')
  expect(of(weekStart(now))).toBe('2026-03-04T00:00:00.000Z')
  expect(dayStart(Date.parse('2026-03-10T00:00:00Z'), 0)).toBe(dayStart(now, 0))
})

test('a week has seven days, today first, whatever was used', () => {
  const today = Math.floor(now / 86_400_000)
  const rows = [
    { id: asId<TagId>('1'), day: today, uses: 3, accounts: 2 },
    { id: asId<TagId>('1'), day: today - 6, uses: 1, accounts: 1 },
    { id: asId<TagId>('2'), day: today - 1, uses: 9, accounts: 4 },
  ]
  const weeks = fillWeek([asId<TagId>('1'), asId<TagId>('2'), asId<TagId>('3')], rows, now)
  expect(weeks.get(asId<TagId>('1'))?.map(({ uses }) => uses)).toEqual([3, 0, 0, 0, 0, 0, 1])
  expect(weeks.get(asId<TagId>('2'))?.map(({ accounts }) => accounts)).toEqual([0, 4, 0, 0, 0, 0, 0])
  expect(weeks.get(asId<TagId>('3'))).toHaveLength(7)
  expect(
    weeks.get(asId<TagId>('3'))?.map(({ day }) => new Date(day * 1000).toISOString().slice(0, 10)),
  ).toEqual([
    '2026-03-10',
    '2026-03-09',
    '2026-03-08',
    '2026-03-07',
    '2026-03-06',
    '2026-03-05',
    '2026-03-04',
  ])
})
