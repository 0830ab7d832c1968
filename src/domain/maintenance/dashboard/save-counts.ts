import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'

export interface CountTable {
  name: 'daily_counts' | 'host_daily_counts' | 'tag_daily_counts'
  /** What is counted, besides the day and the name. */
  key?: 'host' | 'tag_id'
}

/**
 * Makes what `counted` answers (the key, `name` and `count`) the numbers of a day, by one statement. Other numbers of
 * that day whose names `owned` describes go: so it is right however often, late or twice at once it runs.
 */
export async function saveCounts(
  reader: Reader,
  { name: table, key }: CountTable,
  day: Day,
  { counted, owned }: { counted: RawBuilder<unknown>; owned: RawBuilder<boolean> },
): Promise<void> {
  const keys = key === undefined ? sql.ref('name') : sql`${sql.ref(key)}, name`
  const same = key === undefined ? sql`true` : sql`${sql.ref(`k.${key}`)} = ${sql.ref(`c.${key}`)}`
  // A full join cannot be done row against row, which tables whose size the planner does not know yet would suffer from.
  await sql`
    with counted as materialized (${counted}),
    changed as materialized (
      select ${keys}, n.count from (select * from counted where count > 0) n
      full join (select ${keys}, count from ${sql.table(table)} k where k.day = ${day}::date and ${owned}) o
        using (${keys})
      where n.count is distinct from o.count),
    gone as (
      delete from ${sql.table(table)} k using changed c
      where c.count is null and k.day = ${day}::date and k.name = c.name and ${same})
    insert into ${sql.table(table)} as k (${keys}, day, count)
    select ${keys}, ${day}::date, count from changed where count is not null order by ${keys}
    on conflict (${keys}, day) do update set count = excluded.count`.execute(reader.db)
}
