import { sql, type RawBuilder } from 'kysely'
import { pageOrder, type PageRequest } from '#lib/page.ts'

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
