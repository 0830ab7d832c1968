// Takes back what a rule against spam did when it matched what it should not have.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { findHit, lockHit } from '#domain/content/spam/hits.ts'
import { actionOnRule, getSpamRule } from '#domain/content/spam/rules.ts'
import { releaseHeldPost } from '#domain/content/statuses/publish/release-held-post.ts'
import { isAppError } from '#lib/errors.ts'
import { timeToId } from '#lib/ids.ts'
import { removeLimit } from './account-limits.ts'
import { resolveReportsIn } from './reports/staff-reports.ts'
import { lockTarget } from './target-account.ts'
import type { AccountId, AccountWarningId, HeldPostId, ReportId, SpamHitId, SpamRuleId } from '#lib/id.ts'

export interface Undone {
  /** Matches that were taken back. */
  hits: number
  /** Accounts that are no longer limited, reports settled, posts let through. */
  lifted: number
  resolved: number
  released: number
  /** Posts that their authors could not publish now: they still wait. */
  stuck: number
  /** There is more to undo. */
  more: boolean
}

/** Matches taken back by one call: each may be several statements. */
const maxHits = 500

/**
 * Lifts the limits that a rule made since a time, settles its reports that still wait, and lets through what it holds;
 * what it refused of other servers may come again. Limits that staff have confirmed since by one of their own stay.
 * Idempotent: what was undone is not done twice. Throws `not_found`.
 */
export async function undoSpamRule(
  ctx: Ctx,
  staff: ActingStaff,
  ruleId: SpamRuleId,
  { since }: { since: Date | null },
): Promise<Undone> {
  const rule = await getSpamRule(ctx, ruleId)
  await ctx.transaction((tx) =>
    recordAction(tx, staff, actionOnRule(rule, 'undo', { since: since?.toISOString() ?? null })),
  )
  const { rows } = await sql<{ id: SpamHitId }>`
    select id from spam_hits
    where rule_id = ${ruleId} and undone_at is null and id >= ${timeToId(since?.getTime() ?? 0)}::bigint
    order by id desc limit ${maxHits + 1}`.execute(ctx.db)
  const done = { hits: 0, lifted: 0, resolved: 0, released: 0, stuck: 0 }
  for (const { id } of rows.slice(0, maxHits)) await undoHit(ctx, staff, id, done)
  return { ...done, more: rows.length > maxHits }
}

type Counts = Omit<Undone, 'more'>

async function undoHit(ctx: Ctx, staff: ActingStaff, hitId: SpamHitId, done: Counts): Promise<void> {
  const hit = await findHit(ctx, hitId)
  // Before it counts as undone: if this ends in between, it is looked at again.
  if (hit?.decisive && hit.held_post_id !== null) {
    const released = await release(ctx, staff, hit.held_post_id)
    if (released) done[released] += 1
  }
  const undone = await ctx.transaction((tx) => markUndone(tx, staff, hitId))
  if (!undone) return
  done.hits += 1
  if (undone.lifted) done.lifted += 1
  if (undone.resolved) done.resolved += 1
}

async function markUndone(
  tx: Tx,
  staff: ActingStaff,
  hitId: SpamHitId,
): Promise<{ lifted: boolean; resolved: boolean } | null> {
  const hit = await lockHit(tx, hitId)
  if (!hit || hit.undone_at) return null
  const lifted = hit.warning_id !== null && (await lift(tx, staff, hit.account_id, hit.warning_id))
  const resolved = hit.report_id !== null && (await settle(tx, staff, hit.report_id))
  if (hit.decisive && hit.action === 'reject' && hit.uri !== null)
    await tx.emit({ type: 'spam-hit.undone', hitId })
  await sql`update spam_hits set undone_at = ${new Date(tx.clock.now())} where id = ${hitId}`.execute(tx.db)
  return { lifted, resolved }
}

/** Null when it does not wait any more. */
async function release(
  ctx: Ctx,
  staff: ActingStaff,
  heldId: HeldPostId,
): Promise<'released' | 'stuck' | null> {
  try {
    await releaseHeldPost(ctx, staff, heldId)
    return 'released'
  } catch (error) {
    if (isAppError(error, 'not_found')) return (await isWaiting(ctx, heldId)) ? 'stuck' : null
    if (isAppError(error, 'forbidden') || isAppError(error, 'invalid')) return 'stuck'
    throw error
  }
}

async function isWaiting(reader: Reader, heldId: HeldPostId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from held_posts where id = ${heldId} and released_at is null`.execute(reader.db)
  return rows.length > 0
}

async function lift(
  tx: Tx,
  staff: ActingStaff,
  accountId: AccountId,
  warningId: AccountWarningId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts a
    where a.id = ${accountId} and a.deleted_at is null and a.silenced_at is not null and not exists (
      select 1 from account_warnings w
      where w.target_account_id = a.id and w.id > ${warningId} and w.action = 'silence')`.execute(tx.db)
  if (rows.length === 0) return false
  await removeLimit(tx, staff, await lockTarget(tx, accountId), 'silence')
  return true
}

async function settle(tx: Tx, staff: ActingStaff, reportId: ReportId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from reports where id = ${reportId} and action_taken_at is null`.execute(tx.db)
  if (rows.length === 0) return false
  await resolveReportsIn(tx, staff, [reportId])
  return true
}
