// One's filters: what is kept out of which places, and how.
import type { Filter, FilterResult, FilterStatus } from '#entities/filter.ts'
import type { Status } from '#entities/status.ts'
import { post, put, remove } from '../api/client.ts'
import { change, invalidate } from './query.ts'
import { changeStatus } from './statuses.ts'
import type { FilterContext } from './timeline.ts'

export const filtersPath = '/api/v2/filters'

/** Where filters are for, in the order in which people read. */
export const contexts: readonly FilterContext[] = ['home', 'notifications', 'public', 'thread', 'account']
export const actions = ['warn', 'blur', 'hide'] as const satisfies readonly Filter['filter_action'][]

export interface KeywordForm {
  /** Of one that is there already. */
  id?: string
  keyword: string
  wholeWord: boolean
}

/** A filter as it is written. */
export interface FilterForm {
  title: string
  context: readonly FilterContext[]
  action: Filter['filter_action']
  /** In seconds; null is never, undefined leaves it as it is. */
  expiresIn: number | null | undefined
  keywords: readonly KeywordForm[]
}

export const emptyForm = (keywords: readonly KeywordForm[] = []): FilterForm => ({
  title: '',
  context: [...contexts],
  action: 'warn',
  expiresIn: null,
  keywords,
})

export const formOf = (filter: Filter): FilterForm => ({
  title: filter.title,
  context: filter.context,
  action: filter.filter_action,
  expiresIn: undefined,
  keywords: filter.keywords.map(({ id, keyword, whole_word: wholeWord }) => ({ id, keyword, wholeWord })),
})

/** What the operations take: keywords that are not in the form any more go. */
function bodyOf({ title, context, action, expiresIn, keywords }: FilterForm, before: Filter | null) {
  const kept = new Set(keywords.map(({ id }) => id))
  const gone = before?.keywords.filter(({ id }) => !kept.has(id)) ?? []
  const written = keywords.filter(({ keyword }) => keyword.trim() !== '')
  return {
    title: title.trim() || (written[0]?.keyword ?? ''),
    context,
    filter_action: action,
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
    keywords_attributes: [
      ...written.map(({ id, keyword, wholeWord }) => ({
        ...(id !== undefined && { id }),
        keyword: keyword.trim(),
        whole_word: wholeWord,
      })),
      ...gone.map(({ id }) => ({ id, _destroy: true })),
    ],
  }
}

/** Makes a filter, or changes one. Throws ApiError. */
export async function saveFilter(form: FilterForm, before: Filter | null): Promise<Filter> {
  const body = bodyOf(form, before)
  const saved = before
    ? await put<Filter>(`${filtersPath}/${before.id}`, { body })
    : await post<Filter>(filtersPath, { body })
  keepFilter(saved)
  return saved
}

/** Adds a word to a filter. Throws ApiError. */
export async function addKeyword(filter: Filter, { keyword, wholeWord }: KeywordForm): Promise<void> {
  await post(`${filtersPath}/${filter.id}/keywords`, {
    body: { keyword: keyword.trim(), whole_word: wholeWord },
  })
  invalidate(filtersPath)
}

/** Has a filter be for this post too, which shows it at once. Throws ApiError. */
export async function addStatus(filter: Filter, status: Status): Promise<void> {
  const made = await post<FilterStatus>(`${filtersPath}/${filter.id}/statuses`, {
    body: { status_id: status.id },
  })
  keepFilter({ ...filter, statuses: [...filter.statuses, made] })
  const { id, title, context, expires_at, filter_action } = filter
  const result: FilterResult = {
    filter: { id, title, context, expires_at, filter_action },
    keyword_matches: null,
    status_matches: [status.id],
  }
  changeStatus(status.id, ({ filtered = [] }) => ({ filtered: [...filtered, result] }))
}

function keepFilter(filter: Filter): void {
  change<Filter[]>(filtersPath, (filters = []) =>
    filters.some(({ id }) => id === filter.id)
      ? filters.map((one) => (one.id === filter.id ? filter : one))
      : [...filters, filter],
  )
}

/** Takes a filter out of the list. Returns how to take that back. */
export const hideFilter = (id: string) =>
  change<Filter[]>(filtersPath, (filters = []) => filters.filter((filter) => filter.id !== id))

export const deleteFilter = (id: string) => remove(`${filtersPath}/${id}`)

/** Takes a post out of a filter in the list. Returns how to take that back. */
export const hideStatus = (filterId: string, id: string) =>
  change<Filter[]>(filtersPath, (filters = []) =>
    filters.map((filter) =>
      filter.id === filterId
        ? { ...filter, statuses: filter.statuses.filter((status) => status.id !== id) }
        : filter,
    ),
  )

export const removeStatus = (id: string) => remove(`${filtersPath}/statuses/${id}`)
