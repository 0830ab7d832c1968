import type { Filter, FilterKeyword, FilterResult, FilterStatus, FilterV1 } from '#entities/filter.ts'
import type { Status } from '#entities/status.ts'
import type { KeywordFilterRow } from '#domain/reading/filters/by-keyword.ts'
import type { FilterMatch } from '#domain/reading/filters/match.ts'
import type { FilterFacts, FilterRow, FilterStatusRow, KeywordRow } from '#domain/reading/filters/queries.ts'
import type { FilterContext } from '#domain/reading/filters/rules.ts'
import { formatTime } from '#lib/time/time.ts'

/** Filter (https://docs.joinmastodon.org/entities/Filter/) with its keywords and statuses. */
export function renderFilter(row: FilterRow): Filter {
  return {
    ...renderFacts(row),
    keywords: row.keywords.map(renderFilterKeyword),
    statuses: row.statuses.map(renderFilterStatus),
  }
}

function renderFacts(facts: FilterFacts): FilterResult['filter'] {
  return {
    id: facts.id,
    title: facts.title,
    context: facts.context,
    expires_at: facts.expires_at === null ? null : formatTime(facts.expires_at),
    filter_action: facts.action,
  }
}

/** FilterKeyword (https://docs.joinmastodon.org/entities/FilterKeyword/). */
export function renderFilterKeyword(row: KeywordRow): FilterKeyword {
  return { id: row.id, keyword: row.keyword, whole_word: row.whole_word }
}

/** FilterStatus (https://docs.joinmastodon.org/entities/FilterStatus/). */
export function renderFilterStatus(row: FilterStatusRow): FilterStatus {
  return { id: row.id, status_id: row.status_id }
}

/** V1::Filter (https://docs.joinmastodon.org/entities/V1_Filter/): one keyword with what its filter says. */
export function renderKeywordFilter(row: KeywordFilterRow): FilterV1 {
  return {
    id: row.id,
    phrase: row.keyword,
    context: row.context,
    whole_word: row.whole_word,
    expires_at: row.expires_at === null ? null : formatTime(row.expires_at),
    irreversible: row.action === 'hide',
  }
}

/** FilterResult (https://docs.joinmastodon.org/entities/FilterResult/) as it stands in a Status under `filtered`. */
export function renderFilterResult({ filter, keywords, statusIds }: FilterMatch): FilterResult {
  return {
    filter: renderFacts({ ...filter, expires_at: filter.expiresAt }),
    keyword_matches: keywords.length === 0 ? null : keywords,
    status_matches: statusIds.length === 0 ? null : statusIds,
  }
}

/** Where what a filter hides is left out by the server. Elsewhere clients see to it, as with the other actions. */
export type HidingContext = Extract<FilterContext, 'home' | 'notifications'>

export function hides(results: readonly FilterResult[], context: HidingContext): boolean {
  return results.some(({ filter }) => filter.filter_action === 'hide' && filter.context.includes(context))
}

/** Whether a Status, as it was rendered for its viewer, is one that a filter of theirs hides altogether here. */
export function isHidden(status: Status | null | undefined, context: HidingContext): boolean {
  return hides(status?.filtered ?? [], context)
}
