import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** How much work waits, as numbers of events and jobs, and how long the oldest event has waited, in seconds. */
export interface WaitingWork {
  eventsWaiting: number
  /** Set aside for the operator. */
  eventsFailed: number
  oldestEventAge: number
  /** Due, and not started. */
  jobsWaiting: number
  /** For a later time. */
  jobsScheduled: number
  jobsRunning: number
  /** Without attempts left. */
  jobsFailed: number
}

/** Counts the outbox and the job queue. Both are short while the workers keep up. */
export async function countWaitingWork(reader: Reader): Promise<WaitingWork> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<WaitingWork>`
    select e.*, j.* from (
      select (count(*) filter (where failed_at is null))::int as "eventsWaiting",
        (count(*) filter (where failed_at is not null))::int as "eventsFailed",
        coalesce(greatest(extract(epoch from ${now}::timestamptz - min(created_at) filter (where failed_at is null)), 0),
          0)::float8 as "oldestEventAge"
      from outbox) e, (
      select (count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()))::int
          as "jobsWaiting",
        (count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now()))::int
          as "jobsScheduled",
        (count(*) filter (where locked_at is not null))::int as "jobsRunning",
        (count(*) filter (where locked_at is null and attempts >= max_attempts))::int as "jobsFailed"
      from graphile_worker.jobs) j`.execute(reader.db)
  return rows[0] as WaitingWork
}
