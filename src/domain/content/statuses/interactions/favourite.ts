import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { getVisibleOriginal, findVisibleStatus } from '../queries.ts'
import { notFound } from '#lib/errors.ts'
import type { FavouriteId, StatusId } from '#lib/id.ts'

/**
 * Favourites a status, or what it boosts. Idempotent. `uri`: the activity, where another server sent one. Returns
 * its id. Throws `not_found`.
 */
export async function favouriteStatus(
  ctx: Ctx,
  viewer: Actor,
  id: StatusId,
  uri: string | null = null,
): Promise<StatusId> {
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  await ctx.transaction(async (tx) => {
    const favouriteId = tx.newId<FavouriteId>()
    const { rows } = await sql`
      with made as (
        insert into favourites (id, account_id, status_id, uri, created_at)
        values (${favouriteId}, ${viewer.accountId}, ${status.id}, ${uri}, ${new Date(tx.clock.now())})
        on conflict (account_id, status_id) do nothing returning status_id)
      insert into status_stats (status_id, favourites_count) select status_id, 1 from made
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1,
        told_favourites_count = status_stats.told_favourites_count + 1
      returning status_id`.execute(tx.db)
    if (rows.length > 0) {
      const { accountId } = viewer
      await tx.emit({ type: 'favourite.created', accountId, statusId: status.id, favouriteId })
    }
  })
  return status.id
}

/**
 * Takes a favourite back. Works on a status the viewer has lost access to, and tells nothing of one that they
 * never favourited and cannot see: both are `not_found`.
 */
export async function unfavouriteStatus(ctx: Ctx, viewer: Actor, id: StatusId): Promise<StatusId> {
  const removed = await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ status_id: StatusId; favourite_id: FavouriteId }>`
      with original as (select coalesce(reblog_of_id, id) as id from statuses where id = ${id}),
      gone as (
        delete from favourites where account_id = ${viewer.accountId} and status_id in (select id from original)
        returning id, status_id),
      counted as (
        update status_stats set favourites_count = greatest(favourites_count - 1, 0),
          told_favourites_count = case when told_favourites_count > 0 then told_favourites_count - 1 end
        where status_id in (select status_id from gone))
      select status_id, id as favourite_id from gone`.execute(tx.db)
    const gone = rows[0]
    if (!gone) return undefined
    const { status_id: statusId, favourite_id: favouriteId } = gone
    await tx.emit({ type: 'favourite.deleted', accountId: viewer.accountId, statusId, favouriteId })
    return statusId
  })
  if (removed) return removed
  const visible = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!visible) throw notFound()
  return visible.reblog_of_id ?? visible.id
}
