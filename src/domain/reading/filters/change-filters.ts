import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { assertRoom } from './rules.ts'

/**
 * Runs one change of a person's filters. Their version rises first, which also makes two changes wait for each other:
 * what is kept by a version was then read with it or later, never before. Throws `invalid` when they become too many.
 */
export async function changeFilters<T>(ctx: Ctx, viewer: Viewer, change: (tx: Tx) => Promise<T>): Promise<T> {
  return ctx.transaction(async (tx) => {
    await sql`
      update users set filters_version = filters_version + 1 where account_id = ${viewer.accountId}`.execute(
      tx.db,
    )
    const result = await change(tx)
    await assertRoom(tx, viewer.accountId)
    await tx.emit({ type: 'filters.changed', accountId: viewer.accountId })
    return result
  })
}
