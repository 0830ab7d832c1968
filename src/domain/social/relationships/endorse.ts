import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import { isFollowing } from './queries.ts'
import { lockPair, type Actor } from './rows.ts'
import type { AccountId } from '#lib/id.ts'

/** Features an account that the actor follows on their profile. Idempotent. Throws `not_found`, `invalid`. */
export async function endorseAccount(ctx: Ctx, actor: Actor, targetId: AccountId): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  const pair = { accountId: actor.accountId, targetAccountId: target.id }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    if (!(await isFollowing(tx, pair.accountId, pair.targetAccountId))) {
      throw invalid('base', 'endorsed_not_followed')
    }
    await sql`
      insert into endorsements (id, account_id, target_account_id, created_at)
      values (${tx.newId()}, ${pair.accountId}, ${pair.targetAccountId}, ${new Date(tx.clock.now())})
      on conflict (account_id, target_account_id) do nothing`.execute(tx.db)
  })
}

/** Takes an account off the actor's profile; fine where it is not on it. Throws `not_found`. */
export async function unendorseAccount(ctx: Ctx, actor: Actor, targetId: AccountId): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  await ctx.db
    .deleteFrom('endorsements')
    .where('account_id', '=', actor.accountId)
    .where('target_account_id', '=', target.id)
    .execute()
}
