import type { AccountWarning } from '#entities/report.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { StrikeRow } from '#domain/trust/moderation/strikes.ts'
import { viewAccount } from '../identity/accounts.ts'
import { renderWarning } from '../reading/render-notification.ts'
import type { AccountId } from '#lib/id.ts'

/** AccountWarnings of one account, as it sees them. */
export async function viewStrikes(
  ctx: Ctx,
  accountId: AccountId,
  strikes: readonly StrikeRow[],
): Promise<AccountWarning[]> {
  const account = await viewAccount(ctx, accountId)
  return strikes.map((strike) => renderWarning(strike, account))
}

export async function viewStrike(ctx: Ctx, strike: StrikeRow): Promise<AccountWarning> {
  return renderWarning(strike, await viewAccount(ctx, strike.target_account_id))
}
