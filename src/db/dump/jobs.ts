// The queue's jobs, as they are carried from one database into another. Its tables are those of the package, and change
// with it: a job is read by its parts and put in as a new one.
import type pg from 'pg'

export const jobColumns = [
  'identifier',
  'queue_name',
  'payload',
  'run_at',
  'priority',
  'attempts',
  'max_attempts',
  'last_error',
  'key',
  'flags',
] as const

/** Who is at work on one does not matter: in another database nobody is. */
export const jobsQuery = `
  select t.identifier, q.queue_name, j.payload, j.run_at, j.priority, j.attempts, j.max_attempts, j.last_error, j.key,
    (select array_agg(f) from jsonb_object_keys(j.flags) f) as flags
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  order by j.id`

const incoming = 'restored_jobs'

/** Makes the table into which jobs are copied; it goes with the transaction. Returns its name. */
export async function createIncomingJobs(client: pg.Client): Promise<string> {
  await client.query(
    `create temporary table ${incoming} (
       place bigint generated always as identity, job_id bigint,
       identifier text, queue_name text, payload json, run_at timestamptz, priority int,
       attempts int, max_attempts int, last_error text, key text, flags text[]) on commit drop`,
  )
  return incoming
}

/** Puts what was copied into the queue, in its order. Jobs that were given up stay given up. */
export async function addIncomingJobs(client: pg.Client): Promise<void> {
  // Two statements, since one does not see the rows that a function in it adds.
  await client.query(
    `update ${incoming} r set job_id = a.id from (
       select s.place, (graphile_worker.add_job(s.identifier, s.payload, queue_name := s.queue_name, run_at := s.run_at,
         max_attempts := s.max_attempts, job_key := s.key, priority := s.priority, flags := s.flags)).id
       from (select * from ${incoming} order by place offset 0) s offset 0) a
     where a.place = r.place`,
  )
  await client.query(
    `update graphile_worker._private_jobs j set attempts = r.attempts, last_error = r.last_error
     from ${incoming} r where r.job_id = j.id and (r.attempts > 0 or r.last_error is not null)`,
  )
}
