import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * The server of an account is told once more who of this one follows it, or asks to. Emits `follow-request.created` for
 * each. Nothing for an account of this server, and for one that is suspended.
 */
export async function followAgain(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      select f.account_id from (
        select account_id, target_account_id from follows where target_account_id = ${accountId}
        union all
        select account_id, target_account_id from follow_requests where target_account_id = ${accountId}) f
      join accounts a on a.id = f.account_id join accounts t on t.id = f.target_account_id
      where a.domain is null and t.domain is not null and t.suspended_at is null`.execute(tx.db)
    for (const { account_id: followerId } of rows) {
      await tx.emit({ type: 'follow-request.created', accountId: followerId, targetAccountId: accountId })
    }
  })
}
