// What other servers say of themselves (NodeInfo, https://nodeinfo.diaspora.software/protocol).
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** How long what a server said of itself is good, in milliseconds. */
const infoFresh = 7 * 86_400_000

export interface HostInfo {
  software: string | null
  version: string | null
}

/**
 * Notes that a host was heard of. True when it should be asked now what it is: exactly one of many callers is told
 * so. `host` is normalised.
 */
export async function claimHostInfo(reader: Reader, host: string): Promise<boolean> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql`
    insert into hosts (host, info_fetched_at, created_at) values (${host}, ${now}, ${now})
    on conflict (host) do update set info_fetched_at = excluded.info_fetched_at
      where hosts.info_fetched_at is null or hosts.info_fetched_at < ${new Date(reader.clock.now() - infoFresh)}
    returning host`.execute(reader.db)
  return rows.length > 0
}

/** Stores what a host is. Nulls leave what was known. */
export async function saveHostInfo(reader: Reader, host: string, info: HostInfo): Promise<void> {
  await sql`
    update hosts set software = coalesce(${info.software}, software),
      software_version = coalesce(${info.version}, software_version)
    where host = ${host}`.execute(reader.db)
}

/** Whether anything was heard of a host before. */
export async function isKnownHost(reader: Reader, host: string): Promise<boolean> {
  const { rows } = await sql`select 1 from hosts where host = ${host}`.execute(reader.db)
  return rows.length > 0
}
