import { describe, expect, test } from 'vitest'
import { createSemaphore, inParallel } from './semaphore.ts'

const full = () => new Error('full')

test('runs so many at a time, the others in order, and refuses when the queue is full', async () => {
  const semaphore = createSemaphore({ limit: 2, maxWaiting: 2, full })
  const started: number[] = []
  const finish: (() => void)[] = []
  const task = (n: number) => () => {
    started.push(n)
    return new Promise<number>((resolve) => finish.push(() => resolve(n)))
  }
  const results = [1, 2, 3, 4].map((n) => semaphore(task(n)))
  await expect(semaphore(task(5))).rejects.toThrow('full')
  expect(started).toEqual([1, 2])
  finish[0]!()
  expect(await results[0]).toBe(1)
  expect(started).toEqual([1, 2, 3])
  finish[1]!()
  await results[1]
  expect(started).toEqual([1, 2, 3, 4])
  finish[2]!()
  finish[3]!()
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
})

test('a task that fails frees its place', async () => {
  const semaphore = createSemaphore({ limit: 1, maxWaiting: 1, full })
  const fail = async () => {
    throw new Error('no')
  }
  await expect(semaphore(fail)).rejects.toThrow('no')
  expect(await semaphore(async () => 'yes')).toBe('yes')
})

describe('inParallel', () => {
  test('does each item once, no more than so many at a time', async () => {
    const done: number[] = []
    let running = 0
    let maxRunning = 0
    const items = Array.from({ length: 20 }, (_, index) => index)
    await inParallel(items, 3, async (item) => {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      for (let turn = 0; turn <= item % 4; turn++) await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      done.push(item)
    })
    expect(done.toSorted((a, b) => a - b)).toEqual(items)
    expect(maxRunning).toBe(3)
  })

  test('takes an item only when there is room', async () => {
    let taken = 0
    let done = 0
    async function* numbers() {
      for (; taken < 50; taken++) {
        expect(taken - done).toBeLessThanOrEqual(2)
        yield taken
      }
    }
    await inParallel(numbers(), 2, async () => {
      await Promise.resolve()
      done += 1
    })
    expect(done).toBe(50)
  })

  test('stops at the first error, and waits for what is under way', async () => {
    const ended: number[] = []
    const work = inParallel([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('first')
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(item)
    })
    await expect(work).rejects.toThrow('first')
    expect(ended).toEqual([2])
  })

  test('has nothing to do without items', async () => {
    const work = inParallel([], 5, () => Promise.reject(new Error('never')))
    await expect(work).resolves.toBeUndefined()
  })
})
