import { constants } from 'node:os'
import { endProgress } from './progress.ts'

/** What has to be done by those who are at work, the last one first. */
const cleanUps: (() => void)[] = []
/** Who ends by itself when asked to. */
const takers: (() => void)[] = []
let listening = false
let left = 'what was done until now stays'

/**
 * Ends the process by SIGINT and SIGTERM as an exit, after `cleanUp`, so that what it started ends with it: a database
 * would go on without it. Says how far the work is, and, as `leaves`, what becomes of what was done.
 */
export function endOnSignals(cleanUp: () => void = () => {}, leaves = left): void {
  cleanUps.push(cleanUp)
  left = leaves
  if (listening) return
  listening = true
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => receive(signal))
}

function receive(signal: 'SIGINT' | 'SIGTERM'): void {
  const taker = takers.pop()
  if (taker) return taker()
  endProgress()
  process.stderr.write(`Interrupted: ${left}\n`)
  for (const one of cleanUps.toReversed()) one()
  // oxlint-disable-next-line unicorn/no-process-exit -- work is under way
  process.exit(128 + constants.signals[signal])
}

/**
 * Does `work`, which a first signal asks to end at a good place by aborting its own signal; a second one ends the
 * process.
 */
export async function endingAtGoodPlace<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const asked = new AbortController()
  const taker = () => asked.abort()
  takers.push(taker)
  try {
    return await work(asked.signal)
  } finally {
    if (takers.includes(taker)) takers.splice(takers.indexOf(taker), 1)
  }
}
