import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { deleteRequests, insertFollow, lockPair, type Actor, type FollowRow, type Pair } from './rows.ts'
import type { AccountId } from '#lib/id.ts'

/** Lets somebody follow the actor who asked to. Throws `not_found` when they have not. */
export async function authorizeFollowRequest(ctx: Ctx, actor: Actor, followerId: AccountId): Promise<void> {
  const pair = { accountId: followerId, targetAccountId: actor.accountId }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    const request = await takeRequest(tx, pair)
    if (!request) throw notFound()
    await insertFollow(tx, pair, request)
    await tx.emit({ type: 'follow-request.accepted', ...pair, uri: request.uri })
    await tx.emit({ type: 'follow.created', ...pair })
  })
}

async function takeRequest(tx: Tx, pair: Pair): Promise<FollowRow | undefined> {
  const { rows } = await sql<FollowRow>`
    delete from follow_requests
    where account_id = ${pair.accountId} and target_account_id = ${pair.targetAccountId}
    returning show_reblogs, notify, languages, uri`.execute(tx.db)
  return rows[0]
}

/** Turns down somebody who asked to follow the actor. Throws `not_found` when they have not. */
export async function rejectFollowRequest(ctx: Ctx, actor: Actor, followerId: AccountId): Promise<void> {
  const pair = { accountId: followerId, targetAccountId: actor.accountId }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    const gone = await deleteRequests(tx, [pair])
    if (!gone[0]) throw notFound()
    await tx.emit({ type: 'follow-request.rejected', ...gone[0] })
  })
}

/**
 * Lets in everybody who waits for an account that no longer decides itself: requests of limited accounts stay, as
 * new ones of theirs would. Idempotent.
 */
export async function authorizeWaiting(ctx: Ctx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select r.account_id from follow_requests r
    join accounts t on t.id = r.target_account_id
    join accounts a on a.id = r.account_id
    where r.target_account_id = ${accountId} and not t.locked and t.domain is null and t.suspended_at is null
      and a.silenced_at is null and a.suspended_at is null
    order by r.id`.execute(ctx.db)
  for (const { account_id: followerId } of rows) {
    await authorizeFollowRequest(ctx, { accountId }, followerId).catch((error: unknown) => {
      // It was taken back or answered meanwhile.
      if (!isAppError(error, 'not_found')) throw error
    })
  }
}
