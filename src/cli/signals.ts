import { constants } from 'node:os'

/**
 * Ends the process by SIGINT and SIGTERM as an exit, after `cleanUp`, so that what it started ends with it: a database
 * would go on without it.
 */
export function endOnSignals(cleanUp: () => void = () => {}): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      cleanUp()
      process.exit(128 + constants.signals[signal])
    })
  }
}
