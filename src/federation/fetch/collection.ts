// Collections of other servers, read as far as it is worth (https://www.w3.org/TR/activitystreams-core/#collections).
import type { Ctx } from '#ports/ctx.ts'
import { isObject, isSameHost, toCount, toId, toList, type JsonObject } from '../kit/json.ts'
import { fetchDocument } from './fetch-document.ts'

export interface CollectionLimits {
  items: number
  /** Pages that are fetched, without the collection itself. */
  pages: number
}

/** What a collection says of itself. Nobody can check the number. */
export interface CollectionFacts {
  total: number | null
  /** Whether it shows what is in it. */
  isOpen: boolean
}

/** How many are in a collection, and whether it shows them; null when it cannot be had. */
export async function fetchCollectionFacts(ctx: Ctx, uri: string): Promise<CollectionFacts | null> {
  const fetched = await fetchDocument(ctx, uri)
  if (fetched.kind !== 'document' || !isSameHost(fetched.uri, uri)) return null
  const { document } = fetched
  const isOpen = [document['first'], document['items'], document['orderedItems']].some(
    (value) => value != null,
  )
  return { total: toCount(document['totalItems']), isOpen }
}

/**
 * The first items of a collection: ids, or objects. All pages must be of its server, and each is read once. Null when
 * the collection itself cannot be had.
 */
export async function fetchItems(ctx: Ctx, uri: string, limits: CollectionLimits): Promise<unknown[] | null> {
  const fetched = await fetchDocument(ctx, uri)
  if (fetched.kind !== 'document' || !isSameHost(fetched.uri, uri)) return null
  const items: unknown[] = itemsOf(fetched.document)
  const seen = new Set<string>([uri])
  let next: unknown = items.length === 0 ? fetched.document['first'] : fetched.document['next']
  for (let page = 0; items.length < limits.items && page < limits.pages; page += 1) {
    const document = await openPage(ctx, next, { uri, seen })
    if (!document) break
    items.push(...itemsOf(document).slice(0, limits.items))
    next = document['next']
  }
  return items.slice(0, limits.items)
}

const itemsOf = (document: JsonObject) => toList(document['orderedItems'] ?? document['items'])

/** A page, which may stand in the collection itself. */
async function openPage(
  ctx: Ctx,
  page: unknown,
  { uri, seen }: { uri: string; seen: Set<string> },
): Promise<JsonObject | null> {
  if (isObject(page) && (page['items'] != null || page['orderedItems'] != null)) return page
  const id = toId(page)
  if (id === null || seen.has(id) || !isSameHost(id, uri)) return null
  seen.add(id)
  const fetched = await fetchDocument(ctx, id)
  // What it carries is believed as far as its server goes.
  return fetched.kind === 'document' && isSameHost(fetched.uri, uri) ? fetched.document : null
}
