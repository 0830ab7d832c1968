// Follows between this server's people and a server with which it has broken off.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { deleteFollows, deleteRequests, lockAccounts, type Pair } from '#domain/social/relationships/rows.ts'
import { findLosses, insertSeveranceEvent, recordLosses } from '#domain/social/relationships/severances.ts'
import { listHostsBelow, type HostPair } from '#domain/server/hosts/hosts-below.ts'
import type { AccountId, IdCursor, SeveranceEventId } from '#lib/id.ts'

const accountBatch = 200
const pairBatch = 100

/**
 * Ends all follows and requests of the suspended accounts of a domain, and those below it, both ways, and writes down
 * what people here lost. Nothing when the domain is not suspended. Safe to run again.
 */
export async function severHosts(ctx: Ctx, domain: string): Promise<void> {
  if (!(await isSuspended(ctx, domain))) return
  const pace = createEventPace(ctx)
  for (const pair of await listHostsBelow(ctx, domain)) {
    for (let after = '0'; ;) {
      const ids = await listSuspended(ctx, pair, after)
      while (await ctx.transaction((tx) => severSome(tx, domain, ids))) await pace()
      if (ids.length < accountBatch) break
      after = ids.at(-1) as IdCursor
    }
  }
}

async function isSuspended(reader: Reader, domain: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domain_blocks where domain = ${domain} and severity = 'suspend'`.execute(reader.db)
  return rows.length > 0
}

async function listSuspended(
  reader: Reader,
  { domain, uriHost }: HostPair,
  after: IdCursor,
): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts
    where domain = ${domain} and uri_host is not distinct from ${uriHost} and suspended_at is not null and id > ${after}
    order by id limit ${accountBatch}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** False when none are left. */
async function severSome(tx: Tx, domain: string, ids: readonly AccountId[]): Promise<boolean> {
  const pairs = await findTies(tx, ids)
  if (pairs.length === 0) return false
  const parties = await lockAccounts(tx, [
    ...new Set(pairs.flatMap((pair) => [pair.accountId, pair.targetAccountId])),
  ])
  const isOurs = (id: AccountId) => parties.get(id)?.domain === null
  const losses = await findLosses(tx, pairs, isOurs)
  for (const gone of await deleteFollows(tx, pairs)) {
    await tx.emit({ type: isOurs(gone.accountId) ? 'follow.deleted' : 'follow.rejected', ...gone })
  }
  for (const gone of await deleteRequests(tx, pairs)) {
    await tx.emit({
      type: isOurs(gone.accountId) ? 'follow-request.deleted' : 'follow-request.rejected',
      ...gone,
    })
  }
  if (losses.length > 0) await recordLosses(tx, await severanceOf(tx, domain), losses)
  return pairs.length === pairBatch
}

async function findTies(tx: Tx, ids: readonly AccountId[]): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select account_id as "accountId", target_account_id as "targetAccountId" from (
      select account_id, target_account_id from follows where account_id = any(${ids}::bigint[])
      union select account_id, target_account_id from follows where target_account_id = any(${ids}::bigint[])
      union select account_id, target_account_id from follow_requests where account_id = any(${ids}::bigint[])
      union select account_id, target_account_id from follow_requests where target_account_id = any(${ids}::bigint[])) t
    limit ${pairBatch}`.execute(tx.db)
  return rows
}

/** The event of this block, begun by the first follow that it ends. The block is locked: one makes it. */
async function severanceOf(tx: Tx, domain: string): Promise<SeveranceEventId> {
  await sql`select 1 from domain_blocks where domain = ${domain} for update`.execute(tx.db)
  const { rows } = await sql<{ id: SeveranceEventId }>`
    select e.id from domain_blocks b join severance_events e on e.target_name = b.domain
    where b.domain = ${domain} and e.type = 'domain_block' and e.created_at >= date_trunc('milliseconds', b.created_at)
    order by e.id desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? insertSeveranceEvent(tx, { type: 'domain_block', targetName: domain })
}
