import { setTimeout as sleep } from 'node:timers/promises'
import { runTaskListOnce, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import { hasDueJobs } from '#db/due-jobs.ts'
import { outboxChannel } from '#db/outbox.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createWakeSignal, withTimeout } from '#lib/concurrency/with-timeout.ts'
import { deliverDue, startDeliverer } from './delivery-worker.ts'
import { drainIncoming, startIncoming } from './inbox-worker.ts'
import { createTasks } from './jobs/index.ts'
import { createDrain, drainOutbox, maxTaken, releaseClaims } from './outbox.ts'
import { quietLogger, startJobs } from './runner.ts'

/** How long an event may wait when its message was lost, in milliseconds. */
const pollEvery = 1_000

/**
 * How long what comes after events were taken waits, in milliseconds: what is taken together shares its statements. What
 * comes after a rest is taken at once.
 */
const gatherFor = 15

/** How long a stop waits for events under way, in milliseconds. What is not done then is taken up again later. */
const stopTime = 5_000

export interface Worker {
  stop(): Promise<void>
}

/**
 * The worker role: drains the outbox, deals with what other servers sent, sends what they are to get and runs jobs until
 * stopped, as far as its process takes from these queues. `alone`: no other worker uses this database.
 */
export async function startWorker(ctx: Ctx, pool: pg.Pool, alone: boolean): Promise<Worker> {
  if (alone) await releaseClaims(ctx)
  const begin: Readonly<Record<Ctx['config']['queues'][number], () => Worker | Promise<Worker>>> = {
    jobs: () => startJobs(ctx, pool, alone),
    events: () => startDrainer(ctx, alone),
    incoming: () => startIncoming(ctx, alone),
    deliveries: () => startDeliverer(ctx, alone),
  }
  const takers: Worker[] = []
  for (const queue of ctx.config.queues) takers.push(await begin[queue]())
  return {
    async stop() {
      await Promise.all(takers.map((taker) => taker.stop()))
    },
  }
}

/** Drains whenever woken, one drain at a time, and every second in any case. */
function startDrainer(ctx: Ctx, alone: boolean): Worker {
  const wakeSignal = createWakeSignal()
  let stopping = false
  const drain = createDrain(ctx, { alone })
  const unsubscribe = ctx.bus.subscribe(outboxChannel, wakeSignal.wake)
  const done = (async () => {
    while (!stopping) {
      const taken = await drain.run().catch((error: Error) => {
        ctx.log.warn({ error: error.message }, 'the outbox could not be drained; trying again')
        return 0
      })
      if (stopping) break
      if (taken === 0) await wakeSignal.sleep(pollEvery)
      else if (taken < maxTaken) await sleep(gatherFor)
    }
  })()

  return {
    async stop() {
      stopping = true
      unsubscribe()
      drain.stop()
      wakeSignal.wake()
      await withTimeout(stopTime, done)
    },
  }
}

/** Runs all that waits, events, jobs, what came in and what is due to go out, until nothing does: for tests and command-line tools. */
export async function runUntilIdle(ctx: Ctx, client: pg.PoolClient): Promise<void> {
  const tasks: TaskList = createTasks(ctx)
  do {
    if (await hasDueJobs(client)) await runTaskListOnce({ logger: quietLogger(ctx) }, tasks, client)
  } while ((await drainIncoming(ctx)) + (await drainOutbox(ctx)) + (await deliverDue(ctx)) > 0)
}
