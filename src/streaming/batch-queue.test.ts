import { expect, test } from 'vitest'
import type { Log } from '#ports/log.ts'
import { createBatchQueue } from './batch-queue.ts'

function setUp(work: (items: readonly number[]) => Promise<void>, capacity = 100) {
  const lines: string[] = []
  const note = (_: object, message: string) => void lines.push(message)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  return { lines, queue: createBatchQueue<number>({ name: 'test', work, log, max: 3, capacity }) }
}

const turn = () => new Promise(setImmediate)
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await turn()
}

test('takes what waits together, in order, a few at a time, and never two batches at once', async () => {
  const batches: number[][] = []
  let running = 0
  const { queue } = setUp(async (items) => {
    expect(++running).toBe(1)
    await turn()
    batches.push([...items])
    running--
  })
  for (const item of [1, 2, 3, 4, 5]) queue.push(item)
  await turns(10)
  queue.push(6)
  await turns(5)
  expect(batches).toEqual([[1, 2, 3], [4, 5], [6]])
})

test('goes on after what failed', async () => {
  const done: number[] = []
  const { queue, lines } = setUp(async (items) => {
    if (items.includes(1)) throw new Error('no')
    done.push(...items)
  })
  queue.push(1)
  await turns(3)
  queue.push(2)
  await turns(3)
  expect([done, lines]).toEqual([[2], ['events of streams are lost']])
})

test('loses what comes when too much waits', async () => {
  const done: number[] = []
  const { queue, lines } = setUp(async (items) => void done.push(...items), 2)
  for (const item of [1, 2, 3]) queue.push(item)
  await turns(5)
  expect([done, lines]).toEqual([[1, 2], ['streams cannot keep up: events are lost']])
})
