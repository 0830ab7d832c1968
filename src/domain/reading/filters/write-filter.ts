import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { changeFilters } from './change-filters.ts'
import { changeKeywords, type KeywordChange } from './keywords.ts'
import { getFilter, type FilterRow } from './queries.ts'
import { changedValues, type FilterInput, type FilterValues } from './rules.ts'
import type { AccountId, FilterId } from '#lib/id.ts'

const blank: FilterValues = { title: '', context: [], action: 'warn', expires_at: null }

export interface FilterChange extends FilterInput {
  keywords?: readonly KeywordChange[] | undefined
}

/** Makes a filter with its keywords. Throws `invalid`. */
export async function createFilter(ctx: Ctx, viewer: Viewer, change: FilterChange): Promise<FilterRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    const id = await insertFilter(tx, viewer.accountId, change)
    await changeKeywords(tx, id, change.keywords ?? [])
    return getFilter(tx, viewer.accountId, id)
  })
}

/** Writes the row of a new filter. Throws `invalid`. */
export async function insertFilter(tx: Tx, accountId: AccountId, input: FilterInput): Promise<FilterId> {
  const now = new Date(tx.clock.now())
  const id = tx.newId<FilterId>()
  await tx.db
    .insertInto('filters')
    .values({
      id,
      account_id: accountId,
      ...changedValues(blank, input, now.getTime()),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/**
 * Changes a filter: what is not given stays, keywords that are not named too. Throws `not_found` for a filter, or a
 * keyword, that is not the viewer's, `invalid`.
 */
export async function updateFilter(
  ctx: Ctx,
  viewer: Viewer,
  id: FilterId,
  change: FilterChange,
): Promise<FilterRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    await updateFilterRow(tx, await getFilter(tx, viewer.accountId, id), change)
    await changeKeywords(tx, id, change.keywords ?? [])
    return getFilter(tx, viewer.accountId, id)
  })
}

/** Writes what is given into the row of a filter. Throws `invalid`. */
export async function updateFilterRow(tx: Tx, before: FilterRow, input: FilterInput): Promise<void> {
  const now = new Date(tx.clock.now())
  const { title, context, action, expires_at } = before
  const values = changedValues({ title, context: [...context], action, expires_at }, input, now.getTime())
  await tx.db
    .updateTable('filters')
    .set({ ...values, updated_at: now })
    .where('id', '=', before.id)
    .execute()
}

/** Deletes a filter with all it holds. Throws `not_found`, also for those of others. */
export async function deleteFilter(ctx: Ctx, viewer: Viewer, id: FilterId): Promise<void> {
  await changeFilters(ctx, viewer, async (tx) => {
    const deleted = await tx.db
      .deleteFrom('filters')
      .where('id', '=', id)
      .where('account_id', '=', viewer.accountId)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) throw notFound()
  })
}
