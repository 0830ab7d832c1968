import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { blockUri } from '#domain/server/instance/urls.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import { deleteFollows, deleteRequests, lockPair, reversed, type Actor, type Pair } from './rows.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * Blocks an account: follows, requests and endorsements end in both directions. Idempotent; blocking oneself
 * does nothing. `uri` is the activity, where another server sent one. Throws `not_found`.
 */
export async function blockAccount(
  ctx: Ctx,
  actor: Actor,
  targetId: AccountId,
  uri: string | null = null,
): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  const pair = { accountId: actor.accountId, targetAccountId: target.id }
  if (pair.accountId === pair.targetAccountId) return
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    const ownUri = target.domain === null ? null : blockUri(tx.config, tx.newId())
    const known = uri ?? ownUri
    if (!(await insertBlock(tx, pair, known))) return
    await severBoth(tx, pair)
    await tx.emit({ type: 'block.created', ...pair, uri: known })
  })
}

async function insertBlock(tx: Tx, pair: Pair, uri: string | null): Promise<boolean> {
  const { rows } = await sql`
    insert into blocks (id, account_id, target_account_id, uri, created_at)
    values (${tx.newId()}, ${pair.accountId}, ${pair.targetAccountId}, ${uri}, ${new Date(tx.clock.now())})
    on conflict (account_id, target_account_id) do nothing returning id`.execute(tx.db)
  return rows.length > 0
}

/** What the blocker had is taken back, what the blocked had is rejected. */
async function severBoth(tx: Tx, pair: Pair): Promise<void> {
  const pairs = [pair, reversed(pair)]
  const own = (gone: Pair) => gone.accountId === pair.accountId
  for (const gone of await deleteFollows(tx, pairs)) {
    await tx.emit({ type: own(gone) ? 'follow.deleted' : 'follow.rejected', ...gone })
  }
  for (const gone of await deleteRequests(tx, pairs)) {
    await tx.emit({ type: own(gone) ? 'follow-request.deleted' : 'follow-request.rejected', ...gone })
  }
}

/** Lifts a block; fine where there is none. What it ended stays ended. Throws `not_found`. */
export async function unblockAccount(ctx: Ctx, actor: Actor, targetId: AccountId): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  const pair = { accountId: actor.accountId, targetAccountId: target.id }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    const { rows } = await sql<{ uri: string | null }>`
      delete from blocks where account_id = ${pair.accountId} and target_account_id = ${pair.targetAccountId}
      returning uri`.execute(tx.db)
    if (rows[0]) await tx.emit({ type: 'block.deleted', ...pair, uri: rows[0].uri })
  })
}
