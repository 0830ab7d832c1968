// Jobs that nobody waits for (`background` of `Jobs.add`) never take all that run jobs: many of them wait for servers that
// do not answer, while mails, push messages and films are waited for.
import type { Worker, WorkerEvents } from 'graphile-worker'
import { backgroundFlag } from '#db/job-flags.ts'

/**
 * Follows what the workers of a runner do by its events. Returns what they ask before each look for a job: the flags of
 * those that are left alone now, so that at most `max` workers are at work on background jobs.
 */
export function limitBackground(events: WorkerEvents, max: number): () => string[] | null {
  /** What was said to those who are about to look, in the order in which they do. */
  const answers: boolean[] = []
  /** Who may get such a job by the look under way, or is at work on one. */
  const taking = new Set<Worker>()
  const free = ({ worker }: { worker: Worker }) => void taking.delete(worker)
  events.on('worker:getJob:start', ({ worker }) => {
    if (answers.shift()) taking.add(worker)
  })
  events.on('worker:getJob:empty', free)
  events.on('worker:getJob:error', free)
  events.on('job:start', ({ worker, job }) => {
    if (!job.flags?.[backgroundFlag]) taking.delete(worker)
  })
  events.on('job:complete', free)
  return () => {
    const mayTake = taking.size + answers.filter(Boolean).length < max
    answers.push(mayTake)
    return mayTake ? null : [backgroundFlag]
  }
}
