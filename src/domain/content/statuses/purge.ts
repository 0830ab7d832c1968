// Removes for good what has been kept only for a while.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const day = 86_400_000
/** Deleted statuses stay this long, for staff who look into a report. */
const deletedKept = 30 * day
const keysKept = day
/** Rows of one statement: it holds their locks, and those of all that hangs on them, until it ends. */
const batch = 500

/**
 * Removes statuses deleted more than 30 days ago with all that belongs to them. Returns how many. Replies stay: they
 * get a new version, because what is kept of them rendered names the parent.
 */
export async function purgeDeletedStatuses(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - deletedKept)
  let purged = 0
  for (;;) {
    const { rows } = await sql`
      with old as (
        select id from statuses where deleted_at < ${before} order by deleted_at limit ${batch} for update skip locked),
      replies as (
        update statuses r set in_reply_to_id = null, version = version + 1
        where r.in_reply_to_id in (select id from old) and not exists (select 1 from old o where o.id = r.id offset 0))
      delete from statuses where id in (select id from old) returning id`.execute(ctx.db)
    purged += rows.length
    if (rows.length < batch) return purged
  }
}

/** Forgets idempotency keys older than a day: none is honoured for longer than an hour. Returns how many. */
export async function purgeIdempotencyKeys(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - keysKept)
  for (let gone = 0; ;) {
    const { rows } = await sql`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${batch}))
      returning 1 as gone`.execute(ctx.db)
    gone += rows.length
    if (rows.length < batch) return gone
  }
}
