// The job queue's runner, kept going: graphile-worker ends, or leaves jobs locked, when the database goes away while
// it takes or finishes a job. So it is replaced after every such failure, and what it had taken is let go.
import { EventEmitter } from 'node:events'
import {
  Logger,
  run,
  type Runner,
  type TaskList,
  type WorkerEventMap,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import { releaseAbandonedJobs, releaseJobsOf, showHolder } from '#db/job-holders.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import type { Ctx } from '#ports/ctx.ts'
import { limitBackground } from './background.ts'
import { createTasks } from './jobs/index.ts'
import { crontab } from './schedule.ts'

/** Jobs at a time: most wait for others, for a mail server or a push service. */
const concurrency = 12
/** Of them, those that nobody waits for. */
const inBackground = 6
/** When the next job of a queue is looked for, in milliseconds after the one before it is done. */
const looks = [15, 100, 500]
/** Pause between attempts while the database is away, in milliseconds. */
const retryEvery = 500
/** How long a stop waits for jobs under way, in milliseconds. What is not done then is taken up again later. */
const stopTime = 5_000
const sweepEvery = 30_000
/** A holder that has just begun may not have shown itself yet. */
const graceSeconds = 15

export interface Jobs {
  stop(): Promise<void>
}

/** One runner. */
interface Generation {
  /** Under this name it holds jobs. */
  holder: string
  /** Resolves when it is of no more use. */
  failed: Promise<void>
  end(): Promise<void>
}

/** Runs jobs until stopped. `alone`: whoever else holds jobs is certainly gone. Rejects when it cannot begin. */
export async function startJobs(ctx: Ctx, pool: pg.Pool, alone: boolean): Promise<Jobs> {
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve())
  })
  if (alone) await releaseAbandonedJobs(ctx.db, 0)
  const tasks = createTasks(ctx)
  let current = await begin(ctx, pool, tasks)
  const done = (async () => {
    for (;;) {
      await Promise.race([current.failed, stopped])
      await current.end()
      if (stopping.signal.aborted) return releaseJobsOf(ctx.db, current.holder).catch(() => {})
      ctx.log.warn({}, 'the job queue lost its database; starting again')
      const next = await beginAgain(current.holder)
      if (!next) return
      current = next
    }
  })()

  async function beginAgain(holder: string): Promise<Generation | null> {
    while (!stopping.signal.aborted) {
      try {
        await releaseJobsOf(ctx.db, holder)
        return await begin(ctx, pool, tasks)
      } catch {
        await withTimeout(retryEvery, stopped)
      }
    }
    return null
  }

  const sweep = setInterval(() => {
    releaseAbandonedJobs(ctx.db, graceSeconds).catch(() => {})
  }, sweepEvery)
  return {
    async stop() {
      clearInterval(sweep)
      stopping.abort()
      await done
    },
  }
}

async function begin(ctx: Ctx, pool: pg.Pool, tasks: TaskList): Promise<Generation> {
  const failed = Promise.withResolvers<void>()
  const fail = () => failed.resolve()
  // Ending a runner while the database is away leaves more behind than it clears up: it has to be back first.
  let isDoubtful = false
  const doubt = () => (isDoubtful = true)
  const failIfDoubtful = () => void (isDoubtful && fail())
  const session = await pool.connect()
  // A session that ends takes its lock along, and with it our right to the jobs we hold.
  session.once('end', doubt)
  const events: WorkerEvents = new EventEmitter()
  let holder = ''
  events.on('pool:create', ({ workerPool }) => (holder = workerPool.id))
  // A job may be locked for us though the answer that says so was lost.
  events.on('worker:getJob:error', doubt)
  events.on('worker:getJob:empty', failIfDoubtful)
  events.on('job:start', failIfDoubtful)
  events.on('pool:release', fail)
  events.on('job:complete', lookForNext)
  let runner: Runner | undefined
  const end = async () => {
    if (runner) await withTimeout(stopTime, runner.stop())
    session.off('end', doubt)
    session.release(true)
  }
  try {
    runner = await run({ ...settings(ctx, pool, events), taskList: tasks })
    void runner.promise.catch(() => {}).then(fail)
    await session.query(showHolder, [holder])
    return { holder, failed: failed.promise, end }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * A job keeps its queue until it is written off, a moment after it is done. Whoever asks for the next one right away
 * does not get it, and would come back only when it is time to poll.
 */
function lookForNext({ worker, job }: WorkerEventMap['job:complete']): void {
  if (job.job_queue_id === null) return
  for (const wait of looks) setTimeout(wake, wait, worker).unref()
}

function wake({ workerPool }: WorkerEventMap['job:complete']['worker']): void {
  try {
    workerPool.nudge(1)
  } catch {
    // It has ended: then there is nobody to wake.
  }
}

function settings(ctx: Ctx, pool: pg.Pool, events: WorkerEvents) {
  return {
    pgPool: pool,
    concurrency,
    forbiddenFlags: limitBackground(events, inBackground),
    events,
    pollInterval: 5_000,
    noHandleSignals: true,
    crontab,
    logger: quietLogger(ctx),
    // Below zero, which is usual, a failure to finish a job is a rejection that nobody handles.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
}

/** It says at each start that jobs are more than connections; they wait for others more than for the database. */
const isExpected = (message: string) => message.includes('maxPoolSize')

/** What the queue has to say, without what it says of each job that goes well. */
export function quietLogger(ctx: Ctx): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') ctx.log.error({ from: 'jobs' }, message)
    else if (level === 'warning' && !isExpected(message)) ctx.log.warn({ from: 'jobs' }, message)
  })
}
