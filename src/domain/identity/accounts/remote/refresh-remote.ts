// When the documents of accounts elsewhere are read again.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** When a stored document is read again because somebody meets or looks at the account, in milliseconds. */
export const refreshAfter = 86_400_000

/**
 * Has the document of an account of another server read again, while nobody waits, when the copy is older than `age`
 * (milliseconds, a day by default) and that was not tried in the last day. One statement when there is nothing to do.
 */
export async function requestRefresh(
  ctx: Ctx,
  accountId: AccountId,
  age: number = refreshAfter,
): Promise<void> {
  const now = ctx.clock.now()
  const { rows } = await sql`
    update accounts set tried_at = ${new Date(now)}
    where id = ${accountId} and domain is not null and deleted_at is null and inbox_url is not null
      and (fetched_at is null or fetched_at < ${new Date(now - age)})
      and (tried_at is null or tried_at < ${new Date(now - refreshAfter)})
    returning id`.execute(ctx.db)
  if (rows.length === 0) return
  await ctx.jobs.add(
    'refresh-account',
    { accountId },
    { key: `refresh-account:${accountId}`, maxAttempts: 1, background: true },
  )
}

export interface RefreshState {
  uri: string
  fetched_at: Date | null
}

/** When an account of another server was last read; null for other accounts and deleted ones. */
export async function findRefreshState(reader: Reader, id: AccountId): Promise<RefreshState | null> {
  const { rows } = await sql<RefreshState>`
    select uri, fetched_at from accounts
    where id = ${id} and domain is not null and uri is not null and deleted_at is null`.execute(reader.db)
  return rows[0] ?? null
}

/**
 * Accounts of other servers that somebody here follows and that were not read for `age` milliseconds, nor tried in the
 * last day, the oldest first.
 */
export async function listStaleAccounts(
  reader: Reader,
  { age, limit }: { age: number; limit: number },
): Promise<AccountId[]> {
  const now = reader.clock.now()
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a
    where a.domain is not null and a.deleted_at is null and a.fetched_at < ${new Date(now - age)}
      and (a.tried_at is null or a.tried_at < ${new Date(now - refreshAfter)})
      and exists (select 1 from follows f where f.target_account_id = a.id offset 0)
    order by a.fetched_at limit ${limit}`.execute(reader.db)
  return rows.map((row) => row.id)
}
