import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import { createTimed } from './document-cache.ts'

const week = 7 * 24 * 3_600_000
const weeks = 12
/** 5 January 1970 was the first Monday of the epoch. */
const firstMonday = 4 * 24 * 3_600_000

export interface ActivityWeek {
  /** Milliseconds since the epoch: Monday, midnight UTC. */
  start: number
  statuses: number
  logins: number
  registrations: number
}

/** What happened in the last twelve weeks, this one first; at most ten minutes old. */
export const getActivity = createTimed(10 * 60_000, readActivity)

async function readActivity(reader: Reader): Promise<ActivityWeek[]> {
  const now = reader.clock.now()
  const current = now - ((now - firstMonday) % week)
  const starts = Array.from({ length: weeks }, (_, index) => current - index * week)
  const days = starts.map((start) => new Date(start).toISOString().slice(0, 10))
  const { rows } = await sql<{ day: string; statuses: number; logins: number; registrations: number }>`
    select w.day::text as day,
      (select count(*) from statuses s where s.local and s.deleted_at is null and s.reblog_of_id is null
        and s.id >= w.first_id and s.id < w.end_id)::int as statuses,
      (select count(distinct ua.user_id) from user_activity ua
        where ua.day >= w.day and ua.day < w.day + 7)::int as logins,
      coalesce((select aw.registrations from activity_weeks aw where aw.week = w.day), 0) as registrations
    from unnest(${days}::date[], ${starts.map((start) => timeToId(start))}::bigint[],
      ${starts.map((start) => timeToId(start + week))}::bigint[]) w (day, first_id, end_id)`.execute(
    reader.db,
  )
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return starts.map((start, index) => {
    const row = byDay.get(days[index] ?? '')
    return {
      start,
      statuses: row?.statuses ?? 0,
      logins: row?.logins ?? 0,
      registrations: row?.registrations ?? 0,
    }
  })
}
