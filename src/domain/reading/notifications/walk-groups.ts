// Finds the groups on a page of notifications.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { OrNulls } from '#db/schema/types.ts'
import { inPage } from '#db/paging.ts'
import { pageOrder, type PageRequest } from '#lib/page.ts'
import { keyFor } from './group-key.ts'
import {
  notificationColumns,
  notificationRange,
  notificationSource,
  type NotificationFilter,
  type NotificationRow,
  type Recipient,
} from './queries.ts'
import type { IdCursor } from '#lib/id.ts'
import { maxId } from '#lib/ids.ts'

/** Which notifications are asked for, and the kinds that may be grouped; all that can be by default. */
export interface GroupFilter extends NotificationFilter {
  groupedTypes?: readonly string[] | undefined
}

/** With the key of the group that it stands for. */
export type KeyedRow = NotificationRow & { key: string }

/** What a page of groups covers. */
export interface Walk {
  /** The first met of each group, in the order of the page. */
  rows: KeyedRow[]
  /** Where the walk had to stop, or null when it came to the end of the list. */
  end: IdCursor | null
}

/** From group to group: what belongs to one that was met is skipped before anything else is asked of it. */
export async function walkGroups(
  reader: Reader,
  recipient: Recipient,
  { filter, page, reach }: { filter: GroupFilter; page: PageRequest; reach: number },
): Promise<Walk> {
  const source = await notificationSource(reader, recipient, filter)
  const key = keyFor('n', filter.groupedTypes)
  const descending = pageOrder(page) === 'desc'
  const within = sql`${inPage('n.id', page)}
    and ${descending ? sql`n.id >= coalesce((select id from reach_end), 0)` : sql`n.id <= coalesce((select id from reach_end), ${maxId}::bigint)`}`
  const order = sql`order by n.id ${sql.raw(pageOrder(page))}`
  const { rows } = await sql<OrNulls<KeyedRow> & { end: IdCursor | null }>`
    with recursive reach_end (id) as (
      select n.id ${notificationRange(recipient, filter)} and ${inPage('n.id', page)} ${order} offset ${reach} limit 1),
    walk (id, key, keys) as (
      (select n.id, ${key}, array[${key}] ${source} and ${within} ${order} limit 1)
      union all
      select next.id, next.key, w.keys || next.key from walk w cross join lateral (
        select n.id, ${key} as key ${source} and ${within} and n.id ${sql.raw(descending ? '<' : '>')} w.id
          and ${key} <> all(w.keys) ${order} limit 1) next
      where cardinality(w.keys) < ${page.limit})
    select (select id from reach_end) as "end", w.key, ${notificationColumns('n')}
    from (select 1) one left join (walk w join notifications n on n.id = w.id) on true ${order}`.execute(
    reader.db,
  )
  return { rows: rows.filter((row) => row.id !== null), end: rows[0]?.end ?? null }
}

/** The notifications that a page covers. */
export interface Range {
  lowest: IdCursor
  highest: IdCursor
  descending: boolean
}

/** Up to the last group that was met, or to where the walk had to stop, or to the end of the list. */
export function rangeOf({ rows, end }: Walk, page: PageRequest): Range {
  const descending = pageOrder(page) === 'desc'
  const stop = rows.length >= page.limit ? rows.at(-1)?.id : end
  return descending
    ? { lowest: stop ?? neighbour(page.sinceId, 1n) ?? '0', highest: maxId, descending }
    : { lowest: '0', highest: stop ?? neighbour(page.maxId, -1n) ?? maxId, descending }
}

const neighbour = (id: IdCursor | undefined, step: bigint) =>
  id === undefined ? null : String(BigInt(id) + step)
