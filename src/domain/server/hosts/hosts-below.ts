// Which of the servers that are known here a block or a permission names.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** SQL that is true for a host (an expression) that is a domain or lies below it, with or without a port. */
export function isBelow(host: RawBuilder<unknown>, domain: string): RawBuilder<boolean> {
  const bare = sql`regexp_replace(${host}, ':[0-9]+$', '')`
  return sql<boolean>`(${host} = ${domain} or ${bare} = ${domain}
    or right(${bare}, length(${domain}::text) + 1) = '.' || ${domain}::text)`
}

/** A server as accounts name it: the domain of their handles, and the host of their ids. */
export interface HostPair {
  domain: string
  uriHost: string | null
}

/** A host without its port, from its end: what lies below a domain is one range of an index then. */
const turned = (host: string) => sql`(reverse(regexp_replace(${sql.ref(host)}, ':[0-9]+$', '')) collate "C")`

/**
 * The servers of known accounts that are a domain or lie below it. Steps along indexes from one of their names to the
 * next, however many accounts each has, and however many other servers there are.
 */
export async function listHostsBelow(reader: Reader, domain: string): Promise<HostPair[]> {
  const end = [...domain].toReversed().join('')
  // The letter after the dot; names such as `other-example.org`, which a dash puts in between, are left out below.
  const within = (name: RawBuilder<unknown>) => sql`${name} >= ${end} and ${name} < ${`${end}/`}`
  const isMeant = (name: RawBuilder<unknown>) => sql`(${name} = ${end} or starts_with(${name}, ${`${end}.`}))`
  const { rows } = await sql<HostPair>`
    with recursive names as (
      (select ${turned('domain')} as name from accounts
        where domain is not null and ${within(turned('domain'))} order by 1 limit 1)
      union all
      select (select ${turned('a.domain')} from accounts a
        where a.domain is not null and ${turned('a.domain')} > n.name and ${turned('a.domain')} < ${`${end}/`}
        order by 1 limit 1)
      from names n where n.name is not null)
    select a.domain, a.uri_host as "uriHost" from names n
      join accounts a on a.domain is not null and ${turned('a.domain')} = n.name
    where ${isMeant(sql`n.name`)} group by 1, 2
    union
    select domain, uri_host from accounts
    where uri_host <> domain and ${within(turned('uri_host'))} and ${isMeant(turned('uri_host'))} group by 1, 2
    union
    select domain, uri_host from accounts where domain = ${domain} group by 1, 2
    union
    select domain, uri_host from accounts where uri_host = ${domain} and domain is not null group by 1, 2`.execute(
    reader.db,
  )
  return rows
}
