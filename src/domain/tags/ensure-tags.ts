import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

/**
 * The ids of these hashtags, made where they are new. Names are in normal form; rows are taken in one order. `usedAt`:
 * when they were used, in milliseconds.
 */
export async function ensureTags(
  tx: Tx,
  tags: readonly { name: string; display: string }[],
  usedAt: number = tx.clock.now(),
): Promise<Id[]> {
  const byName = new Map(tags.map((tag) => [tag.name, tag.display]))
  const names = [...byName.keys()].toSorted()
  const used = new Date(usedAt)
  const { rows } = await sql<{ id: Id }>`
    insert into tags (id, name, display_name, last_status_at, created_at)
    select * from unnest(
      ${names.map(() => tx.newId())}::bigint[], ${names}::text[], ${names.map((name) => byName.get(name))}::text[]
    ) t, (values (${used}::timestamptz, ${used}::timestamptz)) v
    on conflict (name) do update
      set last_status_at = greatest(tags.last_status_at, excluded.last_status_at)
    returning id`.execute(tx.db)
  return rows.map((row) => row.id)
}
