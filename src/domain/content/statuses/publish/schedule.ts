import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { reserveMedia, type MediaHolder } from '#domain/content/media/attach.ts'
import { takeMediaFromScheduled } from '#domain/content/media/delete.ts'
import { invalid, notFound, unprocessable } from '#lib/errors.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { claimIdempotencyKey, type Made } from './idempotency.ts'
import { prepareStatus, type StatusInput } from './prepare-status.ts'
import { getScheduled, toParams } from './scheduled.ts'
import type { AccountId, ScheduledStatusId } from '#lib/id.ts'

/** A status is scheduled at least this long before, in milliseconds. */
const notice = 5 * 60_000
/** Scheduled statuses of an account, in all and on one day (of UTC). */
const max = 300
const maxOfDay = 25

/**
 * The time at which a status is to be published, in milliseconds, or null when it is not in the future: then it is
 * now. Throws `invalid` for what is no time.
 */
export function readSchedule(reader: Pick<Reader, 'clock'>, text: string | undefined): number | null {
  const time = text ? readTime(text) : null
  return time === null || time <= reader.clock.now() ? null : time
}

function readTime(text: string): number {
  const time = parseTime(text)
  if (time === null) throw unprocessable('record_invalid')
  return time
}

interface Schedule {
  at: number
  idempotencyKey: string | null
  /** What it takes the place of: kept its media until now, and goes in the same transaction. */
  inPlaceOf?: { holder: MediaHolder; remove(tx: Tx): Promise<void> }
}

/**
 * Keeps a status until its time, with its media. It must be one that could be published now: throws as
 * `prepareStatus`, and `invalid` when the time is too near or too many wait. Returns the id of the scheduled status,
 * or what was made under the same idempotency key.
 */
export async function scheduleStatus(
  ctx: Ctx,
  viewer: Viewer,
  input: StatusInput,
  { at, idempotencyKey, inPlaceOf }: Schedule,
): Promise<Made> {
  assertNotice(ctx, at)
  const prepared = await prepareStatus(ctx, viewer, input, inPlaceOf)
  const params = toParams(viewer, input, prepared)
  const scheduled = { id: ctx.newId<ScheduledStatusId>(), accountId: viewer.accountId }
  return ctx.transaction(async (tx) => {
    const earlier = await claimIdempotencyKey(tx, viewer.accountId, idempotencyKey, [scheduled.id])
    if (earlier) return earlier
    await assertRoom(tx, viewer.accountId, at)
    await sql`
      insert into scheduled_statuses (id, account_id, application_id, scheduled_at, params, created_at)
      values (${scheduled.id}, ${viewer.accountId}, ${input.applicationId}, ${new Date(at)}, ${JSON.stringify(params)},
        ${new Date(tx.clock.now())})`.execute(tx.db)
    await reserveMedia(tx, scheduled, prepared.mediaIds, inPlaceOf?.holder)
    await inPlaceOf?.remove(tx)
    return [scheduled.id]
  })
}

/**
 * Gives one's own scheduled status another time; one that could not be published is tried again then. Throws
 * `not_found`, also for those of others, and `invalid` as `scheduleStatus`.
 */
export async function reschedule(
  ctx: Ctx,
  viewer: Viewer,
  id: ScheduledStatusId,
  time: string | undefined,
): Promise<void> {
  const scheduled = await getScheduled(ctx, viewer.accountId, id)
  if (!time) return
  const at = readTime(time)
  assertNotice(ctx, at)
  await ctx.transaction(async (tx) => {
    await assertRoom(tx, viewer.accountId, at, id)
    const { rows } = await sql`
      update scheduled_statuses set scheduled_at = ${new Date(at)}, failed_at = null, error = null, attempts = 0
      where id = ${scheduled.id} returning id`.execute(tx.db)
    if (rows.length === 0) throw notFound()
  })
}

/** Takes back one's own scheduled status; its media are free again. Throws `not_found`. */
export async function cancelScheduled(ctx: Ctx, viewer: Viewer, id: ScheduledStatusId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      select 1 from scheduled_statuses where id = ${id} and account_id = ${viewer.accountId} for update`.execute(
      tx.db,
    )
    if (rows.length === 0) throw notFound()
    await takeMediaFromScheduled(tx, id)
    await sql`delete from scheduled_statuses where id = ${id}`.execute(tx.db)
  })
}

function assertNotice(reader: Pick<Reader, 'clock'>, at: number): void {
  if (at - reader.clock.now() < notice) {
    throw invalid('base', 'scheduled_past')
  }
}

/**
 * The account's row is locked, so that two at once cannot both be the last: by a statement of its own, since one that
 * waited for the lock would still count as before. `except`: the one that is moved. Failed ones wait for nothing.
 */
async function assertRoom(
  tx: Tx,
  accountId: AccountId,
  at: number,
  except: ScheduledStatusId | null = null,
): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const day = new Date(at).toISOString().slice(0, 10)
  const { rows } = await sql<{ total: number; of_day: number }>`
    select count(*)::int as total,
      (count(*) filter (where (scheduled_at at time zone 'UTC')::date = ${day}::date))::int as of_day
    from scheduled_statuses
    where account_id = ${accountId} and failed_at is null and id is distinct from ${except}::bigint`.execute(
    tx.db,
  )
  const { total, of_day: ofDay } = rows[0] as { total: number; of_day: number }
  if (total >= max) {
    throw invalid('base', 'too_many_scheduled', { max })
  }
  if (ofDay >= maxOfDay) {
    throw invalid('base', 'too_many_scheduled_today', { max: maxOfDay })
  }
}
