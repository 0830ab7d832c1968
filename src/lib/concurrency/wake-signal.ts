import { withTimeout } from './with-timeout.ts'

export interface WakeSignal {
  /** Ends the sleep under way, or the next one before it begins. */
  wake(): void
  /** Ends after some milliseconds, and at once when it was woken since the last sleep. */
  sleep(milliseconds: number): Promise<void>
}

/** What somebody sleeps by who looks for work from time to time, and is woken when there is some. */
export function createWakeSignal(): WakeSignal {
  let woken = Promise.withResolvers<void>()
  return {
    wake: () => woken.resolve(),
    async sleep(milliseconds) {
      await withTimeout(milliseconds, woken.promise)
      woken = Promise.withResolvers<void>()
    },
  }
}
