// What staff do to single statuses of an account.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { removeStatuses } from '#domain/content/statuses/delete-status.ts'
import { markSensitive } from '#domain/content/statuses/edits/mark-sensitive.ts'
import type { Action } from '#domain/server/audit/record.ts'
import type { TargetAccount } from './target-account.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Statuses that one decision may name; more are left out. */
export const maxStatuses = 200

/** Those of the ids that are the account's and still there, newest first. */
export async function filterStatusesOf(
  tx: Tx,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<StatusId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses where id = any(${ids}::bigint[]) and account_id = ${accountId} and deleted_at is null
    order by id desc limit ${maxStatuses}`.execute(tx.db)
  return rows.map((row) => row.id)
}

/**
 * Deletes statuses with what they carry, which their author may not use again; those of other servers never come back.
 * Returns what is to be noted.
 */
export async function deleteStatusesByStaff(
  tx: Tx,
  target: TargetAccount,
  ids: readonly StatusId[],
): Promise<Action[]> {
  const { rows } = await sql<{ id: StatusId; uri: string }>`
    select id, uri from statuses where id = any(${ids}::bigint[]) and not local and uri is not null`.execute(
    tx.db,
  )
  for (const { uri } of rows) await tx.emit({ type: 'status.banished', uri })
  await removeStatuses(tx, ids, { dropMedia: true })
  return ids.map((id) => toAction('destroy', target, id))
}

/** Marks what statuses carry as sensitive. Returns what is to be noted. */
export async function markStatusesByStaff(
  tx: Tx,
  target: TargetAccount,
  ids: readonly StatusId[],
): Promise<Action[]> {
  const changed = await markSensitive(tx, ids, true)
  return changed.map((id) => toAction('update', target, id))
}

const toAction = (action: string, target: TargetAccount, id: StatusId): Action => ({
  action,
  targetType: 'status',
  targetId: id,
  label: target.username,
})
