import type { FilterAction, FilterContext } from './rules.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, FilterId, FilterKeywordId, FilterStatusId, StatusId } from '#lib/id.ts'

export interface KeywordRow {
  id: FilterKeywordId
  keyword: string
  whole_word: boolean
}

export interface FilterStatusRow {
  id: FilterStatusId
  status_id: StatusId
}

/** What of a filter stands in the results of filtering too. */
export interface FilterFacts {
  id: FilterId
  title: string
  context: readonly FilterContext[]
  action: FilterAction
  expires_at: Date | null
}

export interface FilterRow extends FilterFacts {
  keywords: KeywordRow[]
  statuses: FilterStatusRow[]
}

const keywordsOf: RawBuilder<unknown> = sql`(
  select coalesce(json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)
    order by k.id), '[]') from filter_keywords k where k.filter_id = f.id)`

const statusesOf: RawBuilder<unknown> = sql`(
  select coalesce(json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id), '[]')
  from filter_statuses s where s.filter_id = f.id)`

/** A person's filters with all they hold, also those that have expired, the oldest first. */
export async function listFilters(reader: Reader, accountId: AccountId): Promise<FilterRow[]> {
  const { rows } = await selectFilters(sql`f.account_id = ${accountId}`).execute(reader.db)
  return rows
}

/** One of a person's filters. Throws `not_found`, also for those of others. */
export async function getFilter(reader: Reader, accountId: AccountId, id: FilterId): Promise<FilterRow> {
  const { rows } = await selectFilters(sql`f.account_id = ${accountId} and f.id = ${id}`).execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

function selectFilters(condition: RawBuilder<unknown>): RawBuilder<FilterRow> {
  return sql<FilterRow>`
    select f.id, f.title, f.context, f.action, f.expires_at, ${keywordsOf} as keywords, ${statusesOf} as statuses
    from filters f where ${condition} order by f.id`
}

/** A keyword and the filter it belongs to. */
export interface OwnedKeyword extends KeywordRow {
  filter_id: FilterId
}

/** One keyword of a person's filters. Throws `not_found`, also for those of others. */
export async function getKeyword(
  reader: Reader,
  accountId: AccountId,
  id: FilterKeywordId,
): Promise<OwnedKeyword> {
  const row = await reader.db
    .selectFrom('filter_keywords as k')
    .innerJoin('filters as f', 'f.id', 'k.filter_id')
    .select(['k.id', 'k.keyword', 'k.whole_word', 'k.filter_id'])
    .where('k.id', '=', id)
    .where('f.account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** One status that a person's filters name. Throws `not_found`, also for those of others. */
export async function getFilterStatus(
  reader: Reader,
  accountId: AccountId,
  id: FilterStatusId,
): Promise<FilterStatusRow> {
  const row = await reader.db
    .selectFrom('filter_statuses as s')
    .innerJoin('filters as f', 'f.id', 's.filter_id')
    .select(['s.id', 's.status_id'])
    .where('s.id', '=', id)
    .where('f.account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}
