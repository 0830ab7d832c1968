import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { isLimited, removeLimit, type LimitKind } from './account-limits.ts'
import { limitByHost } from './hosts/limit-hosts.ts'
import { lockTarget } from './target-account.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 100

interface Due {
  account_id: AccountId
  limit_kind: LimitKind
}

/** Lifts the limits whose end has come. Again, or by two at once, is fine: each is lifted once. Returns how many. */
export async function expireLimits(ctx: Ctx): Promise<number> {
  let lifted = 0
  for (;;) {
    const { rows } = await sql<Due>`
      select account_id, limit_kind from account_limit_ends where ends_at <= ${new Date(ctx.clock.now())}
      order by ends_at limit ${batch}`.execute(ctx.db)
    for (const due of rows) lifted += Number(await ctx.transaction((tx) => expire(tx, due)))
    if (rows.length < batch) return lifted
  }
}

/** Accounts are locked before their ends, as everywhere. A deleted one has nothing to be lifted. */
async function expire(tx: Tx, due: Due): Promise<boolean> {
  const target = await lockTarget(tx, due.account_id).catch((error: unknown) => {
    if (isAppError(error, 'not_found')) return null
    throw error
  })
  const { rows } = await sql`
    delete from account_limit_ends
    where account_id = ${due.account_id} and limit_kind = ${due.limit_kind} and ends_at <= ${new Date(tx.clock.now())}
    returning 1 as gone`.execute(tx.db)
  if (!target || rows.length === 0 || !isLimited(target, due.limit_kind)) return false
  if (due.limit_kind === 'suspend' && target.suspendedByOrigin) return false
  await removeLimit(tx, 'server', target, due.limit_kind)
  if (due.limit_kind === 'silence' || due.limit_kind === 'suspend')
    await limitByHost(tx, target.id, due.limit_kind)
  return true
}
