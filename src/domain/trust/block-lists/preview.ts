// What blocking servers would mean here, before it is done.
import type { Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import type { ListedHost } from './parse-list.ts'

export interface DescribedHost extends ListedHost {
  /** Staff keep lists from blocking it, or one below it. */
  excluded: boolean
  /** The block that holds for it now, perhaps that of a domain above. */
  currentSeverity: Severity | null
  /** Accounts of it that are known here. */
  accountsCount: number
  /** Follows of people here to it, and from it to them. Suspending it ends them. */
  followsCount: number
  followersCount: number
}

interface Known {
  domain: string
  excluded: boolean
  severity: Severity | null
  accounts: number
  follows: number
  followers: number
}

/** What is known here of listed servers, in their order. For some hundred at a time. */
export async function describeHosts(reader: Reader, hosts: readonly ListedHost[]): Promise<DescribedHost[]> {
  if (hosts.length === 0) return []
  const names = hosts.flatMap(({ domain }) => namesOf(domain).map((name) => ({ domain, name })))
  const { rows } = await sql<Known>`
    with names as (
      select * from unnest(${names.map(({ domain }) => domain)}::text[], ${names.map(({ name }) => name)}::text[])
        n (domain, name))
    select h.domain,
      exists (select 1 from block_list_exclusions x where x.domain like '%.' || h.domain
        or x.domain in (select n.name from names n where n.domain = h.domain)) as excluded,
      (select b.severity from names n join domain_blocks b on b.domain = n.name where n.domain = h.domain
        order by length(b.domain) desc limit 1) as severity,
      t.accounts, t.follows, t.followers
    from unnest(${hosts.map(({ domain }) => domain)}::text[]) as h (domain)
    cross join lateral (
      select count(*)::int as accounts,
        coalesce(sum((select count(*) from follows f where f.target_account_id = a.id)), 0)::int as follows,
        coalesce(sum((select count(*) from follows f where f.account_id = a.id)), 0)::int as followers
      from accounts a where a.domain = h.domain and a.deleted_at is null) t`.execute(reader.db)
  const known = new Map(rows.map((row) => [row.domain, row]))
  return hosts.map((host) => {
    const row = known.get(host.domain)
    return {
      ...host,
      excluded: row?.excluded ?? false,
      currentSeverity: row?.severity ?? null,
      accountsCount: row?.accounts ?? 0,
      followsCount: row?.follows ?? 0,
      followersCount: row?.followers ?? 0,
    }
  })
}
