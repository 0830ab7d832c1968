import type * as Signals from './signals.ts'
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { endProgress } from './progress.ts'

afterEach(() => vi.restoreAllMocks())

test('the first signal asks work to end at a good place, the next one ends the process', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
  // Of a command that ran in this process before.
  endProgress()
  const said: unknown[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0)
  const heard = vi.spyOn(process, 'on').mockReturnValue(process)
  // Commands that ran in this process before may have it listening already, and so may a first try.
  const anew = `./signals.ts?${randomUUID()}`
  const { endingAtGoodPlace, endOnSignals }: typeof Signals = await import(anew)
  endOnSignals()
  const receive = heard.mock.calls.find(([signal]) => (signal as string) === 'SIGINT')?.[1]
  const removed = await endingAtGoodPlace(async (signal) => {
    receive?.('SIGINT')
    expect(signal.aborted).toBe(true)
    expect(exit).not.toHaveBeenCalled()
    receive?.('SIGINT')
    expect(exit).toHaveBeenCalledExactlyOnceWith(130)
    return 7
  })
  expect(removed).toBe(7)
  await endingAtGoodPlace(async () => {})
  receive?.('SIGINT')
  expect(exit).toHaveBeenCalledTimes(2)
  expect(said).toEqual(Array.from({ length: 2 }, () => 'Interrupted: what was done until now stays\n'))
})
