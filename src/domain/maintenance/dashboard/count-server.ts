// What happened on this server on one day. Each look counts a day anew from rows that an index finds.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'
import { daysKept, firstIdOf, plusDays, startOf } from './days.ts'
import { saveCounts } from './save-counts.ts'

/** Who signed up, and the reports of a day. */
export async function countEvents(reader: Reader, day: Day): Promise<void> {
  const next = plusDays(day, 1)
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${new Date(startOf(day))} and ${sql.ref(column)} < ${new Date(startOf(next))}`
  const counted = sql`
    select 'new_users' as name, count(*) as count from users where ${within('created_at')}
    union all
    select 'opened_reports', count(*) from reports where id >= ${firstIdOf(day)} and id < ${firstIdOf(next)}
    union all
    select 'resolved_reports', count(*) from reports where ${within('action_taken_at')}`
  const owned = sql<boolean>`k.name in ('new_users', 'opened_reports', 'resolved_reports')`
  await saveCounts(reader, { name: 'daily_counts' }, day, { counted, owned })
}

/** Favourites and boosts of posts of this server, and replies to them by others than their authors. */
export async function countInteractions(reader: Reader, day: Day): Promise<void> {
  const [from, until] = [firstIdOf(day), firstIdOf(plusDays(day, 1))]
  const counted = sql`
    select 'interactions' as name, (
      select count(*) from favourites f join statuses s on s.id = f.status_id
      where f.id >= ${from} and f.id < ${until} and s.local) + (
      select count(*) from statuses r join statuses s on s.id = coalesce(r.reblog_of_id, r.in_reply_to_id)
      where r.id >= ${from} and r.id < ${until} and r.deleted_at is null
        and (r.reblog_of_id is not null or r.in_reply_to_id is not null)
        and s.local and (r.reblog_of_id is not null or s.account_id <> r.account_id)) as count`
  await saveCounts(reader, { name: 'daily_counts' }, day, {
    counted,
    owned: sql<boolean>`k.name = 'interactions'`,
  })
}

/** Who was here on a day: by when they had been here last, and by when they signed up, as far back as may be asked for. */
export async function countActivity(reader: Reader, day: Day): Promise<void> {
  await sql`
    with active as materialized (
      select (u.created_at at time zone 'UTC')::date as cohort, (
        select max(p.day) from user_activity p where p.user_id = ua.user_id and p.day < ua.day) as previous
      from user_activity ua join users u on u.id = ua.user_id where ua.day = ${day}::date),
    gaps as (
      select coalesce(${day}::date - previous, 0) as gap, count(*)::int as users from active group by 1),
    other_gaps as (
      delete from activity_gaps k where k.day = ${day}::date and not exists (select 1 from gaps g where g.gap = k.gap)),
    saved_gaps as (
      insert into activity_gaps as k (day, gap, users) select ${day}::date, gap, users from gaps order by gap
      on conflict (day, gap) do update set users = excluded.users where k.users <> excluded.users),
    cohorts as (
      select cohort, count(*)::int as users,
        (count(*) filter (where previous is null or previous < date_trunc('month', ${day}::date)))::int as first_in_month
      from active where cohort between ${plusDays(day, -daysKept)}::date and ${day}::date group by 1),
    other_cohorts as (
      delete from retention_counts k where k.day = ${day}::date
        and not exists (select 1 from cohorts c where c.cohort = k.cohort))
    insert into retention_counts as k (cohort, day, users, first_in_month)
    select cohort, ${day}::date, users, first_in_month from cohorts order by cohort
    on conflict (cohort, day) do update set users = excluded.users, first_in_month = excluded.first_in_month
    where (k.users, k.first_in_month) <> (excluded.users, excluded.first_in_month)`.execute(reader.db)
}
