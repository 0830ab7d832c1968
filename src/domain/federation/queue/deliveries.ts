// The queue of deliveries: one process at a time has a host, by a lease, and sends to it what is due, in order.
import { sql } from 'kysely'
import { plannedAnew } from '#db/planned-anew.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import { formatDate } from '#lib/time/time.ts'
import { holdOf, unavailableAfter } from '#domain/server/hosts/breaker.ts'
import type { DeliveryId, OutgoingActivityId } from '#lib/id.ts'

/** A host that this process may send to until the lease ends. */
export interface LeasedHost {
  host: string
  /** The kind of signature it last accepted. */
  scheme: 'cavage' | 'rfc9421' | null
  /** In a row. */
  failures: number
}

export interface Lease {
  /** Milliseconds since the epoch; `until` also tells this lease from others. */
  now: number
  until: number
}

/**
 * Takes hosts to which something is due, those that have waited longest first: at most `healthy` of those whose last
 * request went well, and `doubtful` of the others, so that dead hosts do not keep others waiting.
 */
export async function leaseHosts(
  reader: Reader,
  { now, until }: Lease,
  max: { healthy: number; doubtful: number },
): Promise<LeasedHost[]> {
  const [at, end] = [new Date(now), new Date(until)]
  const { rows } = await sql<LeasedHost>`
    with healthy as (
      select host from hosts where deliver_at <= ${at} and failures = 0
      order by deliver_at limit ${max.healthy} for update skip locked),
    doubtful as (
      select host from hosts where deliver_at <= ${at} and failures > 0
      order by deliver_at limit ${max.doubtful} for update skip locked)
    update hosts h set deliver_at = ${end}, leased_until = ${end}
    where h.host = any(array(select host from healthy union all select host from doubtful))
    returning h.host, h.signature_scheme as scheme, h.failures ${sql.raw(plannedAnew)}`.execute(reader.db)
  return rows
}

export interface Delivery {
  id: DeliveryId
  activityId: OutgoingActivityId
  host: string
  inboxUrl: string
  attempts: number
}

