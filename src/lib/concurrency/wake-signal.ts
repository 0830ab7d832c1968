import { within } from './with-timeout.ts'

export interface Alarm {
  /** Ends the sleep under way, or the next one before it begins. */
  ring(): void
  /** Ends after some milliseconds, and at once when it has rung since the last sleep. */
  sleep(milliseconds: number): Promise<void>
}

/** What somebody sleeps by who looks for work from time to time, and is woken when there is some. */
export function createAlarm(): Alarm {
  let rung = Promise.withResolvers<void>()
  return {
    ring: () => rung.resolve(),
    async sleep(milliseconds) {
      await within(milliseconds, rung.promise)
      rung = Promise.withResolvers<void>()
    },
  }
}
