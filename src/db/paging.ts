import { sql, type RawBuilder } from 'kysely'
import { pageOrder, type PageRequest } from '#lib/page.ts'
import type { IdCursor } from '#lib/id.ts'

/** The condition that cuts the page out of a list ordered by `column`, such as `statuses.id`. */
export function inPage(column: string, page: PageRequest): RawBuilder<boolean> {
  const ref = sql.ref(column)
  const above = page.minId ?? page.sinceId
  if (page.maxId !== undefined && above !== undefined) {
    return sql`(${ref} < ${page.maxId}::bigint and ${ref} > ${above}::bigint)`
  }
  if (page.maxId !== undefined) return sql`(${ref} < ${page.maxId}::bigint)`
  if (above !== undefined) return sql`(${ref} > ${above}::bigint)`
  return sql`true`
}

/** `order by COLUMN … limit …` of the page as SQL. */
export function orderAndLimit(column: string, page: PageRequest): RawBuilder<unknown> {
  return sql`${orderOf(column, page)} limit ${page.limit}`
}

/** `order by COLUMN …` of the page as SQL, for what is cut out of it already. */
export function orderOf(column: string, page: PageRequest): RawBuilder<unknown> {
  return sql`order by ${sql.ref(column)} ${sql.raw(pageOrder(page))}`
}

type Bound = IdCursor | null

/** A page as the arguments of a kept statement, which `pageFrom` makes one again. */
export const pageArguments = ({ maxId, sinceId, minId, limit }: PageRequest) =>
  [maxId ?? null, sinceId ?? null, minId ?? null, limit] as const

export const pageFrom = (maxId: Bound, sinceId: Bound, minId: Bound, limit: number): PageRequest => ({
  maxId: maxId ?? undefined,
  sinceId: sinceId ?? undefined,
  minId: minId ?? undefined,
  limit,
})
