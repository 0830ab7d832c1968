import { describe, expect, test } from 'vitest'
import { spread } from './spread.ts'

const at = (hour: string, favourites: number) => ({ hour, favourites, reblogs: 0, replies: 0, quotes: 0 })

describe('spread', () => {
  test('hours without anything stand between those with something', () => {
    const { isByHour, steps } = spread([
      at('2026-02-03T10:00:00.000Z', 2),
      at('2026-02-03T13:00:00.000Z', 1),
    ])!
    expect(isByHour).toBe(true)
    expect(steps.map(({ count }) => count)).toEqual([2, 0, 0, 1])
  })

  test('a longer span is shown by days, and nothing of it is lost', () => {
    const { isByHour, steps } = spread([
      at('2026-02-03T10:00:00.000Z', 2),
      at('2026-02-03T23:00:00.000Z', 3),
      at('2026-02-08T09:00:00.000Z', 4),
    ])!
    expect(isByHour).toBe(false)
    expect(steps.map(({ count }) => count)).toEqual([5, 0, 0, 0, 4])
  })

  test('of nothing there is none', () => {
    expect(spread([])).toBeNull()
  })
})
