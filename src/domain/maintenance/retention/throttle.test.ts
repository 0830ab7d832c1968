import { describe, expect, test } from 'vitest'
import { createPace } from './throttle.ts'

describe('pace', () => {
  test('works a quarter of the time, and a twentieth while people wait', () => {
    const pace = createPace()
    expect(pace.next(60, false)).toBe(180)
    expect(pace.next(60, true)).toBe(1140)
  })

  test('never pauses for longer than 20 seconds, and not at all at full speed', () => {
    expect(createPace().next(60_000, true)).toBe(20_000)
    expect(createPace(1).next(60, true)).toBe(0)
  })

  test('has batches grow while they are quick, and shrink when they take long, within bounds', () => {
    const pace = createPace()
    const first = pace.size()
    pace.next(60, false)
    expect(pace.size()).toBe(first)
    for (let i = 0; i < 20; i++) pace.next(1, false)
    expect(pace.size()).toBe(1000)
    pace.next(5000, false)
    expect(pace.size()).toBe(500)
    for (let i = 0; i < 20; i++) pace.next(5000, false)
    expect(pace.size()).toBe(20)
  })
})