/** What is due to leased hosts, at most `perHost` each, in order. A statement of its own: it must see what the last holder did. */
export async function listDue(
  reader: Reader,
  hosts: readonly string[],
  { now, perHost }: { now: number; perHost: number },
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.id, d.activity_id as "activityId", d.host, d.inbox_url as "inboxUrl", d.attempts
    from unnest(${hosts}::text[]) h (host) cross join lateral (
      select w.id, w.activity_id, w.host, w.inbox_url, w.attempts, w.due_at from deliveries w where w.host = h.host and w.due_at <= ${new Date(now)}
      order by w.due_at, w.id limit ${perHost}) d
    order by d.host, d.due_at, d.id`.execute(reader.db)
  return rows
}

/** What came of some deliveries: over for good, or to be tried again. */
export type Settled =
  | { id: DeliveryId; retry: null }
  | { id: DeliveryId; retry: { attempts: number; dueAt: number; error: string | null } }

/** Takes out what is over, with the activities that nobody waits for any more, and sets the time of the others. */
export async function settleDeliveries(reader: Reader, settled: readonly Settled[]): Promise<void> {
  const over = settled.filter(({ retry }) => retry === null).map(({ id }) => id)
  const later = settled.flatMap(({ id, retry }) => (retry ? [{ id, ...retry }] : []))
  if (later.length > 0) {
    await sql`
      update deliveries d set attempts = l.attempts, due_at = l.due_at, error = l.error
      from unnest(${later.map(({ id }) => id)}::bigint[], ${later.map(({ attempts }) => attempts)}::int[],
        ${later.map(({ dueAt }) => new Date(dueAt))}::timestamptz[], ${later.map(({ error }) => error)}::text[])
        l (id, attempts, due_at, error)
      where d.id = l.id ${sql.raw(plannedAnew)}`.execute(reader.db)
  }
  if (over.length === 0) return
  await sql`
    with gone as (delete from deliveries where id = any(${over}::bigint[]) returning activity_id)
    delete from outgoing_activities o where o.id in (select activity_id from gone)
      and not exists (
        select 1 from deliveries d where d.activity_id = o.id and d.id <> all(${over}::bigint[]) offset 0)
    ${sql.raw(plannedAnew)}`.execute(reader.db)
}

/** What a holder learnt about a host. */
export interface HostReport {
  host: string
  /** The end of the lease. */
  until: number
  /** It answered, whatever it said. */
  answered: boolean
  /** Requests without an answer since it last gave one. */
  failed: number
  /** It wants to be left alone until then, in milliseconds since the epoch. */
  restUntil: number | null
  /** The kind of signature it accepted, where that was not known. */
  scheme: string | null
  /** Why the last delivery that was not taken was not; null: all were. */
  error: string | null
}

/**
 * Gives hosts back. What is known of them is brought up to date, and their next time set: at once where more is due,
 * behind all others that wait. The deliveries of one that is given up are dropped. Leases that another process took
 * over are left alone.
 */
export async function releaseHosts(ctx: Ctx, reports: readonly HostReport[]): Promise<void> {
  const hosts = reports.map(({ host }) => host)
  const now = new Date(ctx.clock.now())
  await ctx.transaction(async (tx) => {
    // Locked by a statement of its own: what was enqueued until then must be seen.
    await sql`select 1 from hosts where host = any(${hosts}::text[]) order by host for no key update`.execute(
      tx.db,
    )
    await sql`
      with host_reports as (
        select * from unnest(${hosts}::text[], ${reports.map((one) => new Date(one.until))}::timestamptz[],
          ${reports.map((one) => one.answered)}::boolean[],
          ${reports.map((one) => one.failed)}::int[],
          ${reports.map((one) => (one.restUntil === null ? null : new Date(one.restUntil)))}::timestamptz[],
          ${reports.map((one) => one.scheme)}::text[], ${reports.map((one) => one.error)}::text[])
          n (host, until, answered, failed, rest_until, scheme, error)),
      counted as (
        select n.*, case when n.answered then 0 else h.failures end + n.failed as failures,
          case when n.answered then 0 else h.failed_days end
            + (n.failed > 0 and (n.answered or h.last_failed_day is distinct from ${formatDate(now)}::date))::int as failed_days,
          (select min(d.due_at) from deliveries d where d.host = n.host) as next
        from host_reports n join hosts h on h.host = n.host),
      closed as (
        select c.*, greatest(c.rest_until, ${now}::timestamptz + ${holdOf(sql`c.failures`)}) as closed_until from counted c)
      update hosts h set failures = c.failures, failed_days = c.failed_days, leased_until = null,
        last_failed_day = case when c.failed > 0 then ${formatDate(now)}::date when c.answered then null else h.last_failed_day end,
        closed_until = c.closed_until, signature_scheme = coalesce(c.scheme, h.signature_scheme),
        last_error = coalesce(c.error, h.last_error),
        last_error_at = case when c.error is null then h.last_error_at else ${now} end,
        deliver_at = case when c.next is not null and c.failed_days < ${unavailableAfter}
          then greatest(c.next, c.closed_until, ${now}) end
      from closed c where h.host = c.host and h.leased_until = c.until ${sql.raw(plannedAnew)}`.execute(tx.db)
    await dropGivenUp(tx, hosts)
  })
}

async function dropGivenUp(reader: Reader, hosts: readonly string[]): Promise<void> {
  const { rows } = await sql<{ activity_id: OutgoingActivityId }>`
    delete from deliveries d using hosts h
    where h.host = any(${hosts}::text[]) and h.failed_days >= ${unavailableAfter} and d.host = h.host
    returning d.activity_id ${sql.raw(plannedAnew)}`.execute(reader.db)
  await dropUnwanted(reader, rows)
}

/** Drops what waits for a domain and those below it, but for what ends something between two people. */
export async function dropDeliveries(reader: Reader, domain: string): Promise<void> {
  const { rows } = await sql<{ activity_id: OutgoingActivityId }>`
    with named as (select host, regexp_replace(host, ':[0-9]+$', '') as name from hosts)
    delete from deliveries d using named h, outgoing_activities o
    where d.host = h.host and o.id = d.activity_id and not o.severing
      and (h.host = ${domain} or h.name = ${domain} or right(h.name, length(${domain}) + 1) = '.' || ${domain})
    returning d.activity_id`.execute(reader.db)
  await dropUnwanted(reader, rows)
}

/** Lets go of activities whose last deliveries were dropped. */
export async function dropUnwanted(
  reader: Reader,
  dropped: readonly { activity_id: OutgoingActivityId }[],
): Promise<void> {
  const ids = [...new Set(dropped.map((row) => row.activity_id))]
  if (ids.length === 0) return
  await sql`
    delete from outgoing_activities o where o.id = any(${ids}::bigint[])
      and not exists (select 1 from deliveries d where d.activity_id = o.id offset 0)
    ${sql.raw(plannedAnew)}`.execute(reader.db)
}

/** Lets go of what a process that is certainly gone had taken: only where this is the only one. */
export async function releaseAllLeases(reader: Reader): Promise<void> {
  await sql`
    update hosts set leased_until = null, deliver_at = ${new Date(reader.clock.now())}
    where leased_until is not null`.execute(reader.db)
}

/** What has waited for so long is news no more, in milliseconds: for hosts that always want rest, or answer now and then. */
const maxWait = 7 * 86_400_000

/**
 * Drops what has waited too long, and puts right what a crash of the database, or rows deleted by hand, may leave: hosts
 * nobody wakes, activities nobody waits for.
 */
export async function sweepDeliveries(reader: Reader): Promise<void> {
  const now = new Date(reader.clock.now())
  await sql`delete from deliveries where id < ${timeToId(now.getTime() - maxWait)}::bigint`.execute(reader.db)
  await sql`
    insert into hosts (host, deliver_at) select distinct host, ${now}::timestamptz from deliveries order by host
    on conflict (host) do update set deliver_at = excluded.deliver_at where hosts.deliver_at is null`.execute(
    reader.db,
  )
  await sql`
    delete from outgoing_activities o
    where o.created_at < ${now}::timestamptz - interval '10 minutes'
      and not exists (select 1 from deliveries d where d.activity_id = o.id offset 0)`.execute(reader.db)
}
