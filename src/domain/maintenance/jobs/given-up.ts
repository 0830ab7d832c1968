// Work that was given up, as staff and the operator see it: events and jobs of this server, and activities of others.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { discardFailedWork, listFailedWork, retryFailedWork, type FailedWork } from '#db/failed-work.ts'
import {
  discardFailedIncoming,
  listFailedIncoming,
  retryFailedIncoming,
} from '#domain/federation/queue/incoming.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { asIds, type IncomingActivityId } from '#lib/id.ts'

export type GivenUp = FailedWork

/** Whether somebody wrote an id of such work: `event-12`, `job-34` or `incoming-56`. */
export const isWorkId = (text: string): boolean => /^(event|job|incoming)-\d{1,18}$/.test(text)

/** What was given up, oldest first. Of an activity of another server (`incoming-56`) the effect is its sender. */
export async function listGivenUp(reader: Reader): Promise<GivenUp[]> {
  const incoming = (await listFailedIncoming(reader)).map((row) => ({
    id: `incoming-${row.id}`,
    name: 'activity',
    effect: row.signer,
    attempts: row.suspected,
    error: 'the process ended each time it was taken up',
    failedAt: row.failedAt,
  }))
  return [...(await listFailedWork(reader.db)), ...incoming].toSorted((a, b) => +a.failedAt - +b.failedAt)
}

/** Lets it run again, with all its attempts. Returns how many of the ids were there. */
export const retryGivenUp = (ctx: Ctx, staff: Staff, ids: readonly string[]): Promise<number> =>
  change(ctx, staff, { action: 'retry', ids, work: retryFailedWork, incoming: retryFailedIncoming })

/** Forgets it for good. Returns how many of the ids were there. */
export const discardGivenUp = (ctx: Ctx, staff: Staff, ids: readonly string[]): Promise<number> =>
  change(ctx, staff, { action: 'discard', ids, work: discardFailedWork, incoming: discardFailedIncoming })

/** Ids that the audit log keeps. */
const keptIds = 50

async function change(
  ctx: Ctx,
  staff: Staff,
  {
    action,
    ids,
    work,
    incoming,
  }: {
    action: string
    ids: readonly string[]
    work: typeof retryFailedWork
    incoming: typeof retryFailedIncoming
  },
): Promise<number> {
  const prefix = 'incoming-'
  const numbers = ids.flatMap((id) => (id.startsWith(prefix) ? id.slice(prefix.length) : []))
  return ctx.transaction(async (tx) => {
    const count = (await work(tx.db, ids)) + (await incoming(tx, asIds<IncomingActivityId>(numbers)))
    const label = ids.length === 1 ? ids[0] : String(count)
    const details = { count, ids: ids.slice(0, keptIds) }
    await recordAction(tx, staff, { action, targetType: 'job', ...(label && { label }), details })
    return count
  })
}

export interface QueuedJobs {
  /** Name of the job. */
  name: string
  waiting: number
  /** For a later time. */
  scheduled: number
  running: number
  failed: number
  /** When the next one is due. */
  next_at: Date | null
}

/** What is in the queue of jobs, by their names. */
export async function countJobs(reader: Reader): Promise<QueuedJobs[]> {
  const { rows } = await sql<QueuedJobs>`
    select task_identifier as name,
      (count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()))::int as waiting,
      (count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now()))::int as scheduled,
      (count(*) filter (where locked_at is not null))::int as running,
      (count(*) filter (where locked_at is null and attempts >= max_attempts))::int as failed,
      min(run_at) filter (where locked_at is null and attempts < max_attempts) as next_at
    from graphile_worker.jobs group by 1 order by 1`.execute(reader.db)
  return rows
}
