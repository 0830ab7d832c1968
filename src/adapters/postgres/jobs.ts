import { sql } from 'kysely'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { backgroundFlag } from '#db/job-flags.ts'
import type { Db } from '#db/schema/schema.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { Trace } from '#ports/trace.ts'

/** Priority of jobs in the background. The others have 0. */
const afterOthers = 10

/** Jobs in graphile-worker's tables of the same database. What they belong to goes along in their payload. */
export function createJobs(db: Db, trace: Trace): Jobs {
  return {
    async add(name, payload, options = {}) {
      const traceparent = trace.carry()
      const whole = traceparent === null ? payload : { ...payload, traceparent }
      await sql`select graphile_worker.add_job(
        ${name}::text, ${JSON.stringify(whole)}::json,
        run_at := ${options.runAt ?? null}::timestamptz,
        max_attempts := ${options.maxAttempts ?? 25}::int,
        job_key := ${options.key ?? null}::text,
        queue_name := ${options.queue ?? null}::text,
        priority := ${options.background ? afterOthers : 0}::int,
        flags := ${options.background ? [backgroundFlag] : null}::text[])`.execute(db)
    },
    async isPending(key) {
      const { rows } = await sql`
        select 1 from graphile_worker._private_jobs
        where key = ${key} and (attempts < max_attempts or locked_at is not null)`.execute(db)
      return rows.length > 0
    },
  }
}

/** Makes or brings forward the queue's own tables. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}
