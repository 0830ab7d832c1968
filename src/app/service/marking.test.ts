import { expect, test } from 'vitest'
import { runProcess } from '#test/processes/processes.ts'
import { createMarking } from './marking.ts'

const megabyte = 2 ** 20

/** What is asked for when the process has each of these loads, one after the other. */
function marksOf(loads: readonly { utilisation: number; megabytes: number }[]): (boolean | null)[] {
  const marks: (boolean | null)[] = []
  let load = loads[0]
  const look = createMarking(
    { utilisation: () => load?.utilisation ?? 0, heap: () => (load?.megabytes ?? 0) * megabyte },
    (inSteps) => (marks[marks.length - 1] = inSteps),
  )
  for (load of loads) {
    marks.push(null)
    look()
  }
  return marks
}

test('a heap is marked in one go while the process is busy, until it has much less to do', () => {
  const loads = [0.1, 0.45, 0.55, 0.9, 0.3, 0.2, 0.45, 0.6]
  const marks = marksOf(loads.map((utilisation) => ({ utilisation, megabytes: 100 })))
  expect(marks).toEqual([null, null, false, null, null, true, null, false])
})

test('a large heap is marked in steps, until it is much smaller', () => {
  const sizes = [100, 250, 257, 200, 129, 127, 250, 300]
  const marks = marksOf(sizes.map((megabytes) => ({ utilisation: 1, megabytes })))
  expect(marks).toEqual([false, null, true, null, null, false, null, true])
})

/** Prints what V8 does in each way, after it has looked through the heap a few times. */
const program = `
  import { constants, PerformanceObserver } from 'node:perf_hooks'
  import { setImmediate as turn } from 'node:timers/promises'
  import { markInSteps } from '#app/service/marking.ts'

  let steps = 0
  let whole = 0
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) steps++
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) whole++
    }
  }).observe({ entryTypes: ['gc'] })

  const held = []
  let made = 0
  async function run() {
    steps = whole = 0
    while (whole < 4) {
      for (let i = 0; i < 100; i++) held[made++ % 2_000] = new Array(1_000).fill(i)
      await turn()
    }
  }
  for (const inSteps of [false, true, false]) {
    markInSteps(inSteps)
    // What has begun ends as it began.
    await run()
    await run()
    console.log(steps > 0)
  }
`

test('V8 does so', async () => {
  const ended = await runProcess([process.execPath, '--input-type=module', '--eval', program])
  expect(ended).toMatchObject({ stdout: 'false\ntrue\nfalse\n', stderr: '', code: 0 })
})
