// Work that was given up: events set aside in the outbox, and jobs of the queue without attempts left. The operator
// looks at it and decides. An id is `event-12` or `job-34`.
import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'

export interface FailedWork {
  id: string
  /** Type of the event, or name of the job. */
  name: string
  /** Of a job that runs one effect of an event: which, otherwise null. */
  effect: string | null
  attempts: number
  error: string | null
  failedAt: Date
}

/** What was given up, oldest first. */
export async function listFailedWork(db: Db): Promise<FailedWork[]> {
  const { rows } = await sql<FailedWork>`
    select 'event-' || id as id, event ->> 'type' as name, null as effect, attempts, error, failed_at as "failedAt"
    from outbox where failed_at is not null
    union all
    select 'job-' || j.id, coalesce(p.payload -> 'event' ->> 'type', j.task_identifier), p.payload ->> 'effect',
      j.attempts, j.last_error, j.updated_at
    from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
    where j.attempts >= j.max_attempts and j.locked_at is null
    order by 6, 1`.execute(db)
  return rows
}

/** Lets it run again, with all its attempts. Returns how many of the ids were there. */
export async function retryFailedWork(db: Db, ids: readonly string[]): Promise<number> {
  const { events, jobs } = split(ids)
  const { rows } = await sql<{ count: number }>`
    with e as (
      update outbox set failed_at = null, error = null, attempts = 0, claimed_until = null
      where id = any(${events}::bigint[]) and failed_at is not null returning 1),
    f as (
      select array_agg(id) as ids from graphile_worker.jobs
      where id = any(${jobs}::bigint[]) and attempts >= max_attempts and locked_at is null),
    j as (
      select r.id from f, graphile_worker.reschedule_jobs(f.ids, run_at := now(), attempts := 0::smallint) r)
    select ((select count(*) from e) + (select count(*) from j))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Forgets it for good. Returns how many of the ids were there. */
export async function discardFailedWork(db: Db, ids: readonly string[]): Promise<number> {
  const { events, jobs } = split(ids)
  const { rows } = await sql<{ count: number }>`
    with e as (
      delete from outbox where id = any(${events}::bigint[]) and failed_at is not null returning 1),
    f as (
      select array_agg(id) as ids from graphile_worker.jobs
      where id = any(${jobs}::bigint[]) and attempts >= max_attempts and locked_at is null),
    j as (
      select r.id from f, graphile_worker.complete_jobs(f.ids) r)
    select ((select count(*) from e) + (select count(*) from j))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

function split(ids: readonly string[]): { events: string[]; jobs: string[] } {
  const numbers = (prefix: string) =>
    ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
  return { events: numbers('event-'), jobs: numbers('job-') }
}
