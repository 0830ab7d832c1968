// Counters made anew from what they count, where something went wrong with them.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

const batch = 500

export type Counted = 'accounts' | 'statuses'

export interface Recounted {
  looked: number
  /** Those whose counters were wrong. */
  corrected: number
}

/**
 * Counts followers, followed and statuses of the accounts of this server, or replies, boosts, favourites, quotes and
 * reactions of all statuses. What other servers told of theirs stays. In steps that block nobody for long; `onDone` is
 * called after each with how many rows it looked at.
 */
export async function recount(
  ctx: Ctx,
  what: Counted,
  onDone: (count: number) => void = () => {},
): Promise<Recounted> {
  const total: Recounted = { looked: 0, corrected: 0 }
  for (let after: IdCursor = '0'; ;) {
    const ids = await listIds(ctx, what, after)
    if (ids.length > 0) total.corrected += await correct(ctx, what, ids)
    total.looked += ids.length
    onDone(ids.length)
    if (ids.length < batch) return total
    after = ids.at(-1) ?? after
  }
}

/** About how many rows there are to look at. */
export async function countCounted(ctx: Ctx, what: Counted): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ${sql.table(what)} where ${isCounted(what)}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

const isCounted = (what: Counted) =>
  what === 'accounts'
    ? sql<boolean>`domain is null and deleted_at is null`
    : sql<boolean>`deleted_at is null and reblog_of_id is null`

async function listIds(ctx: Ctx, what: Counted, after: IdCursor): Promise<(AccountId | StatusId)[]> {
  const { rows } = await sql<{ id: AccountId | StatusId }>`
    select id from ${sql.table(what)} where id > ${after} and ${isCounted(what)}
    order by id limit ${batch}`.execute(ctx.db)
  return rows.map((row) => row.id)
}

/**
 * Rows of counters are locked by a statement of their own: what others change meanwhile has been counted by then, or
 * comes behind and adds to what is written here.
 */
function correct(ctx: Ctx, what: Counted, ids: readonly (AccountId | StatusId)[]): Promise<number> {
  const [table, owner] = what === 'accounts' ? ['account_stats', 'account_id'] : ['status_stats', 'status_id']
  return ctx.transaction(async (tx) => {
    await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(owner)} = any(${ids}::bigint[])
      order by ${sql.ref(owner)} for update`.execute(tx.db)
    const { rows } = await (what === 'accounts' ? writeAccounts(ids) : writeStatuses(ids)).execute(tx.db)
    if (what === 'statuses') await forgetCounts(tx, ids)
    return rows.length
  })
}

/** Those by hour and by server are counted anew when somebody asks for them. */
async function forgetCounts(tx: Tx, ids: readonly (AccountId | StatusId)[]): Promise<void> {
  await sql`
    update status_stats set counts_kept = false where status_id = any(${ids}::bigint[]) and counts_kept`.execute(
    tx.db,
  )
}

const writeAccounts = (ids: readonly (AccountId | StatusId)[]) => sql`
  insert into account_stats as t (account_id, followers_count, following_count, statuses_count)
  select w.id,
    (select count(*) from follows f where f.target_account_id = w.id),
    (select count(*) from follows f where f.account_id = w.id),
    (select count(*) from statuses s
      where s.account_id = w.id and s.deleted_at is null and s.visibility <> 'direct')
  from unnest(${ids}::bigint[]) w (id) order by w.id
  on conflict (account_id) do update set followers_count = excluded.followers_count,
    following_count = excluded.following_count, statuses_count = excluded.statuses_count
  where (t.followers_count, t.following_count, t.statuses_count)
    <> (excluded.followers_count, excluded.following_count, excluded.statuses_count)
  returning t.account_id`

const writeStatuses = (ids: readonly (AccountId | StatusId)[]) => sql`
  insert into status_stats as t (status_id, replies_count, reblogs_count, favourites_count, quotes_count,
    reactions_count)
  select * from (
    select w.id,
      (select count(*)::int from statuses r where r.in_reply_to_id = w.id and r.deleted_at is null
        and r.visibility in ('public', 'unlisted')) as replies,
      (select count(*)::int from statuses r where r.reblog_of_id = w.id and r.deleted_at is null) as reblogs,
      (select count(*)::int from favourites f where f.status_id = w.id) as favourites,
      (select count(*)::int from quotes q join statuses r on r.id = q.status_id
        where q.quoted_status_id = w.id and q.state = 'accepted' and r.deleted_at is null) as quotes,
      (select count(*)::int from status_reactions r where r.status_id = w.id) as reactions
    from unnest(${ids}::bigint[]) w (id)) n
  where replies + reblogs + favourites + quotes + reactions > 0
    or exists (select 1 from status_stats o where o.status_id = n.id)
  order by id
  on conflict (status_id) do update set replies_count = excluded.replies_count,
    reblogs_count = excluded.reblogs_count, favourites_count = excluded.favourites_count,
    quotes_count = excluded.quotes_count, reactions_count = excluded.reactions_count
  where (t.replies_count, t.reblogs_count, t.favourites_count, t.quotes_count, t.reactions_count)
    <> (excluded.replies_count, excluded.reblogs_count, excluded.favourites_count, excluded.quotes_count,
      excluded.reactions_count)
  returning t.status_id`
