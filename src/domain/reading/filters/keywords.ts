import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { keyBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { changeFilters } from './change-filters.ts'
import { getFilter, getKeyword, type KeywordRow } from './queries.ts'
import { assertKeyword } from './rules.ts'
import type { FilterId, FilterKeywordId } from '#lib/id.ts'

/** What is wanted of a keyword; what is not given stays, and whole words alone are found at first. */
export interface KeywordInput {
  keyword?: string | undefined
  wholeWord?: boolean | undefined
}

/** One of the keywords given with a filter: a new one without `id`. */
export interface KeywordChange extends KeywordInput {
  id?: FilterKeywordId | undefined
  destroy?: boolean | undefined
}

/** What Mastodon calls the keyword when it is given with its filter. */
const nested = 'keywords_keyword'

/** Adds a keyword to a filter. Throws `not_found` for a filter of somebody else, `invalid`. */
export async function addKeyword(
  ctx: Ctx,
  viewer: Viewer,
  filterId: FilterId,
  input: KeywordInput,
): Promise<KeywordRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    await getFilter(tx, viewer.accountId, filterId)
    return insertKeyword(tx, filterId, input)
  })
}

/** Writes one new keyword. Throws `invalid`. */
export async function insertKeyword(tx: Tx, filterId: FilterId, input: KeywordInput): Promise<KeywordRow> {
  assertKeyword(input.keyword ?? '')
  const [row] = await insertKeywords(tx, filterId, [input])
  if (!row) throw notFound()
  return row
}

/** Changes a keyword. Throws `not_found`, also for those of others, `invalid`. */
export async function updateKeyword(
  ctx: Ctx,
  viewer: Viewer,
  id: FilterKeywordId,
  input: KeywordInput,
): Promise<KeywordRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    const before = await getKeyword(tx, viewer.accountId, id)
    if (input.keyword !== undefined) assertKeyword(input.keyword)
    await updateKeywords(tx, before.filter_id, [{ ...input, id }])
    return getKeyword(tx, viewer.accountId, id)
  })
}

/** Deletes a keyword; its filter stays, also without any. Throws `not_found`, also for those of others. */
export async function deleteKeyword(ctx: Ctx, viewer: Viewer, id: FilterKeywordId): Promise<void> {
  await changeFilters(ctx, viewer, async (tx) => {
    const { filter_id } = await getKeyword(tx, viewer.accountId, id)
    await deleteKeywords(tx, filter_id, [id])
  })
}

/** Adds, changes and deletes keywords of one filter. Throws `not_found` for a keyword of another one, `invalid`. */
export async function changeKeywords(
  tx: Tx,
  filterId: FilterId,
  changes: readonly KeywordChange[],
): Promise<void> {
  const known = changes.flatMap((change) => (change.id === undefined ? [] : [{ ...change, id: change.id }]))
  // Forms have empty lines for what may still be added.
  const added = changes.filter(
    ({ id, destroy, keyword = '', wholeWord }) =>
      id === undefined && !destroy && (keyword.trim() !== '' || wholeWord !== undefined),
  )
  const changed = known.filter(({ destroy }) => !destroy)
  for (const { keyword } of added) assertKeyword(keyword ?? '', nested)
  for (const { keyword } of changed) if (keyword !== undefined) assertKeyword(keyword, nested)
  await updateKeywords(tx, filterId, changed)
  const destroyed = known.filter(({ destroy }) => destroy)
  await deleteKeywords(
    tx,
    filterId,
    destroyed.map(({ id }) => id),
  )
  await insertKeywords(tx, filterId, added)
}

/** One statement, whatever their number. What is named twice is as it was named last. */
async function updateKeywords(
  tx: Tx,
  filterId: FilterId,
  changes: readonly (KeywordInput & { id: FilterKeywordId })[],
): Promise<void> {
  const last = [...keyBy(changes, ({ id }) => id).values()]
  if (last.length === 0) return
  const { rows } = await sql`
    update filter_keywords k
    set keyword = coalesce(c.keyword, k.keyword), whole_word = coalesce(c.whole_word, k.whole_word)
    from unnest(${last.map(({ id }) => id)}::bigint[], ${last.map(({ keyword }) => keyword ?? null)}::text[],
      ${last.map(({ wholeWord }) => wholeWord ?? null)}::boolean[]) c (id, keyword, whole_word)
    where k.id = c.id and k.filter_id = ${filterId} returning k.id`.execute(tx.db)
  if (rows.length < last.length) throw notFound()
}

async function deleteKeywords(tx: Tx, filterId: FilterId, ids: readonly FilterKeywordId[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql`
    delete from filter_keywords where filter_id = ${filterId} and id = any(${ids}::bigint[]) returning id`.execute(
    tx.db,
  )
  if (rows.length < new Set(ids).size) throw notFound()
}

/** In their order, in one statement. */
async function insertKeywords(
  tx: Tx,
  filterId: FilterId,
  inputs: readonly KeywordInput[],
): Promise<KeywordRow[]> {
  if (inputs.length === 0) return []
  const rows = inputs.map(({ keyword = '', wholeWord = true }) => ({
    id: tx.newId<FilterKeywordId>(),
    keyword,
    whole_word: wholeWord,
  }))
  await sql`
    insert into filter_keywords (id, filter_id, keyword, whole_word, created_at)
    select n.id, ${filterId}, n.keyword, n.whole_word, ${new Date(tx.clock.now())}
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ keyword }) => keyword)}::text[],
      ${rows.map((row) => row.whole_word)}::boolean[]) n (id, keyword, whole_word)`.execute(tx.db)
  return rows
}
