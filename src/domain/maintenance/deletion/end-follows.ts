import { sql } from 'kysely'
import type { EventPace } from '#db/pace-events.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { deleteFollows, deleteRequests, lockAccounts, type Pair } from '#domain/social/relationships/rows.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 100

/**
 * Ends all follows and requests of a deleted account, both ways, with the counters of the others. People of this server
 * are told by the usual events, so that their feeds and notifications follow.
 */
export async function endFollowsOf(ctx: Ctx, accountId: AccountId, pace: EventPace): Promise<void> {
  while (await ctx.transaction((tx) => endSome(tx, accountId))) await pace()
}

/** False when none are left. */
async function endSome(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows: pairs } = await sql<Pair>`
    select account_id as "accountId", target_account_id as "targetAccountId" from (
      select account_id, target_account_id from follows where account_id = ${accountId}
      union select account_id, target_account_id from follows where target_account_id = ${accountId}
      union select account_id, target_account_id from follow_requests where account_id = ${accountId}
      union select account_id, target_account_id from follow_requests where target_account_id = ${accountId}) t
    limit ${batch}`.execute(tx.db)
  if (pairs.length === 0) return false
  const ids = pairs.flatMap((pair) => [pair.accountId, pair.targetAccountId])
  const others = await lockAccounts(tx, [...new Set(ids)])
  const isOurs = (pair: Pair) =>
    others.get(pair.accountId === accountId ? pair.targetAccountId : pair.accountId)?.domain === null
  for (const gone of await deleteFollows(tx, pairs)) {
    if (isOurs(gone)) await tx.emit({ type: 'follow.deleted', ...gone })
  }
  for (const gone of await deleteRequests(tx, pairs)) {
    if (isOurs(gone)) await tx.emit({ type: 'follow-request.deleted', ...gone })
  }
  return pairs.length === batch
}
