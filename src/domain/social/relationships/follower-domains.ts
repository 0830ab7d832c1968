// Followers by the server they are on.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { deleteFollows, lockAccounts, type Actor } from './rows.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 200
const maxDomains = 500

export interface FollowerDomain {
  domain: string
  followers: number
}

/** The servers on which an account has followers, those with most first; this one is left out. */
export async function listFollowerDomains(reader: Reader, accountId: AccountId): Promise<FollowerDomain[]> {
  const { rows } = await sql<FollowerDomain>`
    select a.domain, count(*)::int as followers from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.domain is not null
    group by a.domain order by 2 desc, 1 limit ${maxDomains}`.execute(reader.db)
  return rows
}

/**
 * Ends the follows of all followers on a server, who are told so. Nothing is blocked: they may follow again. Returns
 * how many there were.
 */
export async function removeFollowersOf(ctx: Ctx, actor: Actor, domain: string): Promise<number> {
  const pace = createEventPace(ctx)
  let count = 0
  for (;;) {
    const ended = await removeSome(ctx, actor.accountId, domain)
    count += ended
    if (ended < batch) return count
    await pace()
  }
}

async function removeSome(ctx: Ctx, accountId: AccountId, domain: string): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: AccountId }>`
      select a.id from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = ${accountId} and a.domain = ${domain} order by a.id limit ${batch}`.execute(
      tx.db,
    )
    await lockAccounts(tx, [accountId, ...rows.map((row) => row.id)])
    const pairs = rows.map((row) => ({ accountId: row.id, targetAccountId: accountId }))
    for (const gone of await deleteFollows(tx, pairs)) await tx.emit({ type: 'follow.rejected', ...gone })
    return rows.length
  })
}
