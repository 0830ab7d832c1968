// Brings what a policy had set aside into the list.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** Whose notifications are set aside for whom. */
export interface SetAside {
  accountId: AccountId
  fromAccountId: AccountId
}

/** Notifications of one statement. */
const batch = 1000

/** Shows all that is set aside of a sender who is let through; does nothing for others. Safe to run again. */
export async function mergeWhereAllowed(ctx: Ctx, { accountId, fromAccountId }: SetAside): Promise<void> {
  const welcome = sql`exists (
    select 1 from notification_permissions p where p.account_id = ${accountId} and p.from_account_id = ${fromAccountId})`
  for (;;) {
    const { rows } = await sql`
      update notifications set filtered = false where id = any(array(
        select n.id from notifications n
        where n.account_id = ${accountId} and n.from_account_id = ${fromAccountId} and n.filtered and ${welcome}
        limit ${batch} for update))
      returning id`.execute(ctx.db)
    if (rows.length < batch) break
  }
  await sql`
    delete from notification_requests
    where account_id = ${accountId} and from_account_id = ${fromAccountId} and ${welcome}`.execute(ctx.db)
}

/**
 * `mergeWhereAllowed` for those of many who have been let through: while a notification was written, its recipient may
 * have done so.
 */
export async function mergeAllowed(ctx: Ctx, pairs: readonly SetAside[]): Promise<void> {
  if (pairs.length === 0) return
  const { rows } = await sql<SetAside>`
    select p.account_id as "accountId", p.from_account_id as "fromAccountId"
    from unnest(${pairs.map((pair) => pair.accountId)}::bigint[], ${pairs.map((pair) => pair.fromAccountId)}::bigint[])
      w (account_id, from_account_id)
    join notification_permissions p on p.account_id = w.account_id and p.from_account_id = w.from_account_id`.execute(
    ctx.db,
  )
  for (const pair of rows) await mergeWhereAllowed(ctx, pair)
}

/** Whether all that was let through has come into the list. */
export async function areMerged(reader: Reader, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ merged: boolean }>`
    select not exists (
      select 1 from notification_permissions p where p.account_id = ${accountId} and exists (
        select 1 from notifications n
        where n.account_id = p.account_id and n.from_account_id = p.from_account_id and n.filtered offset 0)) as merged`.execute(
    reader.db,
  )
  return rows[0]?.merged ?? true
}
