// What staff see of the deliveries to one server, and how they have them tried now, stopped and begun again.
import { sql, type Selectable } from 'kysely'
import type { DeliveriesTable } from '#db/schema/federation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { notFound } from '#lib/errors.ts'
import { deliveriesChannel } from './delivery-queue.ts'
import { dropUnwanted } from './deliveries.ts'
import type { OutgoingActivityId } from '#lib/id.ts'

export interface HostDelivery extends Pick<
  Selectable<DeliveriesTable>,
  'id' | 'inbox_url' | 'attempts' | 'due_at' | 'error' | 'created_at'
> {
  host: string
  /** Of the activity, as `Create`. */
  type: string | null
  /** The user name of whoever sends it; null: the server. */
  sender: string | null
}

/** SQL for the hosts of a domain: the one of that name, and the one that its accounts have in their ids. */
const hostsOf = (domain: string) => sql`
  (select ${domain}::text union (select uri_host from accounts where domain = ${domain} and uri_host is not null limit 1))`

/** What waits for a domain, the next first. */
export async function listHostDeliveries(
  reader: Reader,
  domain: string,
  limit: number,
): Promise<HostDelivery[]> {
  const { rows } = await sql<HostDelivery>`
    select d.id, d.host, d.inbox_url, d.attempts, d.due_at, d.error, d.created_at, o.body::jsonb ->> 'type' as type,
      a.username as sender
    from (
      select id, host, activity_id, inbox_url, attempts, due_at, error, created_at from deliveries
      where host in ${hostsOf(domain)} order by due_at, id limit ${limit}) d
    join outgoing_activities o on o.id = d.activity_id left join accounts a on a.id = o.account_id
    order by d.due_at, d.id`.execute(reader.db)
  return rows
}

/** How many deliveries wait for a domain; not counted beyond 10,000. */
export async function countHostDeliveries(reader: Reader, domain: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from deliveries where host in ${hostsOf(domain)} limit 10000) d`.execute(reader.db)
  return rows[0]?.count ?? 0
}

/**
 * Has what waits for a domain tried at once, also where it was left alone for its failures. Throws `not_found` for one
 * that was never heard of.
 */
export async function retryDeliveries(ctx: Ctx, staff: Staff, domain: string): Promise<void> {
  await change(ctx, staff, { domain, action: 'retry_deliveries' }, async (tx, hosts) => {
    const now = new Date(tx.clock.now())
    await sql`update deliveries set due_at = ${now} where host = any(${hosts}::text[]) and due_at > ${now}`.execute(
      tx.db,
    )
    await sql`
      update hosts set closed_until = null, failed_days = 0, last_failed_day = null,
        deliver_at = case when leased_until is null or leased_until <= ${now} then ${now}::timestamptz else deliver_at end
      where host = any(${hosts}::text[]) and stopped_at is null
        and exists (select 1 from deliveries d where d.host = hosts.host)`.execute(tx.db)
  })
  ctx.bus.publish(deliveriesChannel, '')
}

/** Has nothing sent to a domain any more, and drops what waits for it. Throws `not_found`. Idempotent. */
export async function stopDeliveries(ctx: Ctx, staff: Staff, domain: string): Promise<void> {
  await change(ctx, staff, { domain, action: 'stop_deliveries' }, async (tx, hosts) => {
    await sql`
      update hosts set stopped_at = coalesce(stopped_at, ${new Date(tx.clock.now())})
      where host = any(${hosts}::text[])`.execute(tx.db)
    const { rows } = await sql<{ activity_id: OutgoingActivityId }>`
      delete from deliveries where host = any(${hosts}::text[]) returning activity_id`.execute(tx.db)
    await dropUnwanted(tx, rows)
  })
}

/**
 * Has a domain sent to again that staff had stopped, or that was given up because it did not answer: its failures are
 * forgotten. Throws `not_found`. Idempotent.
 */
export async function restartDeliveries(ctx: Ctx, staff: Staff, domain: string): Promise<void> {
  await change(ctx, staff, { domain, action: 'restart_deliveries' }, async (tx, hosts) => {
    await sql`
      update hosts set stopped_at = null, failures = 0, failed_days = 0, last_failed_day = null, closed_until = null
      where host = any(${hosts}::text[])`.execute(tx.db)
  })
}

/** The rows of the hosts are locked before those of their deliveries, as by whoever delivers. */
async function change(
  ctx: Ctx,
  staff: Staff,
  { domain, action }: { domain: string; action: string },
  work: (tx: Tx, hosts: readonly string[]) => Promise<void>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ host: string }>`
      select host from hosts where host in ${hostsOf(domain)} order by host for no key update`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await work(
      tx,
      rows.map(({ host }) => host),
    )
    await recordAction(tx, staff, { action, targetType: 'instance', label: domain })
  })
}
