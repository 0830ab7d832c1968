import { expect, test } from 'vitest'
import { simulate } from './engine.ts'
import figures from './figures.json' with { type: 'json' }
import { kindsOf, loadOf, planOf, stationsOf } from './model.ts'

test('what a plan has is as busy as the load that it was made for, and no busier than it may be', () => {
  for (const size of figures.sizes) {
    const plan = planOf(size)
    const load = loadOf(kindsOf(size, plan.replicas > 0))
    for (const [station, servers] of [
      ['web', plan.web],
      ['worker', plan.workers],
      ['database', plan.databaseCores],
    ] as const)
      expect((load[station] ?? 0) / servers).toBeLessThanOrEqual(figures.machines.busy)
  }
})

test('in the simulation servers are as busy as the sum of what comes', () => {
  const size = figures.sizes[2]!
  const [plan, kinds] = [planOf(size), kindsOf(size, false)]
  const { busy } = simulate(stationsOf(plan), kinds, { jobs: 40_000 })
  const load = loadOf(kinds)
  expect(busy['web']).toBeCloseTo((load['web'] ?? 0) / plan.web, 1)
  expect(busy['database']).toBeCloseTo((load['database'] ?? 0) / plan.databaseCores, 1)
})

test('a replica takes over what lists ask, and no writes', () => {
  const size = figures.sizes.at(-1)!
  const [without, withReplicas] = [kindsOf(size, false), kindsOf(size, true)].map(loadOf)
  expect(withReplicas?.['database']).toBeLessThan(without?.['database'] ?? 0)
  expect(withReplicas?.['worker']).toBe(without?.['worker'])
  expect(without?.['replicas']).toBe(0)
})
