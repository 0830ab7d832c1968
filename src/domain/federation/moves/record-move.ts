import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import type { AccountId } from '#lib/id.ts'

/** Between two moves of one account of another server, in milliseconds. */
const cooldown = 7 * 86_400_000

/**
 * An account of another server says that it moved, and the new one names it as an alias, which the caller has seen: it
 * points there, and its followers here are to follow. False when it moved within a week, and for one that moved itself,
 * so that no circle comes to be. Emits `account.moved`.
 */
export async function recordMove(ctx: Ctx, accountId: AccountId, targetId: AccountId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const target = await lockBoth(tx, accountId, targetId)
    if (!target) return false
    const now = new Date(tx.clock.now())
    const { rows } = await sql`
      insert into account_migrations (id, account_id, acct, target_account_id, created_at)
      select ${tx.newId()}, ${accountId}, ${formatAcct(target.username, target.domain)}, ${targetId}, ${now}
      where not exists (
        select 1 from account_migrations
        where account_id = ${accountId} and created_at > ${new Date(now.getTime() - cooldown)})
      returning id`.execute(tx.db)
    if (rows.length === 0) return false
    await sql`
      update accounts set moved_to_account_id = ${targetId}, version = version + 1, updated_at = ${now}
      where id = ${accountId}`.execute(tx.db)
    await tx.emit({ type: 'account.moved', accountId, targetAccountId: targetId })
    return true
  })
}

/** Whether an account of another server moved so lately that it cannot move again. */
export async function hasJustMoved(reader: Reader, accountId: AccountId): Promise<boolean> {
  const since = new Date(reader.clock.now() - cooldown)
  const { rows } = await sql`
    select 1 from account_migrations where account_id = ${accountId} and created_at > ${since} limit 1`.execute(
    reader.db,
  )
  return rows.length > 0
}

interface Target {
  id: AccountId
  username: string
  domain: string | null
}

/** In the order of their ids, so that two that move to each other do not wait for each other for ever. */
async function lockBoth(tx: Tx, accountId: AccountId, targetId: AccountId): Promise<Target | undefined> {
  const { rows } = await sql<Target & { moved: boolean }>`
    select id, username, domain, moved_to_account_id is not null as moved from accounts
    where id = any(${[accountId, targetId]}::bigint[]) and suspended_at is null and deleted_at is null
    order by id for no key update`.execute(tx.db)
  const target = rows.find((row) => row.id === targetId)
  return rows.length === 2 && target?.moved === false ? target : undefined
}

/** The accounts that an account, of whatever server, says are its own too, by their addresses. */
export async function loadAliases(reader: Reader, accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ also_known_as: string[] }>`
    select also_known_as from accounts where id = ${accountId} and deleted_at is null`.execute(reader.db)
  return rows[0]?.also_known_as ?? []
}
