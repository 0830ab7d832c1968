import type { AdminAppeal } from '#entities/admin/report.ts'
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AppealRow } from '#domain/trust/moderation/appeals.ts'
import { loadWarnings, type WarningRow } from '#domain/trust/moderation/warnings.ts'
import { pick, valueOf } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { renderWarning } from '../reading/render-notification.ts'
import { loadReportedViews } from '../content/statuses.ts'
import type { AccountId, AccountWarningId, StatusId } from '#lib/id.ts'

interface Parts {
  warnings: ReadonlyMap<AccountWarningId, WarningRow>
  accounts: ReadonlyMap<AccountId, Account>
  statuses: ReadonlyMap<StatusId, Status>
}

/**
 * Appeals as the viewer, one of staff, sees them, by a constant number of queries: an extension. Those whose account is
 * gone are left out.
 */
export async function viewAppeals(
  ctx: Ctx,
  viewerId: AccountId,
  appeals: readonly AppealRow[],
): Promise<AdminAppeal[]> {
  const warnings = await loadWarnings(
    ctx,
    appeals.map((appeal) => appeal.warning_id),
  )
  const people = appeals.flatMap((one) => [
    one.account_id,
    one.strike_by_account_id,
    one.decided_by_account_id,
  ])
  const accounts = await loadAccountViews(ctx, [...new Set(people.filter((id) => id !== null))])
  const statusIds = [...new Set([...warnings.values()].flatMap((one) => one.status_ids))]
  const statuses = await loadReportedViews(ctx, viewerId, statusIds)
  return appeals.flatMap((appeal) => renderAppeal(appeal, { warnings, accounts, statuses }) ?? [])
}

export async function viewAppeal(
  ctx: Ctx,
  viewerId: AccountId,
  appeal: AppealRow,
): Promise<AdminAppeal | undefined> {
  return (await viewAppeals(ctx, viewerId, [appeal]))[0]
}

function renderAppeal(appeal: AppealRow, { warnings, accounts, statuses }: Parts): AdminAppeal | null {
  const warning = warnings.get(appeal.warning_id)
  const target = accounts.get(appeal.account_id)
  if (!warning || !target) return null
  const account = (id: AccountId | null) => valueOf(accounts, id) ?? null
  return {
    id: appeal.id,
    state: appeal.state,
    text: appeal.text,
    created_at: formatTime(appeal.created_at),
    decided_at: appeal.decided_at && formatTime(appeal.decided_at),
    decided_by_account: account(appeal.decided_by_account_id),
    account: target,
    strike: {
      ...renderWarning(warning, target),
      account: account(appeal.strike_by_account_id),
      report_id: appeal.report_id,
      overruled_at: appeal.overruled_at && formatTime(appeal.overruled_at),
      statuses: pick(warning.status_ids, statuses),
    },
  }
}
