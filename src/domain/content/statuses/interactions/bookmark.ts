import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { findVisibleStatus, getVisibleOriginal } from '../queries.ts'
import type { StatusId } from '#lib/id.ts'

/** Bookmarks a status, or what it boosts. Idempotent. Nobody else learns of it. Throws `not_found`. */
export async function bookmarkStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  await ctx.db
    .insertInto('bookmarks')
    .values({
      id: ctx.newId(),
      account_id: viewer.accountId,
      status_id: status.id,
      created_at: new Date(ctx.clock.now()),
    })
    .onConflict((on) => on.columns(['account_id', 'status_id']).doNothing())
    .execute()
  return status.id
}

/** Removes a bookmark, also of a status the viewer has lost access to. Throws `not_found` as `unfavouriteStatus` does. */
export async function unbookmarkStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const { accountId } = viewer
  const removed = await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ status_id: StatusId }>`
      delete from bookmarks where account_id = ${accountId}
        and status_id in (select coalesce(reblog_of_id, id) from statuses where id = ${id})
      returning status_id`.execute(tx.db)
    if (rows[0]) await tx.emit({ type: 'bookmark.deleted', accountId, statusId: rows[0].status_id })
    return rows[0]?.status_id
  })
  if (removed) return removed
  const visible = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!visible) throw notFound()
  return visible.reblog_of_id ?? visible.id
}
