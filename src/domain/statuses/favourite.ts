import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { getVisibleOriginal, findVisibleStatus } from './queries.ts'
import { notFound } from '#lib/errors.ts'

/** Favourites a status, or what it boosts; again is fine. Answers its id. Throws `not_found`. */
export async function favouriteStatus(ctx: Ctx, viewer: Viewer, id: Id): Promise<Id> {
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      with made as (
        insert into favourites (id, account_id, status_id, created_at)
        values (${tx.newId()}, ${viewer.accountId}, ${status.id}, ${new Date(tx.clock.now())})
        on conflict (account_id, status_id) do nothing returning status_id)
      insert into status_stats (status_id, favourites_count) select status_id, 1 from made
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
      returning status_id`.execute(tx.db)
    if (rows.length > 0)
      await tx.emit({ type: 'favourite.created', accountId: viewer.accountId, statusId: status.id })
  })
  return status.id
}

/**
 * Takes a favourite back. Works on a status the viewer has lost access to, and tells nothing of one that they
 * never favourited and cannot see: both are `not_found`.
 */
export async function unfavouriteStatus(ctx: Ctx, viewer: Viewer, id: Id): Promise<Id> {
  const removed = await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ status_id: Id }>`
      with original as (select coalesce(reblog_of_id, id) as id from statuses where id = ${id}),
      gone as (
        delete from favourites where account_id = ${viewer.accountId} and status_id in (select id from original)
        returning status_id)
      update status_stats set favourites_count = favourites_count - 1
      where status_id in (select status_id from gone) returning status_id`.execute(tx.db)
    const statusId = rows[0]?.status_id
    if (statusId) await tx.emit({ type: 'favourite.deleted', accountId: viewer.accountId, statusId })
    return statusId
  })
  if (removed) return removed
  const visible = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!visible) throw notFound()
  return visible.reblog_of_id ?? visible.id
}
