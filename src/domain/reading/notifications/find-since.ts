import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { IdCursor } from '#lib/id.ts'

/**
 * The lowest id of which, and of all above it, notifications are no older than `time`. Ids rise with time, but for
 * those that were written at the same moment: halving what is there finds it in some forty steps, without an index.
 */
export async function findFirstIdSince(reader: Reader, time: Date): Promise<IdCursor> {
  const { rows } = await sql<{ id: IdCursor }>`
    with recursive halves (low, high) as (
      select 1::bigint, coalesce((select max(id) from notifications), 0) + 1
      union all
      select case when met.created_at < ${time} then met.id + 1 else h.low end,
        case when met.created_at < ${time} then h.high else (h.low + h.high) / 2 end
      from halves h left join lateral (
        select n.id, n.created_at from notifications n
        where n.id >= (h.low + h.high) / 2 and n.id < h.high order by n.id limit 1) met on true
      where h.low < h.high)
    select low as id from halves where low >= high`.execute(reader.db)
  return rows[0]?.id ?? '1'
}
