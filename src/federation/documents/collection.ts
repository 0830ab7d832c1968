// Collections as they are served (https://www.w3.org/TR/activitystreams-core/#collections): an entry without items
// that names its first page, and pages that name the next.
import { isId } from '#lib/ids.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import type { JsonObject } from '../kit/json.ts'
import type { IdCursor } from '#lib/id.ts'

export interface CollectionAsk {
  /** The collection's own id. */
  uri: string
  query: URLSearchParams
}

/** A collection of which only the number is told. */
export const countOf = (uri: string, totalItems: number): JsonObject => ({
  id: uri,
  type: 'Collection',
  totalItems,
})

export const orderedEntry = (uri: string, more: JsonObject): JsonObject => ({
  id: uri,
  type: 'OrderedCollection',
  ...more,
  first: `${uri}?page=true`,
})

/** Which page is asked for, newest first; null when it is the entry. */
export function readPage(query: URLSearchParams, limit: number): PageRequest | null {
  if (!query.has('page')) return null
  const [maxId, minId] = [query.get('max_id'), query.get('min_id')]
  return {
    limit,
    ...(maxId !== null && isId(maxId) && { maxId }),
    ...(minId !== null && isId(minId) && { minId }),
  }
}

/** The part of the address that asks for a page, as `readPage` reads it. */
function pageUri(uri: string, parameters: Readonly<Record<string, string>>): string {
  return `${uri}?${new URLSearchParams({ page: 'true', ...parameters })}`
}

/** A page of a list that is read from the newest down. */
export function orderedPage(ask: CollectionAsk, page: Page<unknown>, request: PageRequest): JsonObject {
  const own = {
    ...(request.maxId !== undefined && { max_id: request.maxId }),
    ...(request.minId !== undefined && { min_id: request.minId }),
  }
  return {
    id: pageUri(ask.uri, own),
    type: 'OrderedCollectionPage',
    partOf: ask.uri,
    ...(page.full && page.oldest !== null && { next: pageUri(ask.uri, { max_id: page.oldest }) }),
    ...(page.newest !== null && { prev: pageUri(ask.uri, { min_id: page.newest }) }),
    orderedItems: page.items,
  }
}

/** A page of a list that is read from the oldest up. `also`: what its address says besides. */
export function risingPage(
  uri: string,
  {
    page,
    after,
    also = {},
  }: { page: Page<string>; after: IdCursor; also?: Readonly<Record<string, string>> },
): JsonObject {
  const rising = mapPage(page, (items) => items.toReversed())
  return {
    id: pageUri(uri, { ...also, ...(after !== '0' && { min_id: after }) }),
    type: 'CollectionPage',
    partOf: uri,
    ...(rising.full && rising.newest !== null && { next: pageUri(uri, { ...also, min_id: rising.newest }) }),
    items: rising.items,
  }
}
