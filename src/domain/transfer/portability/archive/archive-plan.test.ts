import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareIds, idToTime, timeToId } from '#lib/ids.ts'
import { planIds } from './archive-plan.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const item = (line: number, published: number, more: object = {}) => ({
  line,
  offset: 0,
  length: 0,
  published,
  number: null,
  oldId: null,
  salt: 0,
  wasHere: false,
  ...more,
})

test('ids rise with time, then with the old numbers, then as the posts came', () => {
  const second = Date.parse('2020-01-01T00:00:00Z')
  const planned = planIds(
    [
      item(1, second, { number: '12', salt: 9 }),
      item(2, second, { number: '3', salt: 60_000 }),
      item(3, second - 1000),
      item(4, Number.NaN),
      item(5, now + 5000),
      item(6, second + 1000, { salt: 1 }),
      item(7, second + 1000, { salt: 1 }),
    ],
    now,
  )
  expect(planned.map((one) => one.line)).toEqual([3, 2, 1, 6, 7, 5, 4])
  expect(planned.map((one) => one.id)).toEqual(planned.map((one) => one.id).toSorted(compareIds))
  // Nothing comes from the future, where this server's own ids are.
  expect(Math.max(...planned.map((one) => idToTime(one.id)))).toBeLessThan(now)
})

test('an id that is a time stays, unless it is one of this server', () => {
  const id = timeToId(now - 86_400_000 + 123, 4567)
  const published = now - 86_400_000
  expect(planIds([item(1, published, { number: id, oldId: id, salt: 5 })], now)[0]!.id).toBe(id)
  const here = planIds([item(1, published, { number: id, oldId: id, salt: 5, wasHere: true })], now)[0]!.id
  expect([idToTime(here), here === id]).toEqual([published + 123, false])
})

test('no two are the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 65_530, max: 65_535 }))),
      (all) => {
        const planned = planIds(
          all.map(([ms, salt], line) => item(line, ms, { salt })),
          now,
        )
        expect(new Set(planned.map((one) => one.id)).size).toBe(all.length)
        expect(planned.map((one) => one.published)).toEqual(all.map(([ms]) => ms).toSorted((a, b) => a - b))
      },
    ),
  )
})
