// What a suspended account of another server still gets from people here: it does not hear of its suspension, so it has
// to be shut out.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { deleteFollows, deleteRequests, lockAccounts, type Pair } from '#domain/social/relationships/rows.ts'
import { findLosses, insertSeveranceEvent, recordLosses } from '#domain/social/relationships/severances.ts'
import type { AccountId, SeveranceEventId } from '#lib/id.ts'

const batch = 100

interface Suspended {
  id: AccountId
  handle: string
  at: Date
}

/**
 * Ends the follows and requests with which a suspended account of another server follows people here, who are told; what
 * people here follow stays for the day when the suspension is lifted. Nothing for other accounts. Safe to run again.
 */
export async function severAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  const account = await findSuspended(ctx, accountId)
  if (!account) return
  const pace = createEventPace(ctx)
  while (await ctx.transaction((tx) => severSome(tx, account))) await pace()
}

async function findSuspended(reader: Reader, accountId: AccountId): Promise<Suspended | null> {
  const { rows } = await sql<{ username: string; domain: string; suspended_at: Date }>`
    select username, domain, suspended_at from accounts
    where id = ${accountId} and domain is not null and suspended_at is not null and deleted_at is null`.execute(
    reader.db,
  )
  const row = rows[0]
  return row ? { id: accountId, handle: formatAcct(row.username, row.domain), at: row.suspended_at } : null
}

/** False when none are left. */
async function severSome(tx: Tx, account: Suspended): Promise<boolean> {
  const { rows: pairs } = await sql<Pair>`
    select account_id as "accountId", target_account_id as "targetAccountId" from (
      select account_id, target_account_id from follows where account_id = ${account.id}
      union select account_id, target_account_id from follow_requests where account_id = ${account.id}) t
    limit ${batch}`.execute(tx.db)
  if (pairs.length === 0) return false
  const parties = await lockAccounts(tx, [account.id, ...pairs.map((pair) => pair.targetAccountId)])
  // It was let in again meanwhile: what is left stays.
  if (!parties.get(account.id)?.suspended) return false
  const losses = await findLosses(tx, pairs, (id) => parties.get(id)?.domain === null)
  for (const gone of await deleteFollows(tx, pairs)) await tx.emit({ type: 'follow.rejected', ...gone })
  for (const gone of await deleteRequests(tx, pairs))
    await tx.emit({ type: 'follow-request.rejected', ...gone })
  if (losses.length > 0) await recordLosses(tx, await severanceOf(tx, account), losses)
  return pairs.length === batch
}

/** The event of this suspension, begun by the first follow that it ends. The account is locked: one makes it. */
async function severanceOf(tx: Tx, { handle, at }: Suspended): Promise<SeveranceEventId> {
  const { rows } = await sql<{ id: SeveranceEventId }>`
    select id from severance_events
    where type = 'account_suspension' and target_name = ${handle} and created_at >= ${at}
    order by id desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? insertSeveranceEvent(tx, { type: 'account_suspension', targetName: handle })
}
