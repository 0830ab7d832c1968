// What trends is what more people use today than yesterday. The best score it reached is kept for a while and halves
// again and again meanwhile, so that things leave the list as slowly at midnight as at noon.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** Fewer people on one day make no trend. */
const fewest = 5
/** How long a best score counts before a new one is looked for, in milliseconds. */
const peakKept = 2 * 86_400_000
/** What has fallen below it is in no list. */
export const lowestScore = 1

export interface PeakTable {
  name: 'tag_trends' | 'link_trends'
  /** The column of what trends. */
  key: 'tag_id' | 'card_id'
  /** Milliseconds after which a best score counts half. */
  halfLife: number
}

/**
 * Writes the scores of everything in a table anew, by one statement. `counted` is a query of `id`, `observed` and
 * `expected` (people today and yesterday) and `language`. Again at the same time changes nothing.
 */
export async function savePeaks(
  reader: Reader,
  table: PeakTable,
  counted: RawBuilder<unknown>,
): Promise<void> {
  const now = new Date(reader.clock.now())
  const forgotten = new Date(now.getTime() - peakKept)
  const [name, key] = [sql.table(table.name), sql.ref(table.key)]
  await sql`
    with counted as (${counted}),
    scored as (
      select id, language,
        case when observed >= ${fewest}::int and observed > greatest(expected, 1)
          then power((observed - greatest(expected, 1))::float8, 2) / greatest(expected, 1) else 0 end as score
      from counted),
    kept as (select ${key} as id, peak, peak_at, language from ${name} where peak_at > ${forgotten}::timestamptz),
    peaks as (
      select id, coalesce(n.language, k.language) as language, greatest(n.score, k.peak) as peak,
        case when k.peak is null or n.score > k.peak then ${now}::timestamptz else k.peak_at end as peak_at
      from scored n full join kept k using (id)),
    gone as (
      delete from ${name} t where not exists (select 1 from peaks p where p.id = t.${key} and p.peak > 0))
    insert into ${name} (${key}, score, peak, peak_at, language, updated_at)
    select id, ${halved(sql`peak`, sql`${now}::timestamptz - peak_at`, table.halfLife)}, peak, peak_at, language,
      ${now}::timestamptz
    from peaks where peak > 0 order by id
    on conflict (${key}) do update set score = excluded.score, peak = excluded.peak, peak_at = excluded.peak_at,
      language = excluded.language, updated_at = excluded.updated_at`.execute(reader.db)
}

/** A score that halves every `halfLife` milliseconds, after an interval. */
export function halved(
  score: RawBuilder<unknown>,
  age: RawBuilder<unknown>,
  halfLife: number,
): RawBuilder<number> {
  return sql`(${score} * power(0.5::float8, extract(epoch from ${age})::float8 / ${halfLife / 1000}::float8))`
}
