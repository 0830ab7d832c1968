// Single statuses that a filter names.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getVisibleStatus } from '#domain/content/statuses/queries.ts'
import { invalid } from '#lib/errors.ts'
import { changeFilters } from './change-filters.ts'
import { getFilter, getFilterStatus, type FilterStatusRow } from './queries.ts'
import type { FilterId, FilterStatusId, StatusId } from '#lib/id.ts'

/**
 * Adds a status to a filter. Throws `not_found` for a filter of somebody else and for a status that the viewer may not
 * see, `invalid` for one that is in it.
 */
export async function addFilterStatus(
  ctx: Ctx,
  viewer: Viewer,
  filterId: FilterId,
  statusId: StatusId,
): Promise<FilterStatusRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    await getFilter(tx, viewer.accountId, filterId)
    await getVisibleStatus(tx, viewer.accountId, statusId)
    const { rows } = await sql<FilterStatusRow>`
      insert into filter_statuses (id, filter_id, status_id, created_at)
      values (${tx.newId()}, ${filterId}, ${statusId}, ${new Date(tx.clock.now())})
      on conflict do nothing returning id, status_id`.execute(tx.db)
    if (!rows[0]) throw invalid('status', 'taken')
    return rows[0]
  })
}

/** Takes a status out of a filter and answers what was there. Throws `not_found`, also for those of others. */
export async function deleteFilterStatus(
  ctx: Ctx,
  viewer: Viewer,
  id: FilterStatusId,
): Promise<FilterStatusRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    const row = await getFilterStatus(tx, viewer.accountId, id)
    await tx.db.deleteFrom('filter_statuses').where('id', '=', id).execute()
    return row
  })
}
