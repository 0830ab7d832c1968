// Which processes are at work on jobs. A job says who holds it, and a holder shows that it is there by a lock of its
// session: the database itself lets go of that when the process or its connection ends, however that happens.
import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'

/** First key of the locks, any number that other programs will hardly take. */
const lockClass = 730_511
/** A job under which the process ended this often, the last two times in a row, has ended it. */
const maxDeaths = 4
const died = 'the process ended while this ran'

/** The statement by which a session shows that the holder `$1` is there, for as long as the session lasts. */
export const showHolder = `select pg_advisory_lock_shared(${lockClass}, hashtext($1))`

/**
 * Lets go of jobs whose holder is gone for at least `seconds`, so that others take them up, with a delay that grows.
 * One that has ended its process several times is given up: see `listFailedWork`. Returns how many it let go.
 */
export async function releaseAbandonedJobs(db: Db, seconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with present as (
      select objid from pg_locks
      where locktype = 'advisory' and classid = ${lockClass} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())),
    jobs as (
      update graphile_worker._private_jobs j set locked_at = null, locked_by = null, last_error = ${died},
        max_attempts = case when attempts >= ${maxDeaths} and last_error = ${died}
          then least(attempts, max_attempts) else max_attempts end,
        run_at = greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second', updated_at = now()
      where locked_at <= now() - ${seconds} * interval '1 second'
        and not exists (select from present p where p.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid)
      returning 1),
    queues as (
      update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
      where locked_at <= now() - ${seconds} * interval '1 second'
        and not exists (select from present p where p.objid = (hashtext(q.locked_by)::bigint & 4294967295)::oid))
    select count(*)::int as count from jobs`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lets go of the jobs of a holder that knows it is at work on none of them any more. */
export async function releaseJobsOf(db: Db, holder: string): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${[holder]}::text[])`.execute(db)
}

/** How many processes are there that work on jobs. */
export async function countJobHolders(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct objid)::int as count from pg_locks
    where locktype = 'advisory' and classid = ${lockClass} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0]?.count ?? 0
}
