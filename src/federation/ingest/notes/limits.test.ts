import { expect, test } from 'vitest'
import { maxParents, quotedDepth } from './limits.ts'

/** Fetches that follow from a status at this depth when every one there is answers one and quotes another. */
function fetches(depth: number): number {
  if (depth >= maxParents) return 0
  const quoted = quotedDepth(depth)
  return 1 + fetches(depth + 1) + (quoted <= maxParents ? 1 + fetches(quoted) : 0)
}

test('threads and quotes that lead on and on to each other do not multiply [FED-47]', () => {
  expect(fetches(0)).toBeGreaterThan(maxParents)
  expect(fetches(0)).toBeLessThan(400)
})
