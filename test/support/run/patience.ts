// How long tests wait for what must come. Only what never comes is to be ended by a limit: so these are far above what
// anything takes, and grow with the slowness of the machine.
import { createHash } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const variable = 'STONECHAT_TEST_SLOWNESS'

/** Milliseconds of the piece of work below on two quiet cores of 2024. */
const usual = 20

function work(): number {
  const start = performance.now()
  let text = ''
  for (let n = 0; n < 60; n++) {
    text = createHash('sha256').update(text.repeat(2_000)).digest('hex')
    text = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ index, text }))).slice(-64)
  }
  return performance.now() - start
}

/**
 * How many times slower this machine is than a usual one: because it is, or because others use it too. At least 1.
 * A whole number, since Node takes no other one for the time that a process may take. Measured when a run begins, and
 * handed to the processes that it starts.
 */
const slowness = Math.ceil(Number(process.env[variable])) || slownessNow()
process.env[variable] = String(slowness)

function slownessNow(): number {
  // The first time, the work is compiled too.
  work()
  const busy = (loadavg()[0] ?? 0) / availableParallelism()
  return Math.ceil(Math.min(20, Math.max(1, work() / usual, busy)))
}

/** Milliseconds after which what a test waits for is taken to never come. */
export const patience = 60_000 * slowness

/** Options of `vi.waitFor`, which knows none of the suite's. */
export const often = { interval: 20, timeout: patience }

/** How many times slower than a usual machine this one is at the moment: as much more patient a server under test is. */
export const currentSlowness = (): number => Math.max(slowness, slownessNow())

/**
 * Waits until `check` says so; looks again every `interval` milliseconds. Throws an Error of what `describe` says when
 * that does not come.
 */
export async function until(
  check: () => unknown,
  describe: () => string,
  { interval = 20 }: { interval?: number } = {},
): Promise<void> {
  for (const deadline = performance.now() + patience; !(await check()); await sleep(interval))
    if (performance.now() > deadline) throw new Error(`That does not come: ${describe()}`)
}
