// What an account left on the statuses of others: favourites, reactions, its name.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

const batch = 500

/** Takes an account's favourites and reactions back, with their counters, and its name out of what mentions it. */
export async function removeMarksOf(ctx: Ctx, accountId: AccountId): Promise<void> {
  while ((await removeFavourites(ctx, accountId)) === batch);
  while ((await removeReactions(ctx, accountId)) === batch);
  while ((await removeMentions(ctx, accountId)) === batch);
}

/** Counters are locked in the order of their ids. */
function removeFavourites(ctx: Ctx, accountId: AccountId): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ status_id: StatusId }>`
      delete from favourites where id = any(array(
        select id from favourites where account_id = ${accountId} order by id limit ${batch}))
      returning status_id`.execute(tx.db)
    await sql`
      with counted as (
        select status_id from status_stats where status_id = any(${rows.map((row) => row.status_id)}::bigint[])
        order by status_id for no key update)
      update status_stats t set favourites_count = greatest(t.favourites_count - 1, 0)
      from counted c where t.status_id = c.status_id`.execute(tx.db)
    return rows.length
  })
}

function removeReactions(ctx: Ctx, accountId: AccountId): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ status_id: StatusId }>`
      delete from status_reactions where id = any(array(
        select id from status_reactions where account_id = ${accountId} order by id limit ${batch}))
      returning status_id`.execute(tx.db)
    await sql`
      with gone as (
        select status_id, count(*)::int as count from unnest(${rows.map((row) => row.status_id)}::bigint[]) g (status_id)
        group by status_id),
      counted as (
        select t.status_id from status_stats t where t.status_id in (select status_id from gone)
        order by t.status_id for no key update)
      update status_stats t set reactions_count = greatest(t.reactions_count - g.count, 0)
      from gone g join counted c on c.status_id = g.status_id where t.status_id = g.status_id`.execute(tx.db)
    return rows.length
  })
}

async function removeMentions(ctx: Ctx, accountId: AccountId): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from mentions where account_id = ${accountId} and status_id = any(array(
        select status_id from mentions where account_id = ${accountId} limit ${batch}))
      returning status_id),
    shown as (update statuses set version = version + 1 where id in (select status_id from gone))
    select status_id from gone`.execute(ctx.db)
  return rows.length
}
