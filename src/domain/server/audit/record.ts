// The gate of accountability: whatever staff, the command line or a rule does to others leaves a row here, in the same
// transaction.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { AccountId, AnyId } from '#lib/id.ts'

/**
 * On whose behalf something is done to others: a person with a role, whoever has the command line, or the server by a
 * rule of its own.
 */
export type Staff = { readonly accountId: AccountId } | 'operator' | 'server'

/** A value of `AuditDetails`: JSON. */
export type AuditDetail =
  | string
  | number
  | boolean
  | null
  | readonly AuditDetail[]
  | { readonly [name: string]: AuditDetail }

/** What changed, by name, for people to read. What is undefined is left out. */
export type AuditDetails = Readonly<Record<string, AuditDetail | undefined>>

export interface Action {
  /** A verb, as Mastodon's audit log names it where it has it: `suspend`, `create`, `update`, `destroy`, `approve` … */
  action: string
  /** What it was done to, in snake_case: `account`, `user`, `report`, `domain_block` … */
  targetType: string
  targetId?: AnyId | null
  /** What it was called then: a handle, a domain, a title. */
  label?: string
  /** What changed, for people to read. Nothing secret. */
  details?: AuditDetails
}

/** Writes down what was done. */
export async function recordAction(tx: Tx, staff: Staff, action: Action): Promise<void> {
  await recordActions(tx, staff, [action])
}

/** `recordAction` for many at once, in one statement. */
export async function recordActions(tx: Tx, staff: Staff, actions: readonly Action[]): Promise<void> {
  if (actions.length === 0) return
  const rows = actions.map((one) => ({
    id: tx.newId(),
    action: one.action,
    target_type: one.targetType,
    target_id: one.targetId ?? null,
    target_label: one.label ?? '',
    details: one.details ?? {},
  }))
  const [accountId, actor] = typeof staff === 'string' ? [null, staff] : [staff.accountId, 'staff']
  await sql`
    insert into audit_log (id, account_id, actor, action, target_type, target_id, target_label, details, created_at)
    select r.id, ${accountId}::bigint, ${actor}, r.action, r.target_type, r.target_id, r.target_label, r.details,
      ${new Date(tx.clock.now())}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id bigint, action text, target_type text, target_id bigint, target_label text, details jsonb)`.execute(
    tx.db,
  )
}
