import type { Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { runBatches, type RunEnd, type RunOptions } from './run-batches.ts'
import { beginRun, finishRun, keepRun, releaseRun, takeRun } from './runs.ts'
import { batchTasks, findBatchTask, findPlainTask, type PlainTask } from './tasks.ts'

/** How long one call goes on with a large work, in milliseconds: the next one is five minutes later. */
const turn = 270_000
/** How often the lease of a work that cannot say how far it is is prolonged, in milliseconds. */
const prolongEvery = 20_000

/** Runs a work once, whatever its kind, as `runBatches` does. Throws `not_found` for an unknown name, and as it does. */
export async function runMaintenance(
  ctx: Ctx,
  name: string,
  options: Omit<RunOptions, 'begin'> = {},
): Promise<RunEnd> {
  const work = findPlainTask(name)
  if (work) return runPlain(ctx, work)
  const batches = findBatchTask(name)
  if (!batches) throw notFound()
  return runBatches(ctx, batches, { begin: true, ...options })
}

/**
 * Begins what is to run every night (`begin`), or goes on with what was left: after a restart, a failure, or because it
 * takes longer than one turn.
 */
export async function continueMaintenance(
  ctx: Ctx,
  { begin, signal }: { begin: boolean; signal?: AbortSignal },
): Promise<void> {
  for (const work of batchTasks) await runBatches(ctx, work, { begin, signal, forMs: turn })
}

/** Runs it to its end, and writes down that it ran and how much it removed. Not while it is paused or under way. */
async function runPlain(ctx: Ctx, work: PlainTask): Promise<RunEnd> {
  const taken = await takeRun(ctx, work.name, { begin: true })
  if (!taken) return 'unavailable'
  await beginRun(ctx, taken.lease, { cursor: {}, expected: null })
  const prolonging = setInterval(() => void keepRun(ctx, work.name).catch(() => {}), prolongEvery)
  try {
    const removed = await work.run(ctx)
    await finishRun(ctx, taken.lease, removed)
    return 'finished'
  } catch (error) {
    await releaseRun(ctx, { name: work.name }, (error as Error).message).catch(() => {})
    throw error
  } finally {
    clearInterval(prolonging)
  }
}
