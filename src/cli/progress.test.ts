import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress } from './progress.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

function recorder(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

test('elsewhere than on a terminal a line is written every five seconds, with what is left', () => {
  const output = recorder(false)
  const progress = createProgress({ label: 'Statuses', total: 4000 }, output)
  progress.advance(500)
  vi.advanceTimersByTime(5_000)
  progress.advance(500)
  progress.advance(1)
  expect(output.written).toEqual(['Statuses: 1,000 of 4,000 (25 %), 15 s left\n'])
  progress.advance(2_999)
  progress.done()
  progress.done()
  expect(output.written[1]).toBe('Statuses: 4,000 of 4,000 (100 %)\n')
  expect(output.written).toHaveLength(2)
})

test('on a terminal one line changes, and ends', () => {
  const output = recorder(true)
  const progress = createProgress({ label: 'Files' }, output)
  vi.advanceTimersByTime(100)
  progress.advance()
  vi.advanceTimersByTime(100)
  progress.advance()
  progress.done()
  expect(output.written.join('')).toBe('\rFiles: 1\u001B[K\rFiles: 2\u001B[K\rFiles: 2\u001B[K\n')
})

test('short work says nothing, and neither does work whose result is read by a script', () => {
  const output = recorder(false)
  const progress = createProgress({ label: 'Files' }, output)
  progress.advance(10)
  progress.done()
  const json = createProgress({ label: 'Files', json: true }, output)
  vi.advanceTimersByTime(60_000)
  json.advance(10)
  json.done()
  expect(output.written).toEqual([])
})
