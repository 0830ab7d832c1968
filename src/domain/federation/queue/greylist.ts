// What strangers on new servers send waits for a while: most of those who come to send spam are blocked, or gone, by then.
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { findRelayOf } from '#domain/federation/relays/relays.ts'
import { hastenIncoming } from './incoming.ts'

const minute = 60_000
/** Of so many hosts it is remembered when they were first heard of. */
const maxHosts = 10_000

/** By configuration, of which each server in a process has its own: milliseconds by host. */
const firstHeard = new WeakMap<Config, Map<string, number>>()

/**
 * Until when something that was sent waits, in milliseconds; null: not at all. A host is new for so many minutes after it
 * was first heard of, which this notes, unless somebody here follows, or has asked to follow, anybody there, or it is
 * that of a relay that staff chose. Asks nothing of hosts that are known for longer.
 */
export async function findGreylistEnd(
  reader: Reader,
  signer: { uri: string; host: string },
  minutes: number,
): Promise<number | null> {
  const end = (await findFirstHeard(reader, signer.host)) + minutes * minute
  if (end <= reader.clock.now()) return null
  return (await isExpected(reader, signer)) ? null : end
}

/** Lets through what waits for longer than the server now wants: staff have shortened the time, or do without it. */
export async function endGreylisting(reader: Reader): Promise<void> {
  const { greylist_minutes: minutes } = await getSettings(reader)
  await hastenIncoming(reader, reader.clock.now() + (minutes ?? 0) * minute)
}

async function findFirstHeard(reader: Reader, host: string): Promise<number> {
  const times = firstHeard.get(reader.config) ?? new Map<string, number>()
  firstHeard.set(reader.config, times)
  const known = times.get(host)
  if (known !== undefined) return known
  const time = (await recordHost(reader, host)).getTime()
  if (times.size >= maxHosts) times.clear()
  times.set(host, time)
  return time
}

async function recordHost(reader: Reader, host: string): Promise<Date> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<{ created_at: Date }>`
    with made as (
      insert into hosts (host, created_at) values (${host}, ${now}) on conflict (host) do nothing returning created_at)
    select created_at from made union all select created_at from hosts where host = ${host}`.execute(
    reader.db,
  )
  // Empty when somebody else noted it at this moment.
  return rows[0]?.created_at ?? now
}

async function isExpected(reader: Reader, { uri, host }: { uri: string; host: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts a
    where a.uri_host = ${host} and (
      exists (select 1 from follows f where f.target_account_id = a.id offset 0)
      or exists (select 1 from follow_requests f where f.target_account_id = a.id offset 0))
    limit 1`.execute(reader.db)
  return rows.length > 0 || (await findRelayOf(reader, { uri, host })) !== null
}
