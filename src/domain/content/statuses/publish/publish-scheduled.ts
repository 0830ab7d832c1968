// Scheduled statuses whose time has come.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { functionalUser } from '#domain/identity/accounts/mail-facts.ts'
import { refusalSentences, type Viewer } from '#domain/identity/accounts/viewer.ts'
import { takeMediaFromScheduled } from '#domain/content/media/delete.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import type { SpamDecision } from '#domain/content/spam/evaluate.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import { AppError, forbidden, type ErrorCode } from '#lib/errors.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import { publishStatus } from './create-status.ts'
import { moveIdempotencyKeys } from './idempotency.ts'
import { holdStatus, checkStatus } from './check-spam.ts'
import { prepareStatus, type PreparedStatus } from './prepare-status.ts'
import { scheduledColumns, type ScheduledRow } from './scheduled.ts'
import type { IdCursor, ScheduledStatusId, UserId } from '#lib/id.ts'

const batch = 100
/** One that was begun this often and never ended has failed each time, or has ended its process. */
const maxAttempts = 10
/** How long one that was refused is kept, in milliseconds. */
const refusedKept = 7 * 86_400_000

/** Errors that say nothing about the status itself: later it may be published. */
const passing: readonly ErrorCode[] = ['unavailable', 'too_many', 'internal', 'conflict']

/**
 * Publishes what is due, each once, whoever else does so at the same time or died in the middle of it. What cannot be
 * published leaves the list, and its author is told; what fails for another cause is tried again at the next run. Neither keeps the
 * others waiting. Returns how many were published.
 */
export async function publishDue(ctx: Ctx): Promise<number> {
  const now = new Date(ctx.clock.now())
  let published = 0
  let after: Place = { scheduledAt: new Date(0), id: '0' }
  for (;;) {
    const due = await listDue(ctx, now, after)
    for (const one of due) if (await publishOne(ctx, one.id)) published++
    const last = due.at(-1)
    if (!last || due.length < batch) break
    after = { scheduledAt: last.scheduled_at, id: last.id }
  }
  await allowRejected(ctx)
  return published
}

/** When the next one is due, if that is within so many milliseconds. */
export async function findNextDue(ctx: Ctx, within: number): Promise<Date | null> {
  const now = ctx.clock.now()
  const { rows } = await sql<{ scheduled_at: Date }>`
    select scheduled_at from scheduled_statuses
    where failed_at is null and scheduled_at > ${new Date(now)} and scheduled_at < ${new Date(now + within)}
    order by scheduled_at limit 1`.execute(ctx.db)
  return rows[0]?.scheduled_at ?? null
}

interface Place {
  scheduledAt: Date
  id: IdCursor
}

async function listDue(ctx: Ctx, now: Date, after: Place) {
  const { rows } = await sql<{ id: ScheduledStatusId; scheduled_at: Date }>`
    select id, scheduled_at from scheduled_statuses
    where failed_at is null and scheduled_at <= ${now}
      and (scheduled_at, id) > (${after.scheduledAt}::timestamptz, ${after.id}::bigint)
    order by scheduled_at, id limit ${batch}`.execute(ctx.db)
  return rows
}

/** Whether it was published now. Never throws, so that the next one has its turn. */
async function publishOne(ctx: Ctx, id: ScheduledStatusId): Promise<boolean> {
  try {
    const row = await beginAttempt(ctx, id)
    if (!row) return false
    return await publish(ctx, row)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    ctx.log.warn({ scheduledStatusId: id, error: reason }, 'a scheduled status could not be published')
    // When even this fails the next attempt comes to the same.
    if (isFinal(error)) await setAside(ctx, id, keepReason(error.reason)).catch(() => {})
    return false
  }
}

const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && !passing.includes(error.code)

