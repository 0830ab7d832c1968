import { expect, test } from 'vitest'
import { simulate, type Kind } from './engine.ts'

/** One server of a millisecond that is busy for 0.8 of its time. */
const one = (spread: Kind['spread']): Kind => ({
  name: 'one',
  visits: [{ station: 's', ms: 1 }],
  spread,
  perSecond: 800,
})
const single = { s: { servers: 1, queue: 'shared' } } as const

/** How far a figure of a random run is from what theory says, as a share of it. */
const off = (found: number | undefined, expected: number) => Math.abs((found ?? NaN) / expected - 1)

test('a server with random service takes as long as the formula for M/M/1 says', () => {
  const { kinds, busy } = simulate(single, [one('exponential')], { jobs: 200_000 })
  // 1 / (µ - λ), which is the mean of an exponential distribution.
  expect(off(kinds['one']?.mean, 5)).toBeLessThan(0.05)
  expect(off(kinds['one']?.p50, 5 * Math.log(2))).toBeLessThan(0.05)
  expect(off(kinds['one']?.p99, 5 * Math.log(100))).toBeLessThan(0.1)
  expect(off(busy['s'], 0.8)).toBeLessThan(0.02)
})

test('a server whose service always takes the same is as the formula for M/D/1 says', () => {
  const { kinds } = simulate(single, [one('fixed')], { jobs: 200_000 })
  expect(off(kinds['one']?.mean, 1 + 0.8 / (2 * (1 - 0.8)))).toBeLessThan(0.05)
})

test('several servers of one queue are as the formula for M/M/2 says', () => {
  const kind = { ...one('exponential'), perSecond: 1600 }
  const { kinds } = simulate({ s: { servers: 2, queue: 'shared' } }, [kind], { jobs: 200_000 })
  expect(off(kinds['one']?.mean, 1 / (1 - 0.8 ** 2))).toBeLessThan(0.05)
})

test('clients who ask again at once keep the slowest station busy, and wait for each other', () => {
  const visits = [
    { station: 'node', ms: 2 },
    { station: 'database', ms: 1 },
  ]
  const stations = { node: { servers: 1, queue: 'own' }, database: { servers: 1, queue: 'shared' } } as const
  const { kinds, busy } = simulate(stations, [{ name: 'k', visits, spread: 'fixed', clients: 8 }], {
    jobs: 20_000,
  })
  expect(off(kinds['k']?.perSecond, 500)).toBeLessThan(0.01)
  expect(off(kinds['k']?.mean, 16)).toBeLessThan(0.01)
  expect(off(busy['node'], 1)).toBeLessThan(0.01)
})

test('those who wait for one flush of the disk are served by the next one, all of them', () => {
  const visits = [{ station: 'disk', ms: 10 }]
  const kind: Kind = { name: 'k', visits, spread: 'fixed', perSecond: 5000 }
  const { kinds } = simulate({ disk: { servers: 1, queue: 'together' } }, [kind], { jobs: 50_000 })
  expect(off(kinds['k']?.mean, 15)).toBeLessThan(0.02)
})

test('who comes goes, and the same seed gives the same', () => {
  const kinds: Kind[] = [
    { ...one('exponential'), perSecond: 500 },
    { name: 'many', visits: one('fixed').visits, spread: 'fixed', perSecond: 10, atOnce: 20 },
  ]
  const outcome = simulate(single, kinds, { jobs: 20_000, seed: 7 })
  for (const { started, done } of Object.values(outcome.kinds)) expect(done).toBe(started)
  expect(Object.values(outcome.kinds).reduce((sum, { done }) => sum + done, 0)).toBe(20_000)
  expect(simulate(single, kinds, { jobs: 20_000, seed: 7 })).toEqual(outcome)
  expect(simulate(single, kinds, { jobs: 20_000, seed: 8 })).not.toEqual(outcome)
})
