import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { abandonFiles } from '#domain/media/files.ts'

/** A card that no status shows is kept this long, in milliseconds: the next post with its link finds it. */
const unusedKept = 30 * 86_400_000
const batch = 200

/** Removes cards that no status shows any more, with their pictures. Answers how many. */
export async function purgeCards(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - unusedKept)
  let purged = 0
  for (;;) {
    const keys = await ctx.transaction(async (tx) => {
      const { rows } = await sql<{ image_key: string | null }>`
        delete from preview_cards where id in (
          select c.id from preview_cards c
          where coalesce(c.fetched_at, c.created_at) < ${before}
            and not exists (select 1 from statuses s where s.card_id = c.id offset 0)
          limit ${batch} for update skip locked)
        returning image_key`.execute(tx.db)
      await abandonFiles(
        tx,
        rows.map((row) => row.image_key),
      )
      return rows
    })
    purged += keys.length
    if (keys.length < batch) return purged
  }
}
