import { constants } from 'node:os'
import { endProgress } from './progress.ts'

/** What has to be done by those who are at work, the last one first. */
const cleanUps: (() => void)[] = []
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      endProgress()
      process.stderr.write(`Interrupted: ${left}\n`)
      for (const one of cleanUps.toReversed()) one()
      process.exit(128 + constants.signals[signal])
    })
  }
}
