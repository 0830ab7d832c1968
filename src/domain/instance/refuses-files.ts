import { sql, type RawBuilder } from 'kysely'

/**
 * SQL that is true for a host (an expression, null for this server's own) of which this server takes no files. It looks
 * at every block there is: for few rows only.
 */
export function refusesFiles(host: RawBuilder<unknown>): RawBuilder<boolean> {
  const bare = sql`regexp_replace(${host}, ':[0-9]+$', '')`
  return sql<boolean>`exists (
    select 1 from domain_blocks fb where (fb.reject_media or fb.severity = 'suspend')
      and (fb.domain in (${host}, ${bare}) or right(${bare}, length(fb.domain) + 1) = '.' || fb.domain) offset 0)`
}
