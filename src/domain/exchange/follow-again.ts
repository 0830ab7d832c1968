import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

/** The server of an account is told once more who of this one follows it. Emits `follow-request.created` for each. */
export async function followAgain(ctx: Ctx, accountId: Id): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ account_id: Id }>`
      select f.account_id from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = ${accountId} and a.domain is null`.execute(tx.db)
    for (const { account_id: followerId } of rows) {
      await tx.emit({ type: 'follow-request.created', accountId: followerId, targetAccountId: accountId })
    }
  })
}
