// Follows that ended at once, because a server was blocked or an account suspended: how many each account lost.
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountId, AccountSeveranceId, SeveranceEventId } from '#lib/id.ts'

/** Who blocked or suspended whom: staff a server, somebody a server for themselves, staff an account. */
export type SeveranceType = 'domain_block' | 'user_domain_block' | 'account_suspension'

/** What one account of this server lost. */
export interface Loss {
  accountId: AccountId
  followers: number
  following: number
}

export interface SeveranceRow {
  id: AccountSeveranceId
  type: SeveranceType
  target_name: string
  purged: boolean
  followers_count: number
  following_count: number
  created_at: Date
}

/** Begins the record of an event that severs follows. `targetName` is a domain or a handle. */
export async function insertSeveranceEvent(
  tx: Tx,
  event: { type: SeveranceType; targetName: string },
): Promise<SeveranceEventId> {
  const id = tx.newId<SeveranceEventId>()
  await sql`
    insert into severance_events (id, type, target_name, created_at)
    values (${id}, ${event.type}, ${event.targetName}, ${new Date(tx.clock.now())})`.execute(tx.db)
  return id
}

/** Adds what accounts of this server lost by an event; those that lost nothing are left out. They are told once. */
export async function recordLosses(
  tx: Tx,
  eventId: SeveranceEventId,
  losses: readonly Loss[],
): Promise<void> {
  const real = losses.filter((loss) => loss.followers > 0 || loss.following > 0)
  if (real.length === 0) return
  const columns = [
    real.map(() => tx.newId()),
    real.map((loss) => loss.accountId),
    real.map((loss) => loss.followers),
    real.map((loss) => loss.following),
  ]
  const { rows } = await sql<{ made: boolean }>`
    insert into account_severances (id, account_id, event_id, followers_count, following_count, created_at)
    select l.id, l.account_id, ${eventId}, l.followers, l.following, ${new Date(tx.clock.now())}
    from unnest(${columns[0]}::bigint[], ${columns[1]}::bigint[], ${columns[2]}::int[], ${columns[3]}::int[])
      l (id, account_id, followers, following)
    order by l.account_id
    on conflict (account_id, event_id) do update set
      followers_count = account_severances.followers_count + excluded.followers_count,
      following_count = account_severances.following_count + excluded.following_count
    returning xmax = 0 as made`.execute(tx.db)
  if (rows.some((row) => row.made)) await tx.emit({ type: 'relationships.severed', eventId })
}

/** The event of this account's block of a domain, begun by the first follow that it ends. The account is locked. */
export async function severanceOfDomain(
  tx: Tx,
  accountId: AccountId,
  domain: string,
): Promise<SeveranceEventId> {
  const { rows } = await sql<{ id: SeveranceEventId }>`
    select e.id from account_domain_blocks b
    join account_severances s on s.account_id = b.account_id
    join severance_events e on e.id = s.event_id
    where b.account_id = ${accountId} and b.domain = ${domain} and e.type = 'user_domain_block'
      and e.target_name = b.domain and e.created_at >= b.created_at
    order by e.id desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? insertSeveranceEvent(tx, { type: 'user_domain_block', targetName: domain })
}

/** What accounts lost, by id. Missing ones are left out. */
export async function loadSeverances(
  reader: Reader,
  ids: readonly AccountSeveranceId[],
): Promise<Map<AccountSeveranceId, SeveranceRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<SeveranceRow>`
    select s.id, e.type, e.target_name, e.purged, s.followers_count, s.following_count, s.created_at
    from account_severances s join severance_events e on e.id = s.event_id
    where s.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
