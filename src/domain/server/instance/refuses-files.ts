import { sql, type RawBuilder } from 'kysely'

/**
 * SQL that is true for a host (an expression, null for this server's own) of which this server takes no files, by a
 * block of it or of a domain above it. Each of its names is looked up by itself: there may be thousands of blocks.
 */
export function refusesFiles(host: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from (
      select ${host} as name
      union all
      select array_to_string(l.labels[n:], '.')
      from (select string_to_array(regexp_replace(${host}, ':[0-9]+$', ''), '.') as labels) l,
        generate_subscripts(l.labels, 1) n) h
    cross join lateral (
      select 1 from domain_blocks fb
      where fb.domain = h.name and (fb.reject_media or fb.severity = 'suspend') offset 0) fb offset 0)`
}
