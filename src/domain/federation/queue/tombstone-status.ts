import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { removeStatus } from '#domain/content/statuses/delete-status.ts'
import { insertTombstone } from './tombstones.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/**
 * Deletes a status of another server for good, with all boosts of it: it never comes back. False when there is none of
 * this author.
 */
export async function tombstoneStatus(ctx: Ctx, uri: string, accountId: AccountId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await insertTombstone(tx, uri)
    const { rows } = await sql<{ id: StatusId }>`
      select id from statuses where uri = ${uri} and account_id = ${accountId} and not local`.execute(tx.db)
    if (!rows[0]) return false
    await removeStatus(tx, rows[0].id, { dropMedia: true })
    return true
  })
}
