// Feeds that a change to a list makes wrong are marked in its transaction, and built again when they are next read:
// whoever reads after the change reads it.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { AccountId, ListId } from '#lib/id.ts'

/** The list's own feed: who or what belongs into it has changed. The list is locked: nobody builds its feed now. */
export async function markListFeedStale(tx: Tx, listId: ListId): Promise<void> {
  await sql`update list_feeds set built_at = null where list_id = ${listId}`.execute(tx.db)
}

/**
 * The owner's home feed: whom an exclusive list keeps out of it has changed. Where there is none, one may be on its
 * way, which reads what was before the change: with the row there, either waits for the other.
 */
export async function markHomeFeedStale(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`
    insert into home_feeds (account_id) values (${accountId})
    on conflict (account_id) do update set built_at = null`.execute(tx.db)
}
