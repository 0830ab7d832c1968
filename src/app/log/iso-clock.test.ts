import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIsoClock } from './iso-clock.ts'

test('tells any time as a date does, whatever was told before', () => {
  const near = fc.integer({ min: 1_795_976_440_000, max: 1_795_976_444_000 })
  const far = fc.date({ noInvalidDate: true }).map((date) => date.getTime())
  fc.assert(
    fc.property(fc.array(fc.oneof(near, far)), (times) => {
      let now = 0
      const clock = createIsoClock(() => now)
      for (now of times) expect(clock()).toBe(new Date(now).toISOString())
    }),
  )
})
