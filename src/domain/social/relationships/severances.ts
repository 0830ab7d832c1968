// Follows that ended at once, because a server was blocked or an account suspended: what each account lost.
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { FollowRow, Pair } from './rows.ts'
import type { AccountId, AccountSeveranceId, SeveranceEventId } from '#lib/id.ts'

/** Who blocked or suspended whom: staff a server, somebody a server for themselves, staff an account. */
export type SeveranceType = 'domain_block' | 'user_domain_block' | 'account_suspension'

/** A follow between an account of this server, which loses it, and another. */
export interface Loss extends FollowOptions {
  accountId: AccountId
  otherId: AccountId
  /** What the other was. */
  direction: 'follower' | 'following'
}

/** What is kept of how somebody was followed. */
type FollowOptions = Pick<FollowRow, 'show_reblogs' | 'notify' | 'languages'>

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

/** What accounts of this server lose when these follows end: to be read before they do. The accounts are locked. */
export async function findLosses(
  tx: Tx,
  pairs: readonly Pair[],
  isOurs: (id: AccountId) => boolean,
): Promise<Loss[]> {
  const { rows } = await sql<Pair & FollowOptions>`
    select f.account_id as "accountId", f.target_account_id as "targetAccountId", f.show_reblogs, f.notify, f.languages
    from follows f
    join unnest(${pairs.map((pair) => pair.accountId)}::bigint[], ${pairs.map((pair) => pair.targetAccountId)}::bigint[])
      p (source, target) on f.account_id = p.source and f.target_account_id = p.target`.execute(tx.db)
  return rows.flatMap(({ accountId, targetAccountId, ...options }) => [
    ...(isOurs(accountId)
      ? [{ accountId, otherId: targetAccountId, direction: 'following' as const, ...options }]
      : []),
    ...(isOurs(targetAccountId)
      ? [{ accountId: targetAccountId, otherId: accountId, direction: 'follower' as const, ...options }]
      : []),
  ])
}

/** Adds what accounts of this server lost by an event. They are told once. */
export async function recordLosses(
  tx: Tx,
  eventId: SeveranceEventId,
  losses: readonly Loss[],
): Promise<void> {
  if (losses.length === 0) return
  const losers = [...new Set(losses.map((loss) => loss.accountId))]
  const lost = sql`
    jsonb_to_recordset(${JSON.stringify(losses.map(toRecord))}::jsonb) as l (
      account_id bigint, other_id bigint, direction text, show_reblogs boolean, notify boolean, languages text[])`
  const { rows } = await sql<{ made: boolean }>`
    insert into account_severances (id, account_id, event_id, followers_count, following_count, created_at)
    select n.id, n.account_id, ${eventId}, count(*) filter (where l.direction = 'follower'),
      count(*) filter (where l.direction = 'following'), ${new Date(tx.clock.now())}
    from unnest(${losers.map(() => tx.newId())}::bigint[], ${losers}::bigint[]) n (id, account_id)
    join ${lost} on l.account_id = n.account_id
    group by n.id, n.account_id order by n.account_id
    on conflict (account_id, event_id) do update set
      followers_count = account_severances.followers_count + excluded.followers_count,
      following_count = account_severances.following_count + excluded.following_count
    returning xmax = 0 as made`.execute(tx.db)
  await sql`
    insert into severed_follows (severance_id, account_id, direction, show_reblogs, notify, languages)
    select s.id, l.other_id, l.direction, l.show_reblogs, l.notify, l.languages
    from ${lost} join account_severances s on s.account_id = l.account_id and s.event_id = ${eventId}
    on conflict do nothing`.execute(tx.db)
  if (rows.some((row) => row.made)) await tx.emit({ type: 'relationships.severed', eventId })
}

const toRecord = ({ accountId, otherId, ...rest }: Loss) => ({
  account_id: accountId,
  other_id: otherId,
  ...rest,
})

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

export interface OwnSeverance extends SeveranceRow {
  /** How many names of each kind are still known: those of accounts that are gone are not. */
  followers_known: number
  following_known: number
}

/** Severances of an account that are shown. */
const maxShown = 100

/** What an account lost, the latest first. */
export async function listSeverances(reader: Reader, accountId: AccountId): Promise<OwnSeverance[]> {
  const known = (direction: Loss['direction']) => sql`(
    select count(*)::int from severed_follows f where f.severance_id = s.id and f.direction = ${direction})`
  const { rows } = await sql<OwnSeverance>`
    select s.id, e.type, e.target_name, e.purged, s.followers_count, s.following_count, s.created_at,
      ${known('follower')} as followers_known, ${known('following')} as following_known
    from account_severances s join severance_events e on e.id = s.event_id
    where s.account_id = ${accountId} order by s.id desc limit ${maxShown}`.execute(reader.db)
  return rows
}
