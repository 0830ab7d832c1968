import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import type { IdCursor, PreviewCardId } from '#lib/id.ts'

/** A card that no status shows is kept this long, in milliseconds: the next post with its link finds it. */
const unusedKept = 30 * 86_400_000
const batch = 200

/** Removes cards that no status shows any more, with their pictures. Returns how many. */
export async function purgeCards(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - unusedKept)
  let purged = 0
  // Each batch begins behind the one before: the cards that stay are looked at once.
  for (let after = '0'; ;) {
    const { count, last } = await purgeBatch(ctx, before, after)
    purged += count
    if (count < batch) return purged
    after = last
  }
}

/** Returns how many went, and the last of their ids. */
async function purgeBatch(
  ctx: Ctx,
  before: Date,
  after: IdCursor,
): Promise<{ count: number; last: IdCursor }> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: PreviewCardId; image_key: string | null }>`
      with unused as (
        select c.id, c.image_key from preview_cards c
        where c.id > ${after} and coalesce(c.fetched_at, c.created_at) < ${before}
          and not exists (select 1 from statuses s where s.card_id = c.id offset 0)
        order by c.id limit ${batch} for update skip locked),
      gone as (delete from preview_cards where id in (select id from unused))
      select id, image_key from unused order by id`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.map((row) => row.image_key),
    )
    return { count: rows.length, last: rows.at(-1)?.id ?? after }
  })
}
