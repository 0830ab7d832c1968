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

/**
 * The servers of known accounts that are a domain or lie below it. Steps from one name to the next along the indexes,
 * however many accounts each has.
 */
export async function listHostsBelow(reader: Reader, domain: string): Promise<HostPair[]> {
  const { rows } = await sql<HostPair>`
    with recursive domains as (
      (select domain as name from accounts where domain is not null order by domain limit 1)
      union all
      select (select a.domain from accounts a where a.domain > d.name order by a.domain limit 1)
      from domains d where d.name is not null),
    uri_hosts as (
      (select uri_host as name from accounts where uri_host is not null order by uri_host limit 1)
      union all
      select (select a.uri_host from accounts a where a.uri_host > h.name order by a.uri_host limit 1)
      from uri_hosts h where h.name is not null)
    select a.domain, a.uri_host as "uriHost" from domains d join accounts a on a.domain = d.name
    where ${isBelow(sql`d.name`, domain)} group by 1, 2
    union
    select a.domain, a.uri_host from uri_hosts h join accounts a on a.uri_host = h.name
    where a.domain is not null and ${isBelow(sql`h.name`, domain)} group by 1, 2`.execute(reader.db)
  return rows
}
