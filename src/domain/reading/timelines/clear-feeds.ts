import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

/** Removes all home and list feeds. Each is built anew when it is next read. Returns how many there were. */
export async function clearFeeds(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    // Whoever builds one has its row: they come before this or after it.
    await sql`lock table home_feeds, list_feeds in access exclusive mode`.execute(tx.db)
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from home_feeds) + (select count(*) from list_feeds))::int as count`.execute(
      tx.db,
    )
    await sql`truncate home_feeds, list_feeds, home_entries, list_entries`.execute(tx.db)
    return rows[0]?.count ?? 0
  })
}
