// Filters as version 1 of the API has them: each keyword is one, and shares what it says with the others of its filter.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { changeFilters } from './change-filters.ts'
import { changeKeywords, insertKeyword } from './keywords.ts'
import { getFilter, type FilterRow } from './queries.ts'
import { changedValues, type FilterAction, type FilterContext, type FilterInput } from './rules.ts'
import { insertFilter, updateFilterRow } from './write-filter.ts'
import type { AccountId, FilterId, FilterKeywordId } from '#lib/id.ts'

export interface KeywordFilterRow {
  /** Of the keyword. */
  id: FilterKeywordId
  filter_id: FilterId
  keyword: string
  whole_word: boolean
  title: string
  context: readonly FilterContext[]
  action: FilterAction
  expires_at: Date | null
}

/** What is wanted; what is not given stays as it is. */
export interface KeywordFilterInput {
  phrase?: string | undefined
  context?: readonly string[] | undefined
  irreversible?: boolean | undefined
  wholeWord?: boolean | undefined
  /** In seconds from now; null is never. */
  expiresIn?: number | null | undefined
}

function selectKeywordFilters(condition: RawBuilder<unknown>): RawBuilder<KeywordFilterRow> {
  return sql<KeywordFilterRow>`
    select k.id, k.filter_id, k.keyword, k.whole_word, f.title, f.context, f.action, f.expires_at
    from filters f join filter_keywords k on k.filter_id = f.id where ${condition} order by f.id, k.id`
}

/** All keywords of a person's filters. */
export async function listKeywordFilters(reader: Reader, accountId: AccountId): Promise<KeywordFilterRow[]> {
  const { rows } = await selectKeywordFilters(sql`f.account_id = ${accountId}`).execute(reader.db)
  return rows
}

/** One of them, by the id of its keyword. Throws `not_found`, also for those of others. */
export async function getKeywordFilter(
  reader: Reader,
  accountId: AccountId,
  id: FilterKeywordId,
): Promise<KeywordFilterRow> {
  const { rows } = await selectKeywordFilters(sql`f.account_id = ${accountId} and k.id = ${id}`).execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Makes a filter with one keyword, which is its title too. Throws `invalid`. */
export async function createKeywordFilter(
  ctx: Ctx,
  viewer: Viewer,
  input: KeywordFilterInput,
): Promise<KeywordFilterRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    const { phrase, context, irreversible, expiresIn, wholeWord } = input
    const action = irreversible ? 'hide' : 'warn'
    const filterId = await insertFilter(tx, viewer.accountId, { title: phrase, context, action, expiresIn })
    const { id } = await insertKeyword(tx, filterId, { keyword: phrase, wholeWord })
    return getKeywordFilter(tx, viewer.accountId, id)
  })
}

/**
 * Changes a keyword and what its filter says. Throws `not_found`, also for those of others, and `invalid`, also for
 * what would change other keywords with it.
 */
export async function updateKeywordFilter(
  ctx: Ctx,
  viewer: Viewer,
  id: FilterKeywordId,
  input: KeywordFilterInput,
): Promise<KeywordFilterRow> {
  return changeFilters(ctx, viewer, async (tx) => {
    const before = await getKeywordFilter(tx, viewer.accountId, id)
    const filter = await getFilter(tx, viewer.accountId, before.filter_id)
    const values = valuesFor(before, input)
    if (filter.keywords.length === 1) await updateFilterRow(tx, filter, values)
    else assertUnchanged(filter, values, tx.clock.now())
    const change = { id, keyword: input.phrase, wholeWord: input.wholeWord }
    await changeKeywords(tx, filter.id, [change])
    return getKeywordFilter(tx, viewer.accountId, id)
  })
}

function valuesFor(before: KeywordFilterRow, input: KeywordFilterInput): FilterInput {
  const { irreversible } = input
  const hides = before.action === 'hide'
  const action =
    irreversible === undefined || irreversible === hides ? undefined : irreversible ? 'hide' : 'warn'
  // A title of its own, which only newer clients show, is not what these ones edit.
  const title = before.title === before.keyword ? input.phrase : undefined
  return { title, context: input.context, action, expiresIn: input.expiresIn }
}

function assertUnchanged(filter: FilterRow, input: FilterInput, now: number): void {
  const { title, action, expires_at } = filter
  const before = { title, action, expires_at, context: [...filter.context] }
  const after = changedValues(before, { ...input, title: undefined }, now)
  const same =
    after.action === action &&
    after.expires_at?.getTime() === expires_at?.getTime() &&
    after.context.toSorted().join() === before.context.toSorted().join()
  if (!same) throw unprocessable('several_keywords')
}
