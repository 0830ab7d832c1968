import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { TagId } from '#lib/id.ts'

/** When a hashtag was last used is noted to this, in milliseconds: everybody who uses a popular one would wait for its row. */
const precision = 60_000

/**
 * The ids of these hashtags, made where they are new, but for those that staff let nobody use. Names are in normal form;
 * rows are taken in one order. `usedAt`: when they were used, in milliseconds.
 */
export async function ensureTags(
  tx: Tx,
  tags: readonly NewTag[],
  usedAt: number = tx.clock.now(),
): Promise<TagId[]> {
  const { rows } = await sql<{ id: TagId }>`
    with ${ensuredTags(tx, tags, usedAt)} select id from ensured`.execute(tx.db)
  return rows.map((row) => row.id)
}

export interface NewTag {
  name: string
  display: string
  /** When it was used, in milliseconds; where it is not said, as the whole list. */
  usedAt?: number
}

/** As `ensureTags`, the beginning of a `with` that ends in `ensured (id, name)`. */
export function ensuredTags(
  tx: Tx,
  tags: readonly NewTag[],
  usedAt: number = tx.clock.now(),
): RawBuilder<unknown> {
  const byName = new Map<string, Required<NewTag>>()
  for (const tag of tags) {
    const latest = Math.max(tag.usedAt ?? usedAt, byName.get(tag.name)?.usedAt ?? 0)
    byName.set(tag.name, { ...tag, usedAt: latest })
  }
  const wanted = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return sql`
    wanted as (
      select * from unnest(
        ${wanted.map(() => tx.newId())}::bigint[], ${wanted.map(({ name }) => name)}::text[],
        ${wanted.map(({ display }) => display)}::text[],
        ${wanted.map((tag) => new Date(tag.usedAt))}::timestamptz[], ${wanted.map((tag) => new Date(tag.usedAt - precision))}::timestamptz[]
      ) w (id, name, display_name, used_at, noted_at)),
    known as (
      select t.id, t.name, t.usable from wanted w join tags t on t.name = w.name
      where t.last_status_at > w.noted_at),
    made as (
      insert into tags (id, name, display_name, last_status_at, created_at)
      select w.id, w.name, w.display_name, w.used_at, w.used_at from wanted w
      where not exists (select 1 from known k where k.name = w.name) order by w.name
      on conflict (name) do update
        set last_status_at = greatest(tags.last_status_at, excluded.last_status_at)
      returning id, name, usable),
    ensured as (select id, name from known where usable union all select id, name from made where usable)`
}
