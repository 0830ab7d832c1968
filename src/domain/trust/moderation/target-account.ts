// The account that staff act on, locked while they do.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { notFound } from '#lib/errors.ts'
import type { Action, AuditDetails } from '#domain/server/audit/record.ts'
import type { AccountId, UserId } from '#lib/id.ts'

export interface TargetAccount {
  id: AccountId
  username: string
  /** Null: of this server. */
  domain: string | null
  /** Null for accounts of other servers. */
  userId: UserId | null
  disabled: boolean
  silenced: boolean
  sensitized: boolean
  suspended: boolean
  /** Its own server suspended it, not this one. */
  suspendedByOrigin: boolean
}

/** Locks an account until the transaction ends. Throws `not_found`, also for a deleted one. */
export async function lockTarget(tx: Tx, accountId: AccountId): Promise<TargetAccount> {
  const { rows } = await sql<TargetAccount>`
    select a.id, a.username, a.domain, u.id as "userId", coalesce(u.disabled, false) as disabled,
      a.silenced_at is not null as silenced, a.sensitized_at is not null as sensitized,
      a.suspended_at is not null as suspended, a.suspended_by_origin as "suspendedByOrigin"
    from accounts a left join users u on u.account_id = a.id
    where a.id = ${accountId} and a.deleted_at is null for no key update of a`.execute(tx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** What was done to an account or, where it is about signing in, to its user, for the audit log. */
export function actionOn(
  target: TargetAccount,
  action: string,
  more: { user?: boolean; details?: AuditDetails } = {},
): Action {
  return {
    action,
    targetType: more.user ? 'user' : 'account',
    targetId: more.user ? target.userId : target.id,
    label: formatAcct(target.username, target.domain),
    ...(more.details && { details: more.details }),
  }
}
