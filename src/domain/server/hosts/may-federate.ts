// With which servers this one speaks (domain blocks of severity `suspend`; in limited federation mode the allow list).
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { normaliseDomain, withParentDomains } from '#lib/acct.ts'

/**
 * Whether this server speaks with a host at all: fetches from it, sends to it, and listens to it. `host` may have a
 * port, and be spelled in any way; what is no host is not spoken with. Many at once are one query.
 */
export const mayFederate = createBatchLoader<Reader, string, boolean>({
  max: 50,
  async run(reader, hosts) {
    const spokenWith = await filterFederated(reader, hosts)
    return hosts.map((host) => spokenWith.has(host))
  },
})

/**
 * Whether pictures and other files are fetched from a host: as `mayFederate`, but who may be spoken with may also keep
 * files on hosts below its own.
 */
export async function mayTakeFiles(reader: Reader, host: string): Promise<boolean> {
  const { rows } = await sql<{ blocked: boolean }>`
    select ${isBlockedAs(reader, namesOf(host), namesOf(host))} as blocked`.execute(reader.db)
  return rows[0]?.blocked === false
}

/** Those of the hosts with which this server speaks, as they were given. */
export async function filterFederated(reader: Reader, hosts: readonly string[]): Promise<Set<string>> {
  const unique = [...new Set(hosts)]
  if (unique.length === 0) return new Set()
  const names = unique.flatMap((host) => {
    const all = namesOf(host)
    const allowed = all[0] === undefined ? [] : allowedAs(all[0])
    return all.map((name) => ({ host, name, mayAllow: allowed.includes(name) }))
  })
  const { rows } = await sql<{ host: string }>`
    select w.host from unnest(${names.map(({ host }) => host)}::text[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ mayAllow }) => mayAllow)}::boolean[]) w (host, name, may_allow)
    group by w.host
    having not bool_or(exists (
        select 1 from domain_blocks b where b.severity = 'suspend' and b.domain = w.name offset 0))
      and (${!reader.config.limitedFederation}
        or bool_or(w.may_allow and exists (select 1 from domain_allows d where d.domain = w.name offset 0)))`.execute(
    reader.db,
  )
  return new Set(rows.map((row) => row.host))
}

/** SQL that is true for a host with which this server does not speak. */
export function isBlockedHost(reader: Pick<Reader, 'config'>, host: string): RawBuilder<boolean> {
  const names = namesOf(host)
  return isBlockedAs(reader, names, names.slice(0, 1).flatMap(allowedAs))
}

/** `names`: under one of these it may be blocked. `allowed`: under one of these it may be allowed. */
function isBlockedAs(
  reader: Pick<Reader, 'config'>,
  names: readonly string[],
  allowed: readonly string[],
): RawBuilder<boolean> {
  if (names.length === 0) return sql<boolean>`true`
  const isBlocked = sql<boolean>`exists (
    select 1 from domain_blocks where severity = 'suspend' and domain = any(${names}::text[]) offset 0)`
  if (!reader.config.limitedFederation) return isBlocked
  return sql<boolean>`(${isBlocked} or not exists (
    select 1 from domain_allows where domain = any(${allowed}::text[]) offset 0))`
}

/** A permission, unlike a block, does not hold for what is below: who may make names there was not asked about. */
const allowedAs = (host: string) => [host, withoutPort(host)]

const withoutPort = (host: string) => host.replace(/:\d+$/, '')

/** The names under which a host may be listed: it and those above it, each with and without the port. */
export function namesOf(host: string): string[] {
  const normal = normaliseDomain(host)
  if (normal === null) return []
  const bare = withoutPort(normal)
  const names = withParentDomains(bare)
  return bare === normal ? names : [normal, ...names]
}
