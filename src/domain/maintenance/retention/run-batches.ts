// Upkeep of what may be large: batch by batch, each with its place in one transaction, so that a process that is killed
// loses nothing and does nothing twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import {
  advanceRun,
  beginRun,
  dropRun,
  finishRun,
  lockCursor,
  releaseRun,
  takeRun,
  type Advance,
  type Cursor,
  type Lease,
} from './runs.ts'

export interface BatchTask {
  readonly name: string
  /** Where a new run begins, and how much it will look at, about. Null: the operator does not want it. */
  begin(ctx: Ctx): Promise<{ cursor: Cursor; expected: number | null } | null>
  /** Looks at `size` rows behind the cursor and removes those that are to go. */
  step(tx: Tx, cursor: Cursor, size: number): Promise<Step>
}

export interface Step extends Advance {
  /** Nothing is left. */
  done: boolean
}

export interface Progress {
  examined: number
  removed: number
  /** How much there is to look at, about. */
  expected: number | null
}

export interface RunOptions {
  /** Begin a new run where none is under way. Otherwise one is only continued. */
  begin: boolean
  /** Stop after so many milliseconds; what is left is continued later. */
  forMs?: number | undefined
  /** The part of the time that is work: see `createThrottle`. */
  share?: number | undefined
  signal?: AbortSignal | undefined
  /** What was done since the last call, and before this run was continued. */
  onProgress?: ((progress: Progress) => void) | undefined
}

/** How a call ended. `unavailable`: paused, under way elsewhere, or not wanted. `left`: to be continued. */
export type RunEnd = 'finished' | 'left' | 'unavailable'

/** Runs a work from where it was left. Two at once, in whatever processes, do each batch once. */
export async function runBatches(ctx: Ctx, work: BatchTask, options: RunOptions): Promise<RunEnd> {
  const taken = await takeRun(ctx, work.name, options)
  if (!taken) return 'unavailable'
  let { lease } = taken
  try {
    const begun = await work.begin(ctx)
    if (!begun) {
      await dropRun(ctx, lease)
      return 'unavailable'
    }
    if (!taken.continued) await beginRun(ctx, lease, begun)
    const expected = taken.continued ? taken.expected : begun.expected
    if (taken.continued) options.onProgress?.({ examined: taken.examined, removed: taken.removed, expected })
    const deadline = performance.now() + (options.forMs ?? Infinity)
    const throttle = createThrottle(options.share)
    while (!options.signal?.aborted && performance.now() < deadline) {
      const result = await runBatch(ctx, work, lease, throttle)
      if (!result) return 'unavailable'
      lease = result.lease
      const { examined, removed } = result.step
      options.onProgress?.({ examined, removed, expected })
      if (result.step.done) return 'finished'
      await sleep(result.pause, undefined, { signal: options.signal }).catch(() => {})
    }
  } catch (error) {
    await releaseRun(ctx, lease, (error as Error).message).catch(() => {})
    throw error
  }
  await releaseRun(ctx, lease, null)
  return 'left'
}

/** Null when the run is not ours any more. */
async function runBatch(
  ctx: Ctx,
  work: BatchTask,
  held: Lease,
  throttle: Throttle,
): Promise<{ lease: Lease; step: Step; pause: number } | null> {
  const begun = performance.now()
  const result = await ctx.transaction(async (tx) => {
    // What a crash of the database takes back of this it takes back whole, and the next run does it again. So nobody,
    // and least of all those who write meanwhile, has to wait for the disk. Of replicas, which hear only of what is on
    // it, one that does not know of it yet would be taken for one that does.
    if (ctx.config.replicaUrls.length === 0) await sql`set local synchronous_commit = off`.execute(tx.db)
    const cursor = await lockCursor(tx, held)
    if (!cursor) return null
    const step = await work.step(tx, cursor, throttle.size())
    const lease = await advanceRun(tx, held, step)
    if (step.done) await finishRun(tx, lease)
    return { lease, step }
  })
  if (!result) return null
  const pause = throttle.next(performance.now() - begun, ctx.poolUse().waiting > 0)
  return { ...result, pause }
}
