// What staff may take from an account, and give back: each in one transaction with its mark in the audit log.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { endAllSessions } from '#domain/identity/oauth/sessions.ts'
import { setLimitEnd } from './limit-ends.ts'
import { actionOn, lockTarget, type TargetAccount } from './target-account.ts'
import type { AccountId } from '#lib/id.ts'

export const limitKinds = ['sensitive', 'disable', 'silence', 'suspend'] as const
export type LimitKind = (typeof limitKinds)[number]

const day = 86_400_000
/** The data of a suspended account of this server goes after this, in milliseconds. */
const suspensionKept = 30 * day

/** What lifting each is called in the audit log. */
const liftedAs = {
  sensitive: 'unsensitive',
  disable: 'enable',
  silence: 'unsilence',
  suspend: 'unsuspend',
} as const

/**
 * Puts a limit on a locked account. Idempotent. `endsAt`: when it ends by itself, which of the same limit the last
 * word is. Whoever cannot sign in any more is signed out everywhere at once.
 */
export async function applyLimit(
  tx: Tx,
  target: TargetAccount,
  kind: LimitKind,
  endsAt: Date | null = null,
): Promise<void> {
  const now = new Date(tx.clock.now())
  if (kind === 'sensitive') await change(tx, target.id, sql`sensitized_at = ${now}`)
  else if (kind === 'silence') await change(tx, target.id, sql`silenced_at = ${now}`)
  else if (kind === 'suspend') await suspend(tx, target, endsAt)
  else await sql`update users set disabled = true where id = ${target.userId}`.execute(tx.db)
  if (target.userId !== null && (kind === 'suspend' || kind === 'disable'))
    await endAllSessions(tx, target.userId)
  await setLimitEnd(tx, target.id, kind, endsAt)
  await tx.emit({
    type: kind === 'suspend' ? 'account.suspended' : 'account.limits-changed',
    accountId: target.id,
  })
}

/** Everything is kept, out of sight. A suspension that ends by itself never comes to the deletion of the data. */
async function suspend(tx: Tx, target: TargetAccount, endsAt: Date | null): Promise<void> {
  const now = tx.clock.now()
  const due = target.domain === null && endsAt === null ? new Date(now + suspensionKept) : null
  await change(
    tx,
    target.id,
    sql`suspended_at = ${new Date(now)}, suspended_by_origin = false,
      deletion_due_at = case when ${due}::timestamptz is not null then coalesce(deletion_due_at, ${due}) end`,
  )
}

async function change(tx: Tx, accountId: AccountId, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    update accounts set ${changes}, version = version + 1, updated_at = ${new Date(tx.clock.now())}
    where id = ${accountId}`.execute(tx.db)
}

/** Whether the limit is on the account now. */
export function isLimited(target: TargetAccount, kind: LimitKind): boolean {
  if (kind === 'sensitive') return target.sensitized
  if (kind === 'silence') return target.silenced
  return kind === 'disable' ? target.disabled : target.suspended
}

/**
 * Takes a limit back; one that is not there is fine, but for a suspension. Throws `not_found`, and `forbidden` to staff
 * who may not, for a login of another server, and for an account that is not suspended, or was by its own server.
 */
export async function liftLimit(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
  kind: LimitKind,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const target = await lockTarget(tx, accountId)
    await assertOutranks(tx, staff, accountId)
    if (kind === 'disable' && target.userId === null) throw forbidden()
    if (kind === 'suspend' && (!target.suspended || target.suspendedByOrigin)) throw forbidden()
    await removeLimit(tx, staff, target, kind)
  })
}

/** `liftLimit` of a locked account, without its checks. */
export async function removeLimit(
  tx: Tx,
  staff: ActingStaff,
  target: TargetAccount,
  kind: LimitKind,
): Promise<void> {
  if (isLimited(target, kind)) await remove(tx, target, kind)
  await setLimitEnd(tx, target.id, kind, null)
  await recordAction(tx, staff, actionOn(target, liftedAs[kind], { user: kind === 'disable' }))
}

async function remove(tx: Tx, target: TargetAccount, kind: LimitKind): Promise<void> {
  if (kind === 'sensitive') await change(tx, target.id, sql`sensitized_at = null`)
  else if (kind === 'silence') await change(tx, target.id, sql`silenced_at = null`)
  else if (kind === 'disable')
    await sql`update users set disabled = false where id = ${target.userId}`.execute(tx.db)
  else await change(tx, target.id, sql`suspended_at = null, deletion_due_at = null`)
  await tx.emit({
    type: kind === 'suspend' ? 'account.unsuspended' : 'account.limits-changed',
    accountId: target.id,
  })
}

/** Shuts a login out without a word to its owner, as the command line does. Throws `not_found` and `forbidden`. */
export async function disableLogin(ctx: Ctx, staff: ActingStaff, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const target = await lockTarget(tx, accountId)
    await assertOutranks(tx, staff, accountId)
    if (target.userId === null) throw forbidden()
    await applyLimit(tx, target, 'disable')
    await recordAction(tx, staff, actionOn(target, 'disable', { user: true }))
  })
}
