import { expect, test } from 'vitest'
import { createRelease } from './release-memory.ts'

const megabyte = 2 ** 20

function start() {
  const state = { utilisation: 1, heap: 100 * megabyte, collected: 0 }
  const look = createRelease({ utilisation: () => state.utilisation, heap: () => state.heap }, () => {
    state.collected++
    state.heap = 60 * megabyte
  })
  const looks = (count: number) => Array.from({ length: count }).forEach(look)
  return { state, look, looks }
}

test('what only the start took is given back, even while there is work', () => {
  const { state, look } = start()
  look()
  expect(state.collected).toBe(1)
})

test('what requests took is given back when there is no more work, once', () => {
  const { state, look, looks } = start()
  look()
  Object.assign(state, { heap: 120 * megabyte, utilisation: 0.5 })
  looks(10)
  expect(state.collected).toBe(1)
  state.utilisation = 0.01
  looks(10)
  expect(state.collected).toBe(2)
})

test('who comes every few seconds does not wait for it each time', () => {
  const { state, look, looks } = start()
  look()
  state.utilisation = 0
  for (let rush = 0; rush < 10; rush++) {
    state.heap = 120 * megabyte
    looks(2)
  }
  expect(state.collected).toBe(5)
})

test('a heap that has hardly grown is left alone', () => {
  const { state, look, looks } = start()
  look()
  Object.assign(state, { heap: 70 * megabyte, utilisation: 0 })
  looks(10)
  expect(state.collected).toBe(1)
})
