import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress, endProgress } from './progress.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

function recorder(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

test('elsewhere than on a terminal each step has one line, when it is done', () => {
  const output = recorder(false)
  const statuses = createProgress({ label: 'Statuses', total: 4000 }, output)
  for (let step = 0; step < 4; step++) {
    statuses.advance(1000)
    vi.advanceTimersByTime(60_000)
  }
  expect(output.written).toEqual([])
  statuses.done()
  statuses.done()
  const files = createProgress({ label: 'Files' }, output)
  vi.advanceTimersByTime(5_000)
  files.advance(3)
  files.done()
  expect(output.written).toEqual(['Statuses: 4,000 of 4,000 (100 %)\n', 'Files: 3\n'])
})

test('what is interrupted says how far it is, in a line of its own', () => {
  for (const isTTY of [false, true]) {
    const output = recorder(isTTY)
    const progress = createProgress({ label: 'Statuses', total: 4000 }, output)
    vi.advanceTimersByTime(50)
    progress.advance(1000)
    endProgress()
    progress.done()
    const said = output.written.join('').replaceAll('\u001B[K', '')
    expect(said).toMatch(/Statuses: 1,000 of 4,000 \(25 %\), 1 s left\n$/)
  }
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
