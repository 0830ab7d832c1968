import { describe, expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

describe('pace', () => {
  test('works a quarter of the time, and a twentieth while people wait', () => {
    const throttle = createThrottle()
    expect(throttle.next(60, false)).toBe(180)
    expect(throttle.next(60, true)).toBe(1140)
  })

  test('never pauses for longer than 20 seconds, and not at all at full speed', () => {
    expect(createThrottle().next(60_000, true)).toBe(20_000)
    expect(createThrottle(1).next(60, true)).toBe(0)
  })

  test('has batches grow while they are quick, and shrink when they take long, within bounds', () => {
    const throttle = createThrottle()
    const first = throttle.size()
    throttle.next(60, false)
    expect(throttle.size()).toBe(first)
    for (let i = 0; i < 20; i++) throttle.next(1, false)
    expect(throttle.size()).toBe(1000)
    throttle.next(5000, false)
    expect(throttle.size()).toBe(500)
    for (let i = 0; i < 20; i++) throttle.next(5000, false)
    expect(throttle.size()).toBe(20)
  })
})
