import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { lockAccounts, type Actor } from '#domain/social/relationships/rows.ts'
import { lockList } from './edit-list.ts'
import { markHomeFeedStale, markListFeedStale } from './mark-stale.ts'
import type { AccountId, ListId } from '#lib/id.ts'

/**
 * Puts accounts into a list, all or none: those that its owner follows or has asked to follow, and the owner. Throws
 * `not_found` for others and for a list that is not the owner's, `invalid` where one is in it already.
 */
export async function addToList(
  ctx: Ctx,
  owner: Actor,
  listId: ListId,
  accountIds: readonly AccountId[],
): Promise<void> {
  const ids = [...new Set(accountIds)]
  // Looked at before too: nobody is to lock accounts that are none of their concern.
  await assertHeard(ctx, owner.accountId, ids)
  await ctx.transaction(async (tx) => {
    // Accounts come first, as in all that changes follows: nobody is unfollowed between the look and the entry.
    const accounts = await lockAccounts(tx, [owner.accountId, ...ids])
    const list = await lockList(tx, owner.accountId, listId)
    if (ids.some((id) => !accounts.has(id))) throw notFound()
    await assertHeard(tx, owner.accountId, ids)
    const added = await insertMembers(tx, owner.accountId, listId, ids)
    if (added < ids.length) throw invalid('account', 'taken')
    if (added > 0) await markStale(tx, owner.accountId, list)
  })
}

async function assertHeard(reader: Reader, ownerId: AccountId, ids: readonly AccountId[]): Promise<void> {
  const { rows } = await sql`
    select 1 from unnest(${ids}::bigint[]) w (id)
    where w.id <> ${ownerId}
      and not exists (select 1 from follows f where f.account_id = ${ownerId} and f.target_account_id = w.id offset 0)
      and not exists (
        select 1 from follow_requests r where r.account_id = ${ownerId} and r.target_account_id = w.id offset 0)
    limit 1`.execute(reader.db)
  if (rows.length > 0) throw notFound()
}

/** Returns how many were not there yet. */
async function insertMembers(
  tx: Tx,
  ownerId: AccountId,
  listId: ListId,
  ids: readonly AccountId[],
): Promise<number> {
  const rowIds = ids.map(() => tx.newId())
  const { rows } = await sql`
    insert into list_accounts (id, list_id, account_id, owner_id, created_at)
    select w.row_id, ${listId}, w.id, ${ownerId}, ${new Date(tx.clock.now())}
    from unnest(${rowIds}::bigint[], ${ids}::bigint[]) w (row_id, id)
    on conflict (list_id, account_id) do nothing returning id`.execute(tx.db)
  return rows.length
}

/** Takes accounts out of a list; fine where they are not in it. Throws `not_found` for what is not the owner's. */
export async function removeFromList(
  ctx: Ctx,
  owner: Actor,
  listId: ListId,
  accountIds: readonly AccountId[],
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const list = await lockList(tx, owner.accountId, listId)
    const { rows } = await sql`
      delete from list_accounts where list_id = ${listId} and account_id = any(${accountIds}::bigint[])
      returning id`.execute(tx.db)
    if (rows.length > 0) await markStale(tx, owner.accountId, list)
  })
}

async function markStale(
  tx: Tx,
  ownerId: AccountId,
  list: { id: ListId; exclusive: boolean },
): Promise<void> {
  await markListFeedStale(tx, list.id)
  if (list.exclusive) await markHomeFeedStale(tx, ownerId)
}
