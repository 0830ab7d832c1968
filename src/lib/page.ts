import type { IdCursor } from './id.ts'

/** What part of a list is asked for. `minId` wins over `sinceId`; `maxId` narrows both. */
export interface PageRequest {
  limit: number
  maxId?: IdCursor | undefined
  sinceId?: IdCursor | undefined
  minId?: IdCursor | undefined
}

/** One page, newest first, with the cursors of its ends: these may be ids of a join record. */
export interface Page<T> {
  items: T[]
  newest: IdCursor | null
  oldest: IdCursor | null
  /** As many rows as asked for were there, so that more may follow. */
  full: boolean
}

/** `min_id` reads upwards from its id, all else downwards from the top. */
export function pageOrder(page: PageRequest): 'asc' | 'desc' {
  return page.minId === undefined ? 'desc' : 'asc'
}

/** Puts rows that were read in `pageOrder` into a page, newest first. */
export function toPage<T>(rows: readonly T[], page: PageRequest, cursorOf: (row: T) => IdCursor): Page<T> {
  const items = pageOrder(page) === 'asc' ? rows.toReversed() : [...rows]
  const first = items[0]
  const last = items.at(-1)
  return {
    items,
    newest: first === undefined ? null : cursorOf(first),
    oldest: last === undefined ? null : cursorOf(last),
    full: rows.length >= page.limit,
  }
}

/** The same page with other items: cursors stay those of the skeleton. */
export function mapPage<T, U>(page: Page<T>, map: (items: T[]) => U[]): Page<U> {
  return { ...page, items: map(page.items) }
}
