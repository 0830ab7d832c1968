// Activities that wait for their deliveries, and the inboxes they wait for.
import { sql, type Selectable } from 'kysely'
import type { OutgoingActivitiesTable } from '#db/schema/federation.ts'
import type { Reader, Ctx } from '#ports/ctx.ts'
import { unavailableAfter } from '#domain/server/hosts/breaker.ts'
import { filterFederated } from '#domain/server/hosts/may-federate.ts'
import type { AccountId, OutgoingActivityId } from '#lib/id.ts'

/** The channel on which a process that has something to deliver says so. The table itself is the truth. */
export const deliveriesChannel = 'deliveries'

export interface NewActivity {
  /** Whose key signs the requests; null: the instance actor. */
  senderId: AccountId | null
  /** What makes it the same activity when it is sent again while it waits. */
  digest: Buffer
  /** As it is sent. */
  body: string
  synchronise: boolean
  /** It ends something between two people: a host with which this server has broken off gets it all the same. */
  severing: boolean
}

export interface Destination {
  inboxUrl: string
  /** With its port where it is not the default one. */
  host: string
}

/**
 * Stores an activity with one delivery for each inbox, due now, by one statement, and wakes who delivers. Hosts with
 * which this server does not speak are left out, unless the activity is `severing`, and so are those that were given up
 * or that staff have nothing sent to;
 * what waits already is not stored again. Returns how many deliveries there are now.
 */
export async function insertOutgoing(
  ctx: Ctx,
  activity: NewActivity,
  destinations: readonly Destination[],
): Promise<number> {
  const wanted = activity.severing ? destinations : await onlySpokenWith(ctx, destinations)
  if (wanted.length === 0) return 0
  const now = new Date(ctx.clock.now())
  // Hosts are locked in the order of their names. Their lock makes sure that who has just emptied a host's queue
  // either sees these rows or is seen to be done.
  const { rows } = await sql<{ count: number }>`
    with open as (
      select t.id, t.inbox_url, t.host
      from unnest(${wanted.map(() => ctx.newId())}::bigint[], ${wanted.map((one) => one.inboxUrl)}::text[],
        ${wanted.map((one) => one.host)}::text[]) t (id, inbox_url, host)
      left join hosts h on h.host = t.host
      where coalesce(h.failed_days, 0) < ${unavailableAfter} and h.stopped_at is null),
    made as (
      insert into outgoing_activities (id, account_id, digest, body, synchronise, severing, created_at, traceparent)
      select ${ctx.newId()}, ${activity.senderId}, ${activity.digest}, ${activity.body}, ${activity.synchronise},
        ${activity.severing}, ${now}, ${ctx.trace.carry()}
      where exists (select 1 from open)
      on conflict (digest) do nothing returning id),
    sent as (
      insert into deliveries (id, activity_id, host, inbox_url, due_at, created_at)
      select o.id, m.id, o.host, o.inbox_url, ${now}, ${now} from made m, open o
      on conflict (activity_id, inbox_url) do nothing returning host),
    woken as (
      insert into hosts (host, deliver_at) select distinct host, ${now}::timestamptz from sent order by host
      on conflict (host) do update set deliver_at = greatest(excluded.deliver_at, hosts.closed_until)
      where (hosts.deliver_at is null or hosts.deliver_at > greatest(excluded.deliver_at, hosts.closed_until))
        and (hosts.leased_until is null or hosts.leased_until <= excluded.deliver_at))
    select count(*)::int as count from sent`.execute(ctx.db)
  const count = rows[0]?.count ?? 0
  if (count > 0) ctx.bus.publish(deliveriesChannel, '')
  return count
}

async function onlySpokenWith(ctx: Ctx, destinations: readonly Destination[]): Promise<Destination[]> {
  const spokenWith = await filterFederated(
    ctx,
    destinations.map(({ host }) => host),
  )
  return destinations.filter(({ host }) => spokenWith.has(host))
}

export interface OutgoingBody extends Pick<
  Selectable<OutgoingActivitiesTable>,
  'id' | 'body' | 'synchronise' | 'severing'
> {
  senderId: AccountId | null
  /** The sender was deleted. */
  senderGone: boolean
  /** Of the trace in which it was stored (W3C). */
  traceparent: string | null
}

/** What is sent, by the activities' ids. */
export async function loadOutgoing(
  reader: Reader,
  ids: readonly OutgoingActivityId[],
): Promise<OutgoingBody[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OutgoingBody>`
    select o.id, o.account_id as "senderId", a.deleted_at is not null as "senderGone", o.body, o.synchronise,
      o.severing, o.traceparent
    from outgoing_activities o left join accounts a on a.id = o.account_id
    where o.id = any(${ids}::bigint[])`.execute(reader.db)
  return rows
}
