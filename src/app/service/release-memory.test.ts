import { expect, test } from 'vitest'
import { createRelease } from './release-memory.ts'

const megabyte = 2 ** 20

function start() {
  const state = { utilisation: 1, heap: 100 * megabyte, collected: 0, now: 0 }
  const usage = { utilisation: () => state.utilisation, heap: () => state.heap, now: () => state.now }
  const release = createRelease(usage, () => {
    state.collected++
    state.heap = 60 * megabyte
    state.now += 300
  })
  /** Looks for so many seconds, twice in each. */
  const wait = (seconds: number) => {
    for (let looks = 0; looks < 2 * seconds; looks++) {
      state.now += 500
      release()
    }
  }
  return { state, wait }
}

test('what only the start took is given back, even while there is work', () => {
  const { state, wait } = start()
  wait(0.5)
  expect(state.collected).toBe(1)
})

test('what requests took is given back when there is no more work, once', () => {
  const { state, wait } = start()
  wait(0.5)
  Object.assign(state, { heap: 120 * megabyte, utilisation: 0.5 })
  wait(60)
  expect(state.collected).toBe(1)
  state.utilisation = 0.01
  wait(60)
  expect(state.collected).toBe(2)
})

test('who comes every few seconds pays three hundredths for it at most', () => {
  const { state, wait } = start()
  wait(0.5)
  state.utilisation = 0
  for (let rush = 0; rush < 60; rush++) {
    state.heap = 120 * megabyte
    wait(1)
  }
  expect(state.collected).toBe(1 + 6)
})

test('a heap that has hardly grown is left alone', () => {
  const { state, wait } = start()
  wait(0.5)
  Object.assign(state, { heap: 70 * megabyte, utilisation: 0 })
  wait(60)
  expect(state.collected).toBe(1)
})
