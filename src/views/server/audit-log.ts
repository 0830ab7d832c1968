import type { AdminAction } from '#entities/admin/server.ts'
import type { Account } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AuditRow } from '#domain/server/audit/queries.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { valueOf } from '#lib/collections.ts'

/** Rows of the audit log with who acted, by a constant number of queries: an extension. */
export async function viewActions(ctx: Ctx, rows: readonly AuditRow[]): Promise<AdminAction[]> {
  const accounts = await loadAccountViews(ctx, [...new Set(rows.flatMap((row) => row.account_id ?? []))])
  return rows.map((row) => renderAction(row, valueOf(accounts, row.account_id) ?? null))
}

/** `account` is null for whoever has the command line, rules of the server, and those who are gone: see `actor`. */
export function renderAction(row: AuditRow, account: Account | null): AdminAction {
  return {
    id: row.id,
    actor: row.actor,
    account,
    action: row.action,
    target_type: row.target_type,
    target_id: row.target_id,
    target_label: row.target_label,
    details: row.details,
    created_at: formatTime(row.created_at),
  }
}
