import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { StatusId } from '#lib/id.ts'

/** Rows of one transaction: it holds the locks of the quoting statuses. */
const batch = 500

/**
 * Has the quotes of deleted statuses say that they were deleted. Does nothing while one is there. Idempotent.
 */
export async function markQuotedDeleted(ctx: Ctx, quotedIds: readonly StatusId[]): Promise<void> {
  for (;;) {
    const marked = await ctx.transaction(async (tx) => {
      const { rows } = await sql`
        with lost as (
          select q.status_id from quotes q
          where q.quoted_status_id = any(${quotedIds}::bigint[]) and q.state in ('accepted', 'pending')
            and not exists (select 1 from statuses o where o.id = q.quoted_status_id and o.deleted_at is null)
          order by q.status_id limit ${batch} for update of q),
        marked as (
          update quotes q set state = 'deleted', updated_at = ${new Date(tx.clock.now())}
          from lost where q.status_id = lost.status_id)
        update statuses s set version = s.version + 1 from lost where s.id = lost.status_id
        returning s.id`.execute(tx.db)
      return rows.length
    })
    if (marked < batch) return
  }
}
