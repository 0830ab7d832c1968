// Rows of follows with their counters, and the lock under which they change.
import { sql, type Selectable } from 'kysely'
import type { FollowsTable } from '#db/schema/relationships.ts'
import type { Tx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId } from '#lib/id.ts'

/** Whoever acts: a viewer here, or an actor of another server. */
export interface Actor {
  readonly accountId: AccountId
}

/** A directed pair: who follows, requests or blocks whom. */
export interface Pair {
  readonly accountId: AccountId
  readonly targetAccountId: AccountId
}

/** What ended. `uri`: the activity that had begun it, where another server is or was to be told. */
export interface Ended extends Pair {
  readonly uri: string | null
}

/** What the rules of following need to know of either side. */
export interface Party {
  id: AccountId
  domain: string | null
  locked: boolean
  silenced: boolean
  suspended: boolean
  moved: boolean
}

/** What a follow or a request carries. */
export type FollowRow = Pick<Selectable<FollowsTable>, 'show_reblogs' | 'notify' | 'languages' | 'uri'>

/**
 * Locks accounts until the transaction ends, always in the order of their ids, and tells what they now are. All
 * that changes follows and blocks holds this lock on both sides, so that a follow and a block at the same time
 * come one after the other, and counters are never locked the wrong way round.
 */
export async function lockAccounts(tx: Tx, ids: readonly AccountId[]): Promise<Map<AccountId, Party>> {
  const { rows } = await sql<Party>`
    select a.id, a.domain, a.locked, a.silenced_at is not null as silenced, a.suspended_at is not null as suspended,
      a.moved_to_account_id is not null as moved
    from accounts a where a.id = any(${ids}::bigint[]) and a.deleted_at is null
    order by a.id for no key update`.execute(tx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** `lockAccounts` for both sides of a pair. Throws `not_found`. */
export async function lockPair(tx: Tx, pair: Pair): Promise<{ source: Party; target: Party }> {
  const parties = await lockAccounts(tx, [pair.accountId, pair.targetAccountId])
  const source = parties.get(pair.accountId)
  const target = parties.get(pair.targetAccountId)
  if (!source || !target) throw notFound()
  return { source, target }
}

/** Writes a follow and counts it; false when it was there. The pair is locked. */
export async function insertFollow(tx: Tx, pair: Pair, row: FollowRow): Promise<boolean> {
  const { rows } = await sql`
    with made as (
      insert into follows (id, account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
      values (${tx.newId()}, ${pair.accountId}, ${pair.targetAccountId}, ${row.show_reblogs}, ${row.notify},
        ${row.languages}, ${row.uri}, ${new Date(tx.clock.now())})
      on conflict (account_id, target_account_id) do nothing returning account_id, target_account_id),
    changes as (
      select account_id, 0 as followers, 1 as following from made
      union all select target_account_id, 1, 0 from made)
    insert into account_stats (account_id, followers_count, following_count)
    select account_id, followers, following from changes order by account_id
    on conflict (account_id) do update set
      followers_count = account_stats.followers_count + excluded.followers_count,
      following_count = account_stats.following_count + excluded.following_count
    returning account_id`.execute(tx.db)
  return rows.length > 0
}

/**
 * Deletes follows, as many as there are of these, takes them out of the counters and removes the endorsements and
 * places in lists that rested on them. Returns those that were there. All accounts are locked.
 */
export async function deleteFollows(tx: Tx, pairs: readonly Pair[]): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    with gone as (
      delete from follows f using ${unnest(pairs)}
      where f.account_id = p.source and f.target_account_id = p.target
      returning f.account_id, f.target_account_id, f.uri),
    changes as (
      select account_id, sum(followers)::int as followers, sum(following)::int as following from (
        select account_id, 0 as followers, 1 as following from gone
        union all select target_account_id, 1, 0 from gone) c group by account_id),
    counted as (
      update account_stats s set followers_count = greatest(s.followers_count - c.followers, 0),
        following_count = greatest(s.following_count - c.following, 0)
      from changes c where c.account_id = s.account_id),
    unfeatured as (
      delete from endorsements e using gone g
      where e.account_id = g.account_id and e.target_account_id = g.target_account_id),
    ${leavingLists}
    select account_id as "accountId", target_account_id as "targetAccountId", uri from gone`.execute(tx.db)
  return rows
}

/**
 * Whom one no longer follows or asks to follow leaves one's lists, whose feeds are built anew when next read. The mark
 * is made where there is no feed too: one may be on its way, which reads what was before.
 */
const leavingLists = sql`
  unlisted as (
    delete from list_accounts la using gone g
    where la.owner_id = g.account_id and la.account_id = g.target_account_id returning la.list_id, la.owner_id),
  outdated as (
    insert into list_feeds (list_id, account_id) select distinct list_id, owner_id from unlisted order by list_id
    on conflict (list_id) do update set built_at = null)`

/** Deletes requests, as many as there are of these, and the places in lists that rested on them. Returns those that were there. */
export async function deleteRequests(tx: Tx, pairs: readonly Pair[]): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    with gone as (
      delete from follow_requests r using ${unnest(pairs)}
      where r.account_id = p.source and r.target_account_id = p.target
      returning r.account_id, r.target_account_id, r.uri),
    ${leavingLists}
    select account_id as "accountId", target_account_id as "targetAccountId", uri from gone`.execute(tx.db)
  return rows
}

function unnest(pairs: readonly Pair[]) {
  const sources = pairs.map((pair) => pair.accountId)
  const targets = pairs.map((pair) => pair.targetAccountId)
  return sql`unnest(${sources}::bigint[], ${targets}::bigint[]) as p(source, target)`
}

/** The other way round. */
export function reversed(pair: Pair): Pair {
  return { accountId: pair.targetAccountId, targetAccountId: pair.accountId }
}
