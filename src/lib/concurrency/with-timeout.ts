// Waiting for something, but not for ever.

/** Resolves when `work` ends, well or badly, and after `milliseconds` in any case. True when it ended in time. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), milliseconds)
  const ended = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

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
