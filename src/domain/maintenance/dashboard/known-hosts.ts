// The servers that are known here, as staff look through them: how much came of each, how it answers, what limits it.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { unavailableAfter } from '#domain/server/hosts/breaker.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import { isOwnDomain } from '#domain/identity/accounts/lookup.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { notFound } from '#lib/errors.ts'

/** `failing`: it did not answer lately, and is tried again. `given_up`: nothing is sent until it is heard of. */
export const hostHealths = ['well', 'failing', 'given_up', 'stopped'] as const
export type HostHealth = (typeof hostHealths)[number]

export const hostLimits = ['suspend', 'silence', 'noop', 'allowed'] as const
export const hostSorts = ['accounts', 'domain', 'newest', 'failed'] as const

export interface HostFilter {
  /** A part of the name. */
  query?: string | undefined
  health?: HostHealth | undefined
  /** Those with a block of this kind, or a permission, of just their name. */
  limit?: (typeof hostLimits)[number] | undefined
  sort?: (typeof hostSorts)[number] | undefined
}

export interface KnownHost {
  domain: string
  software: string | null
  software_version: string | null
  /** As of the last night. */
  accounts: number
  follows: number
  followers: number
  health: HostHealth
  /** In a row. */
  failures: number
  last_error: string | null
  last_error_at: Date | null
  /** Not tried before. */
  closed_until: Date | null
  first_seen_at: Date | null
  /** Of a block of just this name. */
  severity: Severity | null
  allowed: boolean
}

const healthOf = sql<HostHealth>`
  case when h.stopped_at is not null then 'stopped' when h.failed_days >= ${unavailableAfter}::int then 'given_up'
    when h.failures > 0 then 'failing' else 'well' end`

const columns = sql`
  coalesce(h.host, t.host, '') as domain, h.software, h.software_version, coalesce(t.accounts, 0)::float8 as accounts,
  coalesce(t.follows, 0)::float8 as follows, coalesce(t.followers, 0)::float8 as followers, ${healthOf} as health,
  coalesce(h.failures, 0) as failures, h.last_error, h.last_error_at, h.closed_until, h.created_at as first_seen_at,
  b.severity, a.id is not null as allowed`

/** To be joined to `n`, which has their names. */
const facts = sql`
  left join hosts h on h.host = n.name left join host_totals t on t.host = n.name
  left join domain_blocks b on b.domain = n.name left join domain_allows a on a.domain = n.name`

const orders: Readonly<Record<NonNullable<HostFilter['sort']>, RawBuilder<unknown>>> = {
  accounts: sql`coalesce(t.accounts, 0) desc, 1`,
  domain: sql`1`,
  newest: sql`h.created_at desc nulls last, 1`,
  failed: sql`h.last_error_at desc nulls last, 1`,
}

/** Some known servers, and whether more follow. `offset`: how many of them are passed over. */
export async function listKnownHosts(
  reader: Reader,
  { query, health, limit, sort = 'accounts' }: HostFilter,
  page: { limit: number; offset: number },
): Promise<{ items: KnownHost[]; more: boolean }> {
  const conditions = [
    sql`true`,
    ...(query ? [sql`position(lower(${query}) in coalesce(h.host, t.host)) > 0`] : []),
    ...(health ? [sql`${healthOf} = ${health}`] : []),
    ...(limit ? [limitedBy(limit)] : []),
  ]
  // What else is known of them is looked up for those alone that are shown.
  const { rows } = await sql<KnownHost>`
    select ${columns} from (
      select coalesce(h.host, t.host) as name from hosts h full join host_totals t on t.host = h.host
      where ${sql.join(conditions, sql` and `)}
      order by ${orders[sort]} limit ${page.limit + 1} offset ${page.offset}) n ${facts}
    order by ${orders[sort]}`.execute(reader.db)
  return { items: rows.slice(0, page.limit), more: rows.length > page.limit }
}

const limitedBy = (limit: (typeof hostLimits)[number]) =>
  limit === 'allowed'
    ? sql`coalesce(h.host, t.host) in (select domain from domain_allows)`
    : sql`coalesce(h.host, t.host) in (select domain from domain_blocks where severity = ${limit})`

/**
 * The server of a name in any spelling, also one of which only a block or a permission is known. Throws `not_found`, also
 * for this server's own names.
 */
export async function getKnownHost(reader: Reader, name: string): Promise<KnownHost> {
  const domain = normaliseDomain(name)
  if (domain === null || isOwnDomain(reader.config, domain)) throw notFound()
  const { rows } = await sql<KnownHost>`
    select ${columns} from (
      select ${domain}::text as name
      where exists (select 1 from hosts where host = ${domain}) or exists (select 1 from host_totals where host = ${domain})
        or exists (select 1 from accounts where domain = ${domain})
        or exists (select 1 from domain_blocks where domain = any(${namesOf(domain)}::text[]))
        or exists (select 1 from domain_allows where domain = ${domain})) n ${facts}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return { ...rows[0], domain }
}
