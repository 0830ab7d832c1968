import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

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
