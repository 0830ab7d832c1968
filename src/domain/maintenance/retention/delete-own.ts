// People's own old posts go by themselves, where they want that: few at a time, as if they deleted them themselves.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { removeStatuses } from '#domain/content/statuses/delete-status.ts'
import { timeToId } from '#lib/ids.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

/** Of one run, which comes every two minutes. Each deletion is told to all servers that follow. */
const max = { accounts: 200, statuses: 200, perAccount: 10 }
/** Posts of one account that are looked at in one run. */
const examinedAtOnce = 200
/** More than this that waits to be sent, or to have its effects, is long enough. */
const longQueue = 1000

/** Deletes what is due of the accounts whose turn it is. Not while much waits to be sent. Returns how many went. */
export async function deleteOwnStatuses(ctx: Ctx): Promise<number> {
  if (await isBusy(ctx)) return 0
  let removed = 0
  for (const accountId of await listDue(ctx)) {
    if (removed >= max.statuses) break
    removed += await ctx.transaction((tx) => deleteSome(tx, accountId))
  }
  return removed
}

/** Those who waited longest come first. */
async function listDue(reader: Reader): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from status_deletion_policies where enabled
    order by examined_at nulls first limit ${max.accounts}`.execute(reader.db)
  return rows.map((row) => row.account_id)
}

async function isBusy(reader: Reader): Promise<boolean> {
  if ((await countWaitingTraffic(reader)).deliveriesDue > longQueue) return true
  const { rows } = await sql`
    select 1 from outbox where failed_at is null offset ${longQueue} limit 1`.execute(reader.db)
  return rows.length > 0
}

interface Due {
  examined_up_to: IdCursor | null
  min_status_age: number
  /** Neither suspended nor deleted. */
  present: boolean
}

/**
 * The policy is locked, and left alone while somebody else has it: no post is looked at twice. Posts that stay are not
 * looked at again before something about them changes (`reexamineStatuses`).
 */
async function deleteSome(tx: Tx, accountId: AccountId): Promise<number> {
  const { rows: policies } = await sql<Due>`
    select p.examined_up_to, p.min_status_age, a.deleted_at is null and a.suspended_at is null as present
    from status_deletion_policies p join accounts a on a.id = p.account_id
    where p.account_id = ${accountId} and p.enabled for update of p skip locked`.execute(tx.db)
  const policy = policies[0]
  if (!policy) return 0
  const { going, upTo } = policy.present ? await examine(tx, accountId, policy) : { going: [], upTo: null }
  await removeStatuses(tx, going, { dropMedia: true })
  await sql`
    update status_deletion_policies set examined_up_to = coalesce(${upTo}::bigint, examined_up_to),
      examined_at = ${new Date(tx.clock.now())}
    where account_id = ${accountId}`.execute(tx.db)
  return going.length
}

/** The oldest that are to go, and up to where there is nothing left to look at. */
async function examine(
  tx: Tx,
  accountId: AccountId,
  policy: Due,
): Promise<{ going: StatusId[]; upTo: IdCursor | null }> {
  const before = timeToId(tx.clock.now() - policy.min_status_age * 1000)
  const { rows } = await sql<{ id: StatusId; goes: boolean }>`
    select s.id, ${goes} as goes
    from statuses s
    join status_deletion_policies p on p.account_id = s.account_id
    left join status_stats t on t.status_id = s.id
    where s.account_id = ${accountId} and s.deleted_at is null and s.id > ${policy.examined_up_to ?? '0'}::bigint
      and s.id < ${before}
    order by s.id limit ${examinedAtOnce}`.execute(tx.db)
  const going = rows.filter((row) => row.goes).map((row) => row.id)
  const chosen = going.slice(0, max.perAccount)
  const last = chosen.length < going.length ? chosen.at(-1) : rows.at(-1)?.id
  return { going: chosen, upTo: last ?? null }
}

/** Nothing of `status_deletion_policies p` keeps `statuses s`. Boosts go like posts. */
const goes = sql<boolean>`(
  (not p.keep_direct or s.visibility not in ('direct', 'limited'))
  and (not p.keep_polls or s.poll_id is null)
  and (not p.keep_media or s.media_ids = '{}')
  and (p.min_favourites is null or coalesce(t.favourites_count, 0) < p.min_favourites)
  and (p.min_reblogs is null or coalesce(t.reblogs_count, 0) < p.min_reblogs)
  and not (p.keep_pinned and exists (select 1 from status_pins k where k.status_id = s.id offset 0))
  and not (p.keep_self_favourite and exists (
    select 1 from favourites f where f.status_id = s.id and f.account_id = s.account_id offset 0))
  and not (p.keep_self_bookmark and exists (
    select 1 from bookmarks b where b.status_id = s.id and b.account_id = s.account_id offset 0)))`

/** Has posts looked at again, if they were before: what kept them may be gone. */
export async function reexamineStatuses(reader: Reader, ids: readonly StatusId[]): Promise<void> {
  await sql`
    with earliest as (
      select account_id, min(id) as id from statuses
      where id = any(${ids}::bigint[]) and local group by account_id)
    update status_deletion_policies p set examined_up_to = e.id - 1
    from earliest e where p.account_id = e.account_id and p.examined_up_to >= e.id`.execute(reader.db)
}
