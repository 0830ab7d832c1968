import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import type { Actor } from './rows.ts'
import type { AccountId } from '#lib/id.ts'

/** Characters of a private note. */
const maxNote = 2000

/** Keeps a note on an account that only its writer reads; a blank one deletes it. Throws `not_found`, `invalid`. */
export async function noteAccount(
  ctx: Ctx,
  actor: Actor,
  targetId: AccountId,
  comment: string,
): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  const of = { account_id: actor.accountId, target_account_id: target.id }
  // PostgreSQL keeps no NUL in a text.
  const kept = comment.replaceAll('\0', '')
  if (kept.trim() === '') {
    await sql`
      delete from account_notes where account_id = ${of.account_id} and target_account_id = ${of.target_account_id}`.execute(
      ctx.db,
    )
    return
  }
  if ([...kept].length > maxNote) throw invalid('comment', 'too_long', { max: maxNote })
  const values = { ...of, comment: kept, updated_at: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('account_notes')
    .values(values)
    .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doUpdateSet(values))
    .execute()
}
