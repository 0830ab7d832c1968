// Which servers answer, and how long one that does not is left alone.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** Failures in a row after which a host is left alone for a while, and then tried with one request at a time. */
export const holdAfter = 10

/** Days with failures, without an answer in between, after which nothing is sent until the host is heard of. */
export const unavailableAfter = 7

const firstHold = 60
const maxHold = 6 * 3600

/** SQL for how long a host with this many failures in a row is left alone; null: not at all. It doubles each time. */
export const holdOf = (failures: RawBuilder<unknown>) => sql<Date | null>`
  case when ${failures} >= ${holdAfter}::int then make_interval(secs =>
    least(${maxHold}::int, ${firstHold}::int * power(2, least(${failures} - ${holdAfter}::int, 20)))) end`

/** `holdOf` in milliseconds; 0: not at all. */
export const holdAfterFailures = (failures: number): number =>
  failures < holdAfter ? 0 : Math.min(maxHold, firstHold * 2 ** Math.min(failures - holdAfter, 20)) * 1000

/**
 * A host was heard of, by an answer or by a request that it signed: what waits for it is sent at once. Costs one look-up
 * where there is nothing to change. A host that asked to be left alone for a while is.
 */
export async function reopenHost(reader: Reader, host: string): Promise<void> {
  const now = new Date(reader.clock.now())
  await sql`
    update hosts set failures = 0, failed_days = 0, last_failed_day = null, closed_until = null,
      deliver_at = case when leased_until is null or leased_until <= ${now} then least(deliver_at, ${now}) else deliver_at end
    where host = ${host} and (failures > 0 or failed_days > 0)`.execute(reader.db)
}