/** The conditions of publishing are those of this moment: everything is looked at again. */
async function publish(ctx: Ctx, row: ScheduledRow & { attempts: number }): Promise<boolean> {
  if (row.attempts > maxAttempts) throw forbidden('not_published')
  const viewer = await findViewer(ctx, row.account_id)
  assertMayPublish(viewer)
  const input = { ...row.params, applicationId: row.application_id }
  const prepared = await prepareStatus(ctx, viewer, input, { holder: { scheduledStatusId: row.id } })
  const decision = await checkStatus(ctx, viewer, prepared)
  return ctx.transaction((tx) => replaceByStatus(tx, row, prepared, decision))
}

/** Throws `forbidden` when a person may not publish now what they wrote before. */
export function assertMayPublish(viewer: Viewer | null): asserts viewer is Viewer {
  const refusal = viewer ? viewer.refusal : 'disabled'
  if (refusal) throw forbidden(refusalSentences[refusal])
}

/** Counts the attempt before it is made: it may end this process. Null when there is nothing to publish any more. */
async function beginAttempt(
  ctx: Ctx,
  id: ScheduledStatusId,
): Promise<(ScheduledRow & { attempts: number }) | null> {
  const { rows } = await sql<ScheduledRow & { attempts: number }>`
    update scheduled_statuses set attempts = attempts + 1
    where id = ${id} and failed_at is null and scheduled_at <= ${new Date(ctx.clock.now())}
    returning ${scheduledColumns}, attempts`.execute(ctx.db)
  return rows[0] ?? null
}

/**
 * The status takes the place of the scheduled one, in one transaction; or a post that waits for staff does. Who deletes
 * the row has it; all others wait here and then find nothing. False when it is gone, or was given another time meanwhile.
 */
async function replaceByStatus(
  tx: Tx,
  row: ScheduledRow,
  prepared: PreparedStatus,
  decision: SpamDecision | null,
): Promise<boolean> {
  const { rows } = await sql`
    delete from scheduled_statuses
    where id = ${row.id} and failed_at is null and scheduled_at <= ${new Date(tx.clock.now())}
    returning id`.execute(tx.db)
  if (rows.length === 0) return false
  await moveIdempotencyKeys(tx, row.account_id, { from: row.id, to: prepared.id })
  if (decision?.action === 'hold') {
    await holdStatus(tx, decision, prepared, { params: row.params, applicationId: row.application_id })
    return true
  }
  await publishStatus(tx, prepared, { scheduledStatusId: row.id })
  if (decision) await recordHits(tx, decision, { accountId: row.account_id, statusId: prepared.id })
  return true
}

/**
 * Takes it off the list and tells its author, unless their login is closed. It is kept for some days, for an app that
 * still knows it to give it another time. `reason`: as `keepReason` writes it.
 */
async function setAside(ctx: Ctx, id: ScheduledStatusId, reason: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ userId: UserId; to: string; functional: boolean }>`
      update scheduled_statuses s set failed_at = ${new Date(tx.clock.now())}, error = ${reason}
      from accounts a join users u on u.account_id = a.id
      where s.id = ${id} and s.failed_at is null and a.id = s.account_id
      returning u.id as "userId", u.email as "to", ${functionalUser('u', 'a')} as functional`.execute(tx.db)
    const author = rows[0]
    if (!author?.functional) return
    const { userId, to } = author
    const mail = { kind: 'scheduled-status-refused', userId, to, scheduledStatusId: id } as const
    await tx.emit({ type: 'mail.requested', mail })
  })
}

/** Forgets what was refused some days ago; its media are free again. */
async function allowRejected(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.clock.now() - refusedKept)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: ScheduledStatusId }>`
      select id from scheduled_statuses where failed_at < ${before}
      order by id limit ${batch} for update skip locked`.execute(tx.db)
    for (const { id } of rows) {
      await takeMediaFromScheduled(tx, id)
      await sql`delete from scheduled_statuses where id = ${id}`.execute(tx.db)
    }
  })
}
