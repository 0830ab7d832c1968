import type pg from 'pg'

/** As long as graphile-worker takes the one who holds a job to be at work on it. */
const held = `interval '4 hours'`

/**
 * Whether the job queue has something that could be done now. To look costs a hundredth of beginning to work, of which
 * graphile-worker reads its settings and tasks anew.
 */
export async function hasDueJobs(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean }>(
    `select exists (select from graphile_worker._private_jobs
      where attempts < max_attempts and run_at <= now() and (locked_at is null or locked_at < now() - ${held})) as due`,
  )
  return rows[0]?.due ?? false
}
