import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { unavailableAfter } from '#domain/server/hosts/breaker.ts'

/** What waits between this server and others. Rows are not counted beyond 100,000. */
export interface WaitingTraffic {
  /** What others sent and is not dealt with yet. */
  incomingWaiting: number
  /** Set aside for the operator. */
  incomingFailed: number
  /** One activity for one inbox each, due now. */
  deliveriesDue: number
  /** To be tried again later, or of servers that are left alone. */
  deliveriesLater: number
  /** Servers that are left alone for a while, because they did not answer. */
  hostsHeld: number
  /** Servers that are sent nothing until they are heard of. */
  hostsGivenUp: number
}

const maxCounted = 100_000

/** Counts the queues in and out. They are short while the workers keep up and other servers answer. */
export async function countWaitingTraffic(reader: Reader): Promise<WaitingTraffic> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<WaitingTraffic>`
    select "incomingWaiting", "incomingFailed", "deliveriesDue", "deliveriesLater", "hostsHeld", "hostsGivenUp"
    from (
      select (count(*) filter (where failed_at is null))::int as "incomingWaiting",
        (count(*) filter (where failed_at is not null))::int as "incomingFailed"
      from (select failed_at from incoming_activities limit ${maxCounted}) t) i, (
      select (count(*) filter (where is_due))::int as "deliveriesDue",
        (count(*) filter (where not is_due))::int as "deliveriesLater"
      from (
        select w.due_at <= ${now} and (h.closed_until is null or h.closed_until <= ${now}) as is_due
        from (select host, due_at from deliveries limit ${maxCounted}) w join hosts h on h.host = w.host) t) d, (
      select (count(*) filter (where failed_days < ${unavailableAfter} and closed_until > ${now}))::int as "hostsHeld",
        (count(*) filter (where failed_days >= ${unavailableAfter}))::int as "hostsGivenUp"
      from hosts where failures > 0) h`.execute(reader.db)
  return rows[0] as WaitingTraffic
}
