import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { AccountId } from '#lib/id.ts'

/** The viewer does not want this account suggested any more. Idempotent. An account that is not there is no error. */
export async function dismissSuggestion(ctx: Ctx, viewer: Viewer, accountId: AccountId): Promise<void> {
  await sql`
    insert into suggestion_dismissals (account_id, target_account_id, created_at)
    select ${viewer.accountId}, id, ${new Date(ctx.clock.now())} from accounts where id = ${accountId}
    on conflict do nothing`.execute(ctx.db)
}
