import type { Clock } from '#ports/clock.ts'

export interface TestClock extends Clock {
  /** Moves the time forward (or back, when negative). */
  advance(milliseconds: number): void
  set(milliseconds: number): void
  /** Does `work` while no time passes, however slow the machine is. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>
}

/** A clock that runs with the real one and can be moved by hand. */
export function createTestClock(): TestClock {
  let shift = 0
  let stoppedAt: number | null = null
  const running = () => stoppedAt ?? Date.now()
  return {
    now: () => running() + shift,
    advance: (milliseconds) => void (shift += milliseconds),
    set: (milliseconds) => void (shift = milliseconds - running()),
    whileStopped(work) {
      stoppedAt = Date.now()
      return work().finally(() => (stoppedAt = null))
    },
  }
}

export const minutes = (count: number) => count * 60_000
export const hours = (count: number) => count * 3_600_000
export const days = (count: number) => count * 86_400_000
